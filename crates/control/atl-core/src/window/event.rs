//! Events that a host passes to a window controller. Counts are in packets (segments) unless stated
//! otherwise.
//!
//! Every event has a constructor for the values that a sender always knows, and setters for the
//! rest:
//!
//! ```
//! use atl_core::time::{Span, Time};
//! use atl_core::window::Ack;
//!
//! let now = Time::from_millis(80);
//! let ack = Ack::new(now)
//!     .delivered(2)
//!     .cumulative(2)
//!     .newest(Some((7, Time::from_millis(30))))
//!     .rtt(Some(Span::from_millis(50)));
//! assert!(ack.window_limited && !ack.in_recovery);
//! ```

use crate::setters::setters;
use crate::time::{Span, Time};

/// A data packet left the sender.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sent {
    /// The time at which it left.
    pub now: Time,
    /// Number of this transmission. Transmissions are numbered from 0 without gaps, and a
    /// retransmission gets a new number, as in QUIC, so that a controller can keep notes on each.
    pub tx: u64,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// Packets in flight, this one included.
    pub in_flight: u32,
    /// True if it carries data that was sent before. `false` by default.
    pub retransmission: bool,
    /// The application has no more data to send, so the window does not limit the sender. `false`
    /// by default.
    pub app_limited: bool,
}

impl Sent {
    /// Transmission `tx` of `bytes` bytes left at `now`; `in_flight` counts it.
    #[inline]
    pub const fn new(now: Time, tx: u64, bytes: u32, in_flight: u32) -> Self {
        Sent { now, tx, bytes, in_flight, retransmission: false, app_limited: false }
    }

    setters! { retransmission: bool, app_limited: bool }
}

/// An acknowledgment arrived.
///
/// Duplicate ACKs are events too. Their `delivered` is 0 if they show nothing new to have arrived:
/// without SACK a sender sets `duplicate` and leaves `delivered` at 0.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Ack {
    /// The time at which it arrived.
    pub now: Time,
    /// Packets that this ACK newly shows to have arrived, cumulatively or selectively. 0 by
    /// default.
    pub delivered: u32,
    /// Packets by which the cumulative ACK point moved. 0 by default. A host without a cumulative
    /// point, such as QUIC, gives the same number as in `delivered`.
    pub cumulative: u32,
    /// True for a duplicate ACK (RFC 5681, sec. 2). `false` by default.
    pub duplicate: bool,
    /// The newest transmission that this ACK shows to have arrived, and when it was sent. `None` by
    /// default.
    pub newest: Option<(u64, Time)>,
    /// Round-trip time that this ACK measures. `None` by default, and for a retransmission whose
    /// transmission is ambiguous (Karn's rule).
    pub rtt: Option<Span>,
    /// Smoothed RTT after this ACK (RFC 6298). Zero by default: not measured yet.
    pub srtt: Span,
    /// Minimum RTT of the connection so far. Zero by default: not measured yet.
    pub rtt_min: Span,
    /// Packets in flight after this ACK. 0 by default.
    pub in_flight: u32,
    /// The sender repairs losses (fast recovery), so the window grows by the rules of the recovery
    /// and not by AIMD. Still true for the ACK that ends the recovery. `false` by default.
    pub in_recovery: bool,
    /// The window, and not the application, limited the sender since the previous ACK. A window
    /// must not grow otherwise (RFC 7661; RFC 9002, sec. 7.8). `true` by default.
    pub window_limited: bool,
}

impl Ack {
    /// An ACK that arrived at `now` and shows nothing new yet.
    #[inline]
    pub const fn new(now: Time) -> Self {
        Ack {
            now,
            delivered: 0,
            cumulative: 0,
            duplicate: false,
            newest: None,
            rtt: None,
            srtt: Span::ZERO,
            rtt_min: Span::ZERO,
            in_flight: 0,
            in_recovery: false,
            window_limited: true,
        }
    }

    setters! {
        delivered: u32,
        cumulative: u32,
        duplicate: bool,
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        srtt: Span,
        rtt_min: Span,
        in_flight: u32,
        in_recovery: bool,
        window_limited: bool,
    }
}

/// The means by which a loss was detected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub enum Detection {
    /// By duplicate or selective acknowledgments.
    Acks,
    /// By the retransmission timer.
    Timeout,
}

/// Transmissions were detected as lost.
///
/// A sender reports each detection before it asks for the window again. A loss that a timeout
/// detects is followed by one [`Timeout`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Loss {
    /// The time of the detection.
    pub now: Time,
    /// Number of transmissions lost. 1 by default.
    pub packets: u32,
    /// Number of them that the sender's own link marked as failed (its MAC gave up): these were
    /// certainly not lost to congestion. 0 by default.
    pub link_failures: u32,
    /// The newest of them.
    pub tx: u64,
    /// Their bytes on the wire, headers included.
    pub bytes: u32,
    /// This is the first loss of an episode: the window shrinks once per episode (RFC 6582, RFC
    /// 6675). `true` by default.
    pub new_episode: bool,
    /// The means of detection: ACKs by default.
    pub detection: Detection,
    /// Packets in flight before it was detected.
    pub in_flight: u32,
}

impl Loss {
    /// Transmission `tx` of `bytes` bytes was detected as lost at `now`; `in_flight` still counts
    /// it.
    #[inline]
    pub const fn new(now: Time, tx: u64, bytes: u32, in_flight: u32) -> Self {
        Loss {
            now,
            packets: 1,
            link_failures: 0,
            tx,
            bytes,
            new_episode: true,
            detection: Detection::Acks,
            in_flight,
        }
    }

    setters! { packets: u32, link_failures: u32, new_episode: bool, detection: Detection }
}

/// Packets arrived that a router had marked instead of dropping them (CE, RFC 3168).
///
/// A host that learns the fate of each packet tells of each mark, or of those of one ACK together.
/// One that learns only that there were some in a round trip (the ECE flag of RFC 3168, the
/// congestion event of a QUIC library) tells of one packet that round trip. A law that needs the
/// marked share of a round (DCTCP) divides the sum of `packets` by that of [`Ack::delivered`].
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Marked {
    /// When that became known.
    pub now: Time,
    /// Packets newly known to be marked. 1 by default.
    pub packets: u32,
    /// Their bytes on the wire, headers included, if the host knows them. 0 by default.
    pub bytes: u64,
    /// The newest transmission that is known to have arrived: the marked ones are not after it.
    pub tx: u64,
    /// A marked packet was sent after the last reduction: the first sign of congestion in a round
    /// trip, losses included. A window that takes marks for losses shrinks for no other (RFC 3168,
    /// sec. 6.1.2). `true` by default.
    pub new_episode: bool,
    /// Packets in flight.
    pub in_flight: u32,
}

impl Marked {
    /// A packet up to transmission `tx` is known at `now` to be marked, with `in_flight` packets
    /// still in flight.
    #[inline]
    pub const fn new(now: Time, tx: u64, in_flight: u32) -> Self {
        Marked { now, packets: 1, bytes: 0, tx, new_episode: true, in_flight }
    }

    setters! { packets: u32, bytes: u64, new_episode: bool }

    /// The loss that a controller takes it for which does not know marks. It has no bytes, since
    /// nothing left the flight.
    pub const fn as_loss(&self) -> Loss {
        let loss = Loss::new(self.now, self.tx, 0, self.in_flight);
        loss.packets(self.packets).new_episode(self.new_episode)
    }
}

/// The retransmission timer expired.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Timeout {
    /// The time at which it expired.
    pub now: Time,
    /// Packets in flight before it expired.
    pub in_flight: u32,
    /// Consecutive timeouts, this one included: 1, the default, for the first after an ACK of new
    /// data.
    pub consecutive: u32,
}

impl Timeout {
    /// The timer expired at `now`, the first time since an ACK of new data, with `in_flight`
    /// packets in flight.
    #[inline]
    pub const fn new(now: Time, in_flight: u32) -> Self {
        Timeout { now, in_flight, consecutive: 1 }
    }

    setters! { consecutive: u32 }
}

/// A router asked the sender to slow down (ICMP source quench, RFC 792; deprecated by RFC 6633).
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Quench {
    /// The time at which it arrived.
    pub now: Time,
    /// Packets in flight when it arrived.
    pub in_flight: u32,
}

impl Quench {
    /// A source quench arrived at `now` with `in_flight` packets in flight.
    #[inline]
    pub const fn new(now: Time, in_flight: u32) -> Self {
        Quench { now, in_flight }
    }
}

/// The content of a low-priority probe packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Nothing of use to the receiver (a dummy segment of TCP-Peach).
    Dummy,
    /// A copy of the oldest unacknowledged data (a NIL segment of TCP-Peach+), or a dummy if all
    /// data is acknowledged.
    Unacknowledged,
}
