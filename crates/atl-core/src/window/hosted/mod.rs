//! CUBIC and BBR as baselines: the congestion controllers of a QUIC library behind
//! [`WindowController`](super::WindowController).
//!
//! Neither is part of the suite's papers; a reader of 2020s networks wants to see the suite beside
//! them. They are hosted rather than written again, so that the baseline is one that others maintain,
//! fuzz and deploy.
//!
//! # What is hosted
//!
//! `s2n-quic-core` 0.91.0, Apache-2.0, without its default features: `CubicCongestionController`
//! (RFC 8312 with the epoch's K of RFC 9438, hybrid slow start, pacing) and `BbrCongestionController`
//! (BBR version 2, draft-cardwell-iccrg-bbr-congestion-control-02). Of the QUIC libraries whose
//! controllers can be reached from outside it is the one that takes time, round-trip times and
//! randomness from its caller and that says when the next packet may leave. Without its `std` feature
//! it computes roots and powers with `libm`, so a run gives the same bytes on every machine; with
//! `std`, which another crate of a build could switch on, it would use the platform's functions and
//! choose its slow start by an environment variable.
//!
//! # What differs from the TCP of a kernel
//!
//! - Loss recovery of QUIC (RFC 9002, sec. 7.3): a recovery period ends when a packet sent after its
//!   beginning is acknowledged. No proportional rate reduction; the window falls at once.
//! - Least window: 2 packets (CUBIC), 4 packets (BBR). A kernel goes down to 1.
//! - CUBIC leaves slow start early when the RTT grows (HyStart's delay rule, not HyStart++), and sends
//!   bursts of up to 10 packets at 1.25 times (in slow start twice) the window per RTT, where RTTs reach
//!   2 ms. The slow-start threshold never rises again and never falls below 16 packets.
//! - BBR is version 2: unlike version 1 it bounds what is in flight after a probe that lost more than
//!   2 %, and it lowers its bandwidth after a round with losses; version 3 tunes the same design.
//! - A retransmission timeout has no counterpart: a QUIC probe timeout reduces nothing. Here it counts
//!   as persistent congestion (RFC 9002, sec. 7.6, whose threshold was chosen to match a TCP's RTO after
//!   two tail loss probes): CUBIC falls to 2 packets and slow start, and the least RTT is learnt anew
//!   (sec. 5.2). The hosted BBR knows no persistent congestion; to it the packets are just lost.
//! - A handoff and the link's reports are ignored, as a TCP that hears of neither would.
//!
//! A comparison with the suite therefore says how the *control law* fares. It is not a measurement of
//! Linux's `cubic` or `bbr`.
//!
//! # Accounting
//!
//! The library counts bytes, a host packets: one packet is one full datagram. A packet leaves the
//! library's flight exactly once. The host's `in_flight` is the truth:
//!
//! - An ACK is handed over as `min(delivered, library's flight - in_flight)` packets. A packet that was
//!   declared lost and arrives after all is thus not credited, as in QUIC, and the flight cannot fall
//!   below the host's.
//! - What the library still counts beyond `in_flight` after an ACK that delivered something is
//!   discarded: neither acknowledged nor lost. A duplicate ACK that names nothing delivered changes no
//!   book: what it took out of the host's flight is credited by the cumulative ACK that follows.
//! - A loss is handed over packet by packet. A loss of several packets is taken for a run that ends with
//!   the one named; each carries that one's notes. A packet begins a loss burst unless the transmission
//!   just before it was the last one lost.
//! - Of the packets that a timer finds lost the last carries the collapse, once a timeout.

pub mod bbr;
pub mod cubic;

mod adapter;
mod clock;
mod notes;
mod seeded;

#[cfg(test)]
mod tests;
