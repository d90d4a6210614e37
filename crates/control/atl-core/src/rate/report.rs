//! A receiver's reports to the sender of a paced flow, like RTCP's receiver reports (RFC 3550, sec.
//! 6.4.1).

use core::fmt::Debug;

use crate::path::PathId;
use crate::setters::setters;
use crate::time::{Span, Time};

/// A data packet arrived at the receiver.
#[derive(Clone, Copy, Debug)]
#[non_exhaustive]
pub struct Arrived {
    /// The time at which it arrived.
    pub now: Time,
    /// The packet's number ([`Sent::seq`](super::Sent)).
    pub seq: u64,
    /// The time at which it was sent, by the sender's clock.
    pub sent_at: Time,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// The sender's estimate of the round-trip time, which each packet carries (RFC 5348, sec.
    /// 3.2.1); zero, the default, before the sender has one.
    pub rtt: Span,
    /// The path on which it came. The first one by default.
    pub path: PathId,
    /// True if a queue has marked it (CE, RFC 3168). `false` by default.
    pub marked: bool,
    /// True if its ECN field was clear (Not-ECT), as that of a packet is which was sent so or which
    /// a network has bleached. `false` by default.
    pub clear: bool,
}

impl Arrived {
    /// Packet `seq` of `bytes` bytes, sent at `sent_at`, arrived at `now`.
    #[inline]
    pub const fn new(now: Time, seq: u64, sent_at: Time, bytes: u32) -> Self {
        let (rtt, path) = (Span::ZERO, PathId::FIRST);
        Arrived { now, seq, sent_at, bytes, rtt, path, marked: false, clear: false }
    }

    setters! { rtt: Span, path: PathId, marked: bool, clear: bool }
}

/// A receiver's report. By default all counts and times are zero and all optional values absent.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[non_exhaustive]
pub struct Report {
    /// Highest number received so far.
    pub highest: u64,
    /// Packets received since the start, duplicates included.
    pub received: u64,
    /// Packets lost since the start: expected minus received, so that duplicates can make it
    /// negative.
    pub cumulative_lost: i64,
    /// Share of the packets expected since the previous report that was lost, from 0 to 1.
    pub fraction_lost: f64,
    /// Packets received marked since the start, duplicates included (RFC 6679, sec. 5.1: the CE
    /// counter).
    pub marked: u64,
    /// Packets received with a clear ECN field since the start, duplicates included (RFC 6679, sec.
    /// 5.1: the not-ECT counter).
    pub clear: u64,
    /// Interarrival jitter (RFC 3550, sec. 6.4.1 and A.8).
    pub jitter: Span,
    /// The time at which the newest packet was sent, by the sender's clock.
    pub echo: Time,
    /// Time since the newest packet arrived (DLSR; RFC 5348's `t_delay`).
    pub held: Span,
    /// TFRC's `X_recv`: packets per second received over the last round-trip time (RFC 5348, sec.
    /// 6.2).
    pub receive_rate: Option<f64>,
    /// TFRC's p: the loss event rate, from 0 to 1 (RFC 5348, sec. 5).
    pub loss_event_rate: Option<f64>,
    /// The bottleneck's rate, measured by packet pairs since the previous report, in bytes per
    /// second.
    pub pair_rate: Option<f64>,
}

impl Report {
    setters! {
        highest: u64,
        received: u64,
        cumulative_lost: i64,
        fraction_lost: f64,
        marked: u64,
        clear: u64,
        jitter: Span,
        echo: Time,
        held: Span,
        receive_rate: Option<f64>,
        loss_event_rate: Option<f64>,
        pair_rate: Option<f64>,
    }
}

/// The receiver's half of a protocol whose receiver reports instead of acknowledging each packet.
pub trait ReportingReceiver: Debug + Send + Sync {
    /// A data packet arrived. Returns true if a report is to be sent at once.
    fn on_data(&mut self, arrived: &Arrived) -> bool;
    /// The time for the next call of [`on_tick`](Self::on_tick).
    fn next_timeout(&self) -> Option<Time>;
    /// The time that [`next_timeout`](Self::next_timeout) named has come. Returns true if a report
    /// is to be sent at once.
    fn on_tick(&mut self, now: Time) -> bool;
    /// The report to send now. The counts "since the previous report" of the next one begin here.
    fn report(&mut self, now: Time) -> Report;
}
