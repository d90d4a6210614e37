//! What a host tells a window controller. Counts are in packets (segments) unless they say otherwise.

use crate::time::{Span, Time};

/// A data packet left the sender. `tx` numbers transmissions from 0 without gaps: a retransmission gets
/// a number of its own, as in QUIC, so that a controller can keep notes on each.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When.
    pub now: Time,
    /// Number of this transmission.
    pub tx: u64,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// Packets in flight, this one included.
    pub in_flight: u32,
    /// It carries data that was sent before.
    pub retransmission: bool,
    /// The application has nothing further to send: the window is not what limits the sender.
    pub app_limited: bool,
}

/// An acknowledgment arrived. Duplicates come here too, with `delivered` 0 where nothing is known to have
/// arrived (a sender without SACK sets `duplicate` and leaves `delivered` at 0).
#[derive(Clone, Copy, Debug)]
pub struct Ack {
    /// When.
    pub now: Time,
    /// Packets that this ACK newly shows to have arrived, cumulatively or selectively.
    pub delivered: u32,
    /// Packets that the cumulative ACK point moved by.
    pub cumulative: u32,
    /// A duplicate ACK (RFC 5681, sec. 2).
    pub duplicate: bool,
    /// The newest transmission that this ACK shows to have arrived, and when it was sent.
    pub newest: Option<(u64, Time)>,
    /// Round-trip time that this ACK measures, if it measures one (never from a retransmission whose
    /// transmission is ambiguous: Karn's rule).
    pub rtt: Option<Span>,
    /// Smoothed RTT after this ACK (RFC 6298).
    pub srtt: Span,
    /// Least RTT of the connection so far.
    pub rtt_min: Span,
    /// Packets in flight after this ACK.
    pub in_flight: u32,
    /// The sender repairs losses (fast recovery): a window grows by the flavour's rules, not by AIMD. True
    /// also of the ACK that ends the recovery.
    pub in_recovery: bool,
    /// The window, not the application, limited the sender since the previous ACK. A window must not grow
    /// where this is false (RFC 7661, RFC 9002 sec. 7.8).
    pub window_limited: bool,
}

/// How a loss was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Detection {
    /// By duplicate or selective acknowledgments.
    Acks,
    /// By the retransmission timer.
    Timeout,
}

/// Transmissions were found lost. The sender calls this for each loss that it finds, before it asks for
/// the window again; a loss found by a timeout is followed by one `on_timeout`.
#[derive(Clone, Copy, Debug)]
pub struct Loss {
    /// When.
    pub now: Time,
    /// How many transmissions.
    pub packets: u32,
    /// How many of them the sender's own link marked as failed on it (a MAC that gave up): these were
    /// certainly not lost to congestion.
    pub link_failures: u32,
    /// The newest of them.
    pub tx: u64,
    /// Bytes on the wire that they held.
    pub bytes: u32,
    /// The first loss of an episode: the window is reduced once an episode (RFC 6582, RFC 6675).
    pub new_episode: bool,
    /// How it was found.
    pub detection: Detection,
    /// Packets in flight before it was found.
    pub in_flight: u32,
}

/// The retransmission timer expired.
#[derive(Clone, Copy, Debug)]
pub struct Timeout {
    /// When.
    pub now: Time,
    /// Packets in flight before it expired.
    pub in_flight: u32,
    /// 1 for the first, counted up until an ACK of new data.
    pub consecutive: u32,
}

/// A network node asked the sender to slow down (ICMP source quench, RFC 792; deprecated by RFC 6633).
#[derive(Clone, Copy, Debug)]
pub struct Quench {
    /// When.
    pub now: Time,
    /// Packets in flight.
    pub in_flight: u32,
}

/// An end of the path, as the sender sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// The sender's own.
    Own,
    /// The receiver's.
    Peer,
}

/// A vertical handoff: a host now uses another network.
#[derive(Clone, Copy, Debug)]
pub struct Handoff {
    /// When the sender learns of it.
    pub now: Time,
    /// Whose handoff it is. The sender knows of its own at once and for certain; of the receiver's it is told
    /// in an ACK, about half a round trip late, and the delays are the receiver's claims.
    pub end: End,
    /// One-way delay of the wireless link before.
    pub old_delay: Span,
    /// One-way delay of the wireless link from now on.
    pub new_delay: Span,
}

/// What a low-priority probe packet carries.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Probe {
    /// Nothing that the receiver needs (a dummy segment of TCP-Peach).
    Dummy,
    /// A copy of the oldest data that is not acknowledged (a NIL segment of TCP-Peach+); a dummy where there is
    /// none.
    Unacknowledged,
}

/// A probe packet was acknowledged: the path has carried it beside the data.
#[derive(Clone, Copy, Debug)]
pub struct ProbeAck {
    /// When.
    pub now: Time,
    /// Number of the probe: they are numbered from 0 in the order in which the host fetched them, apart from data.
    pub number: u64,
    /// Its round-trip time.
    pub rtt: Span,
}
