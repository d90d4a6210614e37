//! p and X_recv computed by the sender, if its receiver is not TFRC's (RFC 5348, sec. 7): from the
//! ACKs of packets, or from reports that contain neither.
//!
//! "In a sender-based variant of TFRC ... the sender computes the loss event rate". Chosen: losses
//! are grouped into events by the times at which they were sent. The report of a TFRC receiver is
//! computed once per round-trip time, and at once at a new loss event.

use super::config::Config;
use super::equation::Equation;
use super::first_interval;
use super::losses::Losses;
use super::receive_rate::ReceiveRate;
use crate::rate::Feedback;
use crate::time::{Span, Time};

/// The values of a TFRC receiver's report.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Measured {
    /// p, the loss event rate.
    pub loss_event_rate: f64,
    /// X_recv, in packets per second.
    pub receive_rate: f64,
}

/// The receiver's measurements, made by the sender.
#[derive(Clone, Debug)]
pub(super) struct BySender {
    equation: Equation,
    losses: Losses,
    received: ReceiveRate,
    highest: u64,
    /// Time at which the next report is due; `None` before the first.
    due: Option<Time>,
}

impl BySender {
    pub(super) fn new(config: &Config) -> Self {
        BySender {
            equation: config.equation(),
            losses: Losses::new(config),
            received: ReceiveRate::default(),
            highest: 0,
            due: None,
        }
    }

    /// Takes in feedback; returns a report if one is due. `rtt` is zero before it is known.
    pub(super) fn on_feedback(&mut self, feedback: &Feedback<'_>, rtt: Span) -> Option<Measured> {
        let now = feedback.now;
        self.received.count(f64::from(feedback.delivered));
        if let Some((seq, _)) = feedback.newest {
            self.highest = self.highest.max(seq);
        }
        let mut event = false;
        for lost in feedback.losses {
            self.highest = self.highest.max(lost.seq);
            if self.losses.is_empty() {
                self.received.measure(now, rtt, 1.0);
            }
            let most = if lost.seq == 0 { 0.0 } else { self.received.most() };
            let first = || first_interval(&self.equation, most, rtt);
            event |= self.losses.on_loss(lost.seq, lost.sent_at, rtt, first);
        }
        let is_first = self.due.is_none();
        if !event && self.due.is_some_and(|due| now < due) {
            return None;
        }
        let receive_rate = if is_first { 0.0 } else { self.received.measure(now, rtt, 1.0) };
        self.received.mark(now);
        self.due = Some(now.saturating_add(rtt));
        Some(Measured { loss_event_rate: self.losses.loss_event_rate(self.highest), receive_rate })
    }
}
