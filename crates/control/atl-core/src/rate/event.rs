//! Events that a sender passes to a rate controller. Rates are in packets of the nominal size per
//! second, headers included.

use super::Report;
use crate::setters::setters;
use crate::time::{Span, Time};

/// A data packet left the sender.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Sent {
    /// The time at which it left.
    pub now: Time,
    /// Its number. Data packets are numbered from 0 without gaps, apart from probes, and none is
    /// sent twice.
    pub seq: u64,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// True if the application has recently used less than half of the rate, so that the rate does
    /// not limit the sender. `false` by default.
    pub app_limited: bool,
}

impl Sent {
    /// Packet `seq` of `bytes` bytes left at `now`.
    #[inline]
    pub const fn new(now: Time, seq: u64, bytes: u32) -> Self {
        Sent { now, seq, bytes, app_limited: false }
    }

    setters! { app_limited: bool }
}

/// A data packet that did not arrive, or that arrived with a mark.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Lost {
    /// Number of the packet, as in [`Sent::seq`].
    pub seq: u64,
    /// The time at which it was sent.
    pub sent_at: Time,
    /// True if the sender's own MAC gave it up, so that it was certainly not lost to congestion.
    /// `false` by default.
    pub link_failure: bool,
    /// True if it arrived, marked by a queue (CE): congestion for certain, and no loss. Without a
    /// rule of its own a controller takes it for lost (RFC 3168, sec. 5; RFC 5348, sec. 5.1; RFC
    /// 6679, sec. 7.3.3). `false` by default.
    pub marked: bool,
}

impl Lost {
    /// Packet `seq`, sent at `sent_at`, was lost.
    #[inline]
    pub const fn new(seq: u64, sent_at: Time) -> Self {
        Lost { seq, sent_at, link_failure: false, marked: false }
    }

    setters! { link_failure: bool, marked: bool }
}

/// Feedback of the receiver, combined with the sender's record of its packets
/// ([`Ledger`](super::Ledger)). Each packet is counted once, as delivered or as lost; one that
/// arrived with a mark counts among the losses.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Feedback<'a> {
    /// The time at which it arrived.
    pub now: Time,
    /// Packets that this newly shows to have arrived. 0 by default.
    pub delivered: u32,
    /// Packets that this newly shows to be lost or marked, in the order of their numbers. Empty by
    /// default.
    pub losses: &'a [Lost],
    /// The newest packet that this shows to have arrived, with its sending time. `None` by default.
    pub newest: Option<(u64, Time)>,
    /// Round-trip time that this measures, without the time that the receiver held it back. `None`
    /// by default.
    pub rtt: Option<Span>,
    /// Smoothed RTT after this feedback (RFC 6298); zero, the default, before the first sample.
    pub srtt: Span,
    /// Minimum RTT of the flow so far; zero, the default, before the first sample.
    pub rtt_min: Span,
    /// Packets whose fate is unknown after this feedback, and the few that arrived above one of
    /// these. 0 by default.
    pub in_flight: u32,
    /// True if the rate, and not the application, limited the sender since the previous feedback. A
    /// rate must not grow otherwise (RFC 5348, sec. 4.3). As in RFC 7661 (sec. 4.3), half of the
    /// rate counts as use: an encoder that follows the rate never fills it, and would hold it down
    /// for ever. `true` by default.
    pub rate_limited: bool,
    /// The receiver's report; `None`, the default, if this is the ACK of a packet.
    pub report: Option<&'a Report>,
}

impl<'a> Feedback<'a> {
    /// Feedback that arrived at `now` and shows nothing new yet.
    #[inline]
    pub const fn new(now: Time) -> Self {
        Feedback {
            now,
            delivered: 0,
            losses: &[],
            newest: None,
            rtt: None,
            srtt: Span::ZERO,
            rtt_min: Span::ZERO,
            in_flight: 0,
            rate_limited: true,
            report: None,
        }
    }

    setters! {
        delivered: u32,
        losses: &'a [Lost],
        newest: Option<(u64, Time)>,
        rtt: Option<Span>,
        srtt: Span,
        rtt_min: Span,
        in_flight: u32,
        rate_limited: bool,
        report: Option<&'a Report>,
    }
}
