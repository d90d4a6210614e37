//! What a receiver tells the sender of a paced flow, as RTCP's receiver reports do (RFC 3550, sec. 6.4.1).

use core::fmt::Debug;

use crate::time::{Span, Time};

/// A data packet arrived at the receiver.
#[derive(Clone, Copy, Debug)]
pub struct Arrived {
    /// When.
    pub now: Time,
    /// Its number ([`Sent::seq`](super::Sent)).
    pub seq: u64,
    /// When it was sent, by the sender's clock.
    pub sent_at: Time,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// The sender's estimate of the round-trip time, which it puts into each packet (RFC 5348, sec. 3.2.1); zero
    /// before it has one.
    pub rtt: Span,
}

/// A receiver's report.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Report {
    /// Highest number received.
    pub highest: u64,
    /// Packets received since the start, duplicates included.
    pub received: u64,
    /// Packets lost since the start: expected less received, negative where there are duplicates.
    pub cumulative_lost: i64,
    /// Share of the packets expected since the previous report that was lost, from 0 to 1.
    pub fraction_lost: f64,
    /// Interarrival jitter (RFC 3550, sec. 6.4.1 and A.8).
    pub jitter: Span,
    /// When the newest packet was sent, by the sender's clock.
    pub echo: Time,
    /// Time since the newest packet's arrival (DLSR; RFC 5348's `t_delay`).
    pub held: Span,
    /// TFRC's `X_recv`: packets per second received over the last round-trip time (RFC 5348, sec. 6.2).
    pub receive_rate: Option<f64>,
    /// TFRC's p: the loss event rate, from 0 to 1 (RFC 5348, sec. 5).
    pub loss_event_rate: Option<f64>,
    /// The bottleneck's rate by packet pairs since the previous report, in bytes per second.
    pub pair_rate: Option<f64>,
}

/// The receiver's half of a protocol whose receiver reports rather than acknowledge each packet.
pub trait ReportingReceiver: Debug + Send {
    /// A data packet arrived. True: a report goes out at once.
    fn on_data(&mut self, arrived: &Arrived) -> bool;
    /// When [`on_tick`](Self::on_tick) wants to be called next.
    fn next_timeout(&self) -> Option<Time>;
    /// The time that [`next_timeout`](Self::next_timeout) named has come. True: a report goes out at once.
    fn on_tick(&mut self, now: Time) -> bool;
    /// The report that goes out now. The next one's counts since the previous report begin here.
    fn report(&mut self, now: Time) -> Report;
}
