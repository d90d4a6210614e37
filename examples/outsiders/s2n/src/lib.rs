//! CUBIC and BBRv2 of a QUIC library, s2n-quic, behind
//! [`WindowController`](atl_core::window::WindowController): rivals for any scenario, unchanged.
//!
//! They are hosted rather than rewritten, so that the baseline is one that others maintain, fuzz
//! and deploy. The program `atl` has CUBIC and BBRv3 of its own and does without the library, which
//! takes longer to compile than any other crate; the tests here hold ours against it.
//!
//! ```
//! use atl_core::window::{BuildController, Start, WindowController};
//!
//! let cubic = s2n::cubic::Config::default().build(&Start::default().initial_window(10.0));
//! assert!(cubic.window() >= 2.0);
//! ```
//!
//! # What is hosted
//!
//! `s2n-quic-core` 0.91.0, Apache-2.0, without its default features: `CubicCongestionController`
//! (RFC 8312 with the epoch's K of RFC 9438, hybrid slow start, pacing) and
//! `BbrCongestionController` (BBR version 2, draft-cardwell-iccrg-bbr-congestion-control-02). Of
//! the QUIC libraries whose controllers can be used from outside, it is the one that takes time,
//! round-trip times and randomness from its caller and that says when the next packet may leave.
//! Without its `std` feature it computes roots and powers with `libm`, so that a run gives the same
//! bytes on every machine. With `std`, which another crate of a build could switch on, it would use
//! the platform's functions and choose its slow start by an environment variable.
//!
//! # What differs from the TCP of a kernel
//!
//! - Loss recovery is QUIC's (RFC 9002, sec. 7.3): a recovery period ends when a packet sent after
//!   its beginning is acknowledged. There is no proportional rate reduction; the window falls at
//!   once.
//! - The least window is 2 packets (CUBIC) or 4 packets (BBRv2). A kernel goes down to 1.
//! - CUBIC leaves slow start early when the RTT grows (HyStart's delay rule, not HyStart++). Where
//!   RTTs reach 2 ms it sends bursts of up to 10 packets at 1.25 times (in slow start twice) the
//!   window per RTT. The slow-start threshold never rises again and never falls below 16 packets.
//! - BBR is version 2. Unlike version 1 it bounds what is in flight after a probe that lost more
//!   than 2 %, and it lowers its bandwidth after a round with losses. Version 3 tunes the same
//!   design.
//! - A retransmission timeout has no counterpart: a QUIC probe timeout reduces nothing. Here it
//!   counts as persistent congestion (RFC 9002, sec. 7.6, whose threshold was chosen to match a
//!   TCP's RTO after two tail loss probes): CUBIC falls to 2 packets and slow start, and the least
//!   RTT is measured anew (sec. 5.2). The hosted BBRv2 has no persistent congestion; it just sees
//!   the packets as lost.
//! - Handoffs and link reports are ignored, as by a TCP that receives neither.
//!
//! A comparison with the suite therefore shows how the *control law* performs. It does not measure
//! Linux's `cubic` or `bbr`.
//!
//! # Accounting
//!
//! The library counts bytes and a host counts packets: one packet is one full datagram. A packet
//! leaves the library's flight exactly once. The host's `in_flight` is authoritative:
//!
//! - An ACK is passed on as `min(delivered, library's flight - in_flight)` packets. A packet that
//!   was declared lost and arrives after all is thus not credited, as in QUIC, and the flight
//!   cannot fall below the host's.
//! - What the library still counts beyond `in_flight` after an ACK that delivered something is
//!   discarded: neither acknowledged nor lost. A duplicate ACK that names nothing delivered changes
//!   no count: what it took out of the host's flight is credited by the cumulative ACK that
//!   follows.
//! - A loss is passed on packet by packet. A loss of several packets is taken for a run that ends
//!   with the one named, and each carries that one's notes. A packet begins a loss burst unless the
//!   transmission just before it was the last one lost.
//! - Of the packets that a timer finds lost, the last one carries the collapse, once per timeout.

pub mod bbr2;
pub mod cubic;

mod adapter;
mod clock;
mod notes;
mod seeded;

#[cfg(test)]
mod tests;
