//! What a host tells a rate controller. Rates are in packets of the nominal size per second, headers included.

use super::Report;
use crate::time::{Span, Time};

/// A data packet left the sender.
#[derive(Clone, Copy, Debug)]
pub struct Sent {
    /// When.
    pub now: Time,
    /// Its number: data packets are numbered from 0 without gaps, apart from probes. None is sent twice.
    pub seq: u64,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// The application has lately used less than half of the rate, which is then not what limits the sender.
    pub app_limited: bool,
}

/// A data packet that did not arrive.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lost {
    /// Its number.
    pub seq: u64,
    /// When it was sent.
    pub sent_at: Time,
    /// The sender's own MAC gave it up: it was certainly not lost to congestion.
    pub link_failure: bool,
}

/// What came back from the receiver, put together with what the sender knows of its packets
/// ([`Ledger`](super::Ledger)). Each packet is counted once, as delivered or as lost.
#[derive(Clone, Copy, Debug)]
pub struct Feedback<'a> {
    /// When.
    pub now: Time,
    /// Packets that this shows to have arrived.
    pub delivered: u32,
    /// Packets that this shows to be lost, in the order of their numbers.
    pub losses: &'a [Lost],
    /// The newest packet that this shows to have arrived, and when it was sent.
    pub newest: Option<(u64, Time)>,
    /// Round-trip time that this measures, without the time that the receiver held it back.
    pub rtt: Option<Span>,
    /// Smoothed RTT after this (RFC 6298); zero before the first sample.
    pub srtt: Span,
    /// Least RTT of the flow so far; zero before the first sample.
    pub rtt_min: Span,
    /// Packets whose fate is not known after this, and the few that arrived above one of these.
    pub in_flight: u32,
    /// The rate, not the application, has limited the sender since the previous feedback. A rate must not grow
    /// where this is false (RFC 5348, sec. 4.3). As in RFC 7661 (sec. 4.3) half of it counts as use: an encoder
    /// that follows the rate never fills it, and would otherwise hold it down for ever.
    pub rate_limited: bool,
    /// The receiver's report, where this is one and not the ACK of a packet.
    pub report: Option<&'a Report>,
}
