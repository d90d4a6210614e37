//! The probe period (ARC paper, sec. IV-A, Fig. 6): one data packet, then low-priority probes at
//! the target rate for a round-trip time, whose acknowledgments show the free capacity.
//!
//! Left open by the source, and chosen:
//! - The round-trip time is that of the first packet that is acknowledged, the data packet or, if
//!   that is lost, a probe; it ends the sending of probes.
//! - Every probe that is acknowledged by 2 RTT counts.
//! - Before the first answer no more than [`MOST_PROBES`] are sent, for [`FIRST_WAIT`] at most.
//!   Without an answer by then, only data packets follow, after 2, 4, ... 64 s, and probes start
//!   once one is acknowledged: an unanswered flood is not repeated.

use crate::probe::Pacer;
use crate::time::{Span, Time};

/// Limit on the probes of a period.
const MOST_PROBES: u32 = 10_000;

/// Longest time for which probes are sent without an answer.
pub(super) const FIRST_WAIT: Span = Span::from_secs(2);

/// The state of a probe period.
#[derive(Clone, Copy, Debug)]
pub(super) struct Probing {
    rate: f64,
    pacer: Pacer,
    /// Time at which the first packet left, or the first answer to a later one came.
    began: Option<Time>,
    rtt: Option<Span>,
    /// The first packet has had no answer.
    unanswered: bool,
    /// A data packet may be sent.
    data_due: bool,
    acked: u32,
}

impl Probing {
    /// A period that probes `rate` packets per second.
    pub(super) fn new(rate: f64) -> Self {
        Probing {
            rate,
            pacer: Pacer::default(),
            began: None,
            rtt: None,
            unanswered: false,
            data_due: true,
            acked: 0,
        }
    }

    /// Probes at the rate for `span` from now on.
    fn send(&mut self, now: Time, span: Span) {
        let probes = (self.rate * span.secs()).min(f64::from(MOST_PROBES)).max(1.0) as u32;
        self.pacer.start(now, probes, Span::from_secs_f64(f64::from(probes) / self.rate));
    }

    /// Notes that a data packet left.
    pub(super) fn on_sent(&mut self, now: Time) {
        self.data_due = false;
        if self.began.is_none() {
            self.began = Some(now);
            self.send(now, FIRST_WAIT);
        }
    }

    /// Notes that a packet was acknowledged after `rtt`.
    pub(super) fn on_rtt(&mut self, now: Time, rtt: Span) {
        if self.rtt.is_some() || rtt.is_zero() || self.began.is_none() {
            return;
        }
        self.rtt = Some(rtt);
        self.pacer.stop();
        if self.unanswered {
            self.began = Some(now);
            self.send(now, rtt);
        }
    }

    /// Notes that a probe was acknowledged.
    pub(super) fn on_ack(&mut self) {
        self.acked = self.acked.saturating_add(1);
    }

    /// Without an answer another data packet may be sent.
    pub(super) fn on_silence(&mut self) {
        if self.rtt.is_none() {
            self.pacer.stop();
            self.unanswered = true;
            self.data_due = true;
        }
    }

    /// True while the round-trip time is unknown.
    pub(super) fn waits(&self) -> bool {
        self.rtt.is_none()
    }

    /// True if a data packet may be sent.
    pub(super) fn sends_data(&self) -> bool {
        self.data_due
    }

    /// True if a probe is to be sent now.
    #[inline]
    pub(super) fn poll(&mut self, now: Time) -> bool {
        self.end().is_none_or(|end| now < end) && self.pacer.poll(now)
    }

    /// The time at which the period ends.
    fn end(&self) -> Option<Time> {
        let (began, rtt) = (self.began?, self.rtt?);
        Some(began.saturating_add(rtt).saturating_add(rtt))
    }

    /// ARC paper, eq. 22 at the end of the period: packets per second.
    pub(super) fn result(&self, now: Time) -> Option<f64> {
        let over = self.end().is_some_and(|end| now >= end);
        over.then(|| f64::from(self.acked.max(1)) / self.rtt.unwrap_or(FIRST_WAIT).secs())
    }

    /// The time at which a packet or the end is due.
    pub(super) fn next_timeout(&self) -> Option<Time> {
        [self.pacer.next(), self.end()].into_iter().flatten().min()
    }

    /// Notes that the sender is awake.
    pub(super) fn on_tick(&mut self, now: Time) {
        self.pacer.tick(now);
    }
}
