//! The receiver's half of TFRC (RFC 5348, sec. 6): it measures p and X_recv and reports them once
//! per round-trip time, and at once when p rises.
//!
//! Left open by the RFC, and chosen:
//! - Rates are counted in packets of the largest size seen: the sender's nominal size.
//! - A new loss event is reported at once also where it leaves p as it was, and so is one that is
//!   taken back (sec. 6: "whenever a new loss event is detected", "an out-of-order data packet ...
//!   that removes a loss event").
//! - X_target, for the first loss interval, counts the report that is being made: "the maximum
//!   value of X_recv so far".
//! - The feedback timer rests while nothing arrives, since the first packet to arrive then is
//!   reported at once.
//! - A round-trip time above 64 s (`t_mbi`) counts as that; one that shrinks brings the feedback
//!   timer forward.

use super::arrivals::{Arrival, Arrivals};
use super::config::Config;
use super::equation::Equation;
use super::losses::Losses;
use super::receive_rate::ReceiveRate;
use super::{LONGEST, first_interval};
use crate::rate::{Arrived, Report, ReportingReceiver, Statistics};
use crate::time::{Span, Time};

/// A receiver under RFC 5348, sec. 6.
#[derive(Clone, Debug)]
pub struct Receiver {
    equation: Equation,
    statistics: Statistics,
    arrivals: Arrivals,
    losses: Losses,
    received: ReceiveRate,
    /// Length of the largest packet, in bytes.
    packet_bytes: u32,
    /// R_m: the RTT in the packet with the highest number; zero before the sender has one.
    rtt: Span,
    /// R_(m-1), of the previous report.
    rtt_before: Span,
    /// The feedback timer; `None` while it is stopped.
    due: Option<Time>,
    /// A packet has arrived since the last report.
    news: bool,
}

impl Receiver {
    /// A receiver before its first packet.
    pub fn new(config: &Config) -> Self {
        let config = config.checked();
        Receiver {
            equation: config.equation(),
            statistics: Statistics::default(),
            arrivals: Arrivals::default(),
            losses: Losses::new(&config),
            received: ReceiveRate::default(),
            packet_bytes: 1,
            rtt: Span::ZERO,
            rtt_before: Span::ZERO,
            due: None,
            news: false,
        }
    }

    /// p: the present loss event rate, from 0 to 1.
    pub fn loss_event_rate(&self) -> f64 {
        self.losses.loss_event_rate(self.arrivals.highest())
    }

    /// Takes the packet into the history (sec. 6.1, steps 1 and 2); true if that begins a loss
    /// event or takes one back.
    fn history(&mut self, arrived: &Arrived) -> bool {
        let Arrived { now, seq, .. } = *arrived;
        let Receiver { arrivals, losses, received, equation, .. } = self;
        let (rtt, rtt_before, bytes) = (self.rtt, self.rtt_before, f64::from(self.packet_bytes));
        let mut event = false;
        let arrival = arrivals.on_arrival(seq, now, |hole| {
            if losses.is_empty() {
                received.measure(now, rtt_before, bytes);
            }
            let most = if hole.first == 0 { 0.0 } else { received.most() / bytes };
            event |= losses.on_hole(hole, rtt, || first_interval(equation, most, rtt));
        });
        if arrived.marked && arrival == Arrival::Fresh {
            if losses.is_empty() {
                received.measure(now, rtt_before, bytes);
            }
            let most = if seq == 0 { 0.0 } else { received.most() / bytes };
            event |= losses.on_marked(seq, now, rtt, || first_interval(equation, most, rtt));
        }
        event | (arrival == Arrival::Old && losses.on_late(seq))
    }

    /// Starts the feedback timer anew.
    fn restart(&mut self, now: Time) {
        self.due = (!self.rtt.is_zero()).then(|| now.saturating_add(self.rtt));
    }
}

impl ReportingReceiver for Receiver {
    fn on_data(&mut self, arrived: &Arrived) -> bool {
        let Arrived { now, seq, bytes, rtt, .. } = *arrived;
        self.statistics.on_data(arrived);
        self.packet_bytes = self.packet_bytes.max(bytes);
        self.received.count(f64::from(bytes));
        self.news = true;
        if seq >= self.arrivals.highest() && !rtt.is_zero() {
            self.rtt = rtt.min(LONGEST);
            let due = now.saturating_add(self.rtt);
            self.due = self.due.map(|before| before.min(due));
        }
        let event = self.history(arrived);
        // "If p > p_prev, cause the feedback timer to expire"; "if p <= p_prev and no feedback
        // packet was sent when the feedback timer last expired" likewise: the timer rests then.
        // Before an RTT is known "the receiver sends a feedback packet for every arriving data
        // packet".
        if event || self.due.is_none() {
            self.restart(now);
            return true;
        }
        false
    }

    fn next_timeout(&self) -> Option<Time> {
        self.due
    }

    fn on_tick(&mut self, now: Time) -> bool {
        if self.due.is_none_or(|due| now < due) {
            return false;
        }
        self.due = None;
        if self.news {
            self.restart(now);
        }
        self.news
    }

    fn report(&mut self, now: Time) -> Report {
        let bytes = f64::from(self.packet_bytes);
        // Sec. 6.3: "When the first packet is received: Set p = 0. Set X_recv = 0." No expiration
        // of the timer and no R_(m-1) precede it.
        let rate = self.received.measure(now, self.rtt_before, bytes);
        self.received.mark(now);
        self.rtt_before = self.rtt;
        self.news = false;
        self.restart(now);
        Report {
            receive_rate: Some(rate / bytes),
            loss_event_rate: Some(self.loss_event_rate()),
            ..self.statistics.report(now)
        }
    }
}
