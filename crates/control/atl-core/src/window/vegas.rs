//! TCP Vegas: keeps a few of its own packets in the queue, and estimates their number from the RTT.
//!
//! Source: Brakmo, O'Malley, Peterson, "TCP Vegas: New techniques for congestion detection and
//! avoidance" (SIGCOMM 1994); Brakmo, Peterson, "TCP Vegas: End to end congestion avoidance on a
//! global Internet" (IEEE JSAC 13(8), 1995), sec. III. What the papers leave open follows two
//! implementations: ns-2's `tcp-vegas.cc`, which is based on the authors' own, and Linux's
//! `tcp_vegas.c`.
//!
//! Once per round trip: expected = cwnd / baseRTT, actual = cwnd / RTT, and
//! diff = (expected - actual) baseRTT = cwnd (1 - baseRTT / RTT) packets.
//! - Above ssthresh: diff < alpha adds one packet over the next round trip, diff > beta takes one
//!   away.
//! - Slow start doubles the window every other round trip, and holds it in between so that the
//!   comparison is valid. At the end of a held one, diff > gamma ends slow start.
//!
//! Left open by the source, and chosen:
//! - (alpha, beta, gamma) = (2, 4, 1) as in Linux and in the papers' "Vegas-2,4"; ns-2 has (1, 3,
//!   1);
//! - RTT is the mean over the round trip (ns-2); Linux takes the least, because of delayed ACKs.
//!   baseRTT is the least of the connection. A round trip lasts until a packet sent after its
//!   beginning is acknowledged;
//! - the end of slow start takes an eighth of the window (ns-2) and puts ssthresh there;
//! - a loss found by ACKs leaves three quarters (the authors' and ns-2's choice; Linux halves), a
//!   timeout halves ssthresh and leaves one packet. The window is at least two packets, except
//!   after a timeout;
//! - round trips in which losses are repaired are not evaluated (Linux).
//!
//! Not included: the finer retransmission timer, which checks at the first duplicate ACK, and at
//! the first two ACKs after a retransmission, whether the segment is overdue. The sender decides
//! which packets are lost and when they are sent again.
//!
//! Known weakness of the protocol itself: baseRTT survives a change of path. After roaming to a
//! longer path the difference looks like a queue, and the window falls to two packets.

use core::num::NonZeroU32;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, Halving, Loss, Sent, Start, Timeout,
    WindowController,
};
use crate::time::{Span, Time};

/// Least window in packets, except after a timeout.
const MIN_WINDOW: f64 = 2.0;

/// Share of the window that remains at the end of slow start.
const AFTER_SLOW_START: f64 = 7.0 / 8.0;

/// Parameters of [`Vegas`], in packets in the queue.
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// alpha: the window grows with fewer packets in the queue. Not negative.
    pub alpha: f64,
    /// beta: the window shrinks with more packets in the queue. At least alpha.
    pub beta: f64,
    /// gamma: slow start ends with more packets in the queue. Not negative.
    pub gamma: f64,
    /// Share of the window that is kept after a loss found by ACKs, between 0 and 1. After a
    /// timeout ssthresh is half.
    pub after_loss: f64,
    /// The events that make the window grow.
    pub counting: Counting,
}

impl Default for Config {
    fn default() -> Self {
        Config {
            alpha: 2.0,
            beta: 4.0,
            gamma: 1.0,
            after_loss: 0.75,
            counting: Counting::default(),
        }
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(self.alpha >= 0.0 && self.alpha.is_finite()) {
            return Err("alpha must be a number of packets, not negative");
        }
        if !(self.beta >= self.alpha && self.beta.is_finite()) {
            return Err("beta must be a number of packets, at least alpha");
        }
        if !(self.gamma >= 0.0 && self.gamma.is_finite()) {
            return Err("gamma must be a number of packets, not negative");
        }
        if !(self.after_loss > 0.0 && self.after_loss < 1.0) {
            return Err("after-loss must be greater than 0 and less than 1");
        }
        Ok(())
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(Vegas::new(self, start))
    }
}

/// The round trip in progress.
#[derive(Clone, Copy, Debug, Default)]
struct Round {
    /// It ends with the ACK of this transmission or a later one.
    until: u64,
    /// RTT samples so far, summed up in seconds, and their number.
    sum: f64,
    samples: u32,
}

/// A window that follows the number of its packets in the queue.
#[derive(Clone, Debug)]
pub struct Vegas {
    config: Config,
    window: Window,
    base_rtt: Span,
    round: Round,
    next_tx: u64,
    /// True if the window grows in this round trip: it doubles below ssthresh, and gains a packet
    /// above it.
    grows: bool,
}

impl Vegas {
    /// A window at the start of a connection. Unusable parameters count as the defaults.
    pub fn new(config: &Config, start: &Start) -> Self {
        let config = if config.check().is_ok() { config.clone() } else { Config::default() };
        Vegas {
            config,
            window: Window::new(start),
            base_rtt: Span::MAX,
            round: Round::default(),
            next_tx: 0,
            grows: false,
        }
    }

    /// diff: its own packets in the queue, estimated over the round trip; `None` without a sample.
    fn queued(&self) -> Option<f64> {
        let base = self.base_rtt.secs();
        if self.round.samples == 0 || self.round.sum <= 0.0 {
            return None;
        }
        let rtt = self.round.sum / f64::from(self.round.samples);
        Some(self.window.cwnd * (1.0 - base / rtt).max(0.0))
    }

    /// Evaluates a finished round trip, and decides on the next one's growth.
    fn judge(&mut self) {
        let Some(queued) = self.queued() else {
            return;
        };
        let window = &mut self.window;
        if window.cwnd < window.ssthresh {
            let held = !self.grows;
            if held && queued > self.config.gamma {
                window.cwnd = (window.cwnd * AFTER_SLOW_START).max(MIN_WINDOW.min(window.cwnd));
                window.set_ssthresh(window.cwnd);
                self.grows = false;
            } else {
                self.grows = held;
            }
        } else {
            self.grows = queued < self.config.alpha;
            if queued > self.config.beta {
                // It is at least ssthresh here, which is at least this.
                window.cwnd = (window.cwnd - 1.0).max(MIN_WINDOW);
                // Otherwise the next round trip would be one of slow start.
                window.set_ssthresh(window.ssthresh.min(window.cwnd));
            }
        }
    }

    fn begin_round(&mut self) {
        self.round = Round { until: self.next_tx, ..Round::default() };
    }
}

impl WindowController for Vegas {
    fn on_sent(&mut self, sent: &Sent) {
        self.next_tx = sent.tx.saturating_add(1);
    }

    fn on_ack(&mut self, ack: &Ack) {
        if let Some(rtt) = ack.rtt {
            self.base_rtt = self.base_rtt.min(rtt);
        }
        if ack.in_recovery {
            self.begin_round();
            return;
        }
        if let Some(rtt) = ack.rtt {
            self.round.sum += rtt.secs();
            self.round.samples = self.round.samples.saturating_add(1);
        }
        if ack.newest.is_some_and(|(tx, _)| tx >= self.round.until) {
            self.judge();
            self.begin_round();
        }
        if self.grows {
            self.window.grow(ack, self.config.counting, Aimd::TCP.alpha);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.window.reduce(self.config.after_loss, Halving::Window, loss);
            self.grows = false;
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.window.collapse(Aimd::TCP.beta, Halving::Window, timeout);
        self.grows = false;
        self.begin_round();
    }

    fn on_recovered(&mut self, _now: Time) {
        self.begin_round();
    }

    fn window(&self) -> f64 {
        self.window.cwnd
    }

    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.config.counting.limit()
    }
}
