//! CUBIC, the congestion control of most of today's traffic.
//!
//! Source: RFC 9438, with the slow start of RFC 9406 (HyStart++). docs/protocols/modern.md lists
//! each rule with its section, and what differs. Left open by the sources, and chosen:
//!
//! - the reduction is a share of cwnd, not of the data in flight (RFC 9438, sec. 4.6, allows both):
//!   a window here grows only while it limits the sender;
//! - packets are paced, at twice the window per SRTT in slow start and 1.25 times it afterwards
//!   (RFC 9002, sec. 7.7);
//! - a mark leaves the share that a loss leaves; [`Config::ecn_beta`] has RFC 8511's.

mod config;
mod curve;
mod hystart;

pub use config::Config;

use core::num::NonZeroU32;

use self::curve::Stage;
use self::hystart::HyStart;
use super::pace::Pace;
use super::{Ack, Detection, Loss, Marked, Sent, Start, Timeout, WindowController};
use crate::time::{Span, Time};
use crate::units::Rate;

/// Limit on the window in packets, which only keeps an endless run without loss finite.
const MAX_WINDOW: f64 = 1e12;
/// The least window after a loss, and the least ssthresh, in packets (RFC 9438, sec. 4.6).
const AFTER_LOSS: f64 = 2.0;
/// The least window after a mark, and the window after a timeout.
const LEAST: f64 = 1.0;
/// Shares of the window that leave in a round trip, in slow start and after it.
const PACING: [f64; 2] = [2.0, 1.25];
/// L: packets of an ACK that count in slow start without pacing (RFC 9406, sec. 4.3).
const MOST_GROWTH: NonZeroU32 = NonZeroU32::MIN.saturating_add(7);

/// A window that grows with the cube of the time since its last reduction.
#[derive(Clone, Debug)]
pub struct Cubic {
    config: Config,
    packet_bytes: u32,
    cwnd: f64,
    ssthresh: f64,
    /// `W_max`: the window to return to, if the last stage ended by congestion.
    top: Option<f64>,
    /// `cwnd_prior`.
    prior: f64,
    /// Congestion avoidance, from its first growth on.
    stage: Option<Stage>,
    /// The first slow start.
    hystart: Option<HyStart>,
    pace: Pace,
    srtt: Span,
    /// Time up to which a stage has counted.
    counted: Time,
    next_tx: u64,
}

impl Cubic {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        // `max` turns NaN into the bound.
        let cwnd = LEAST.max(start.initial_window).min(MAX_WINDOW);
        let ssthresh = AFTER_LOSS.max(start.ssthresh);
        Cubic {
            config: config.usable(),
            packet_bytes: start.packet_bytes,
            cwnd,
            ssthresh,
            top: None,
            prior: cwnd,
            stage: None,
            hystart: (config.hystart && ssthresh.is_infinite()).then(HyStart::new),
            pace: Pace::new(Span::ZERO),
            srtt: start.rtt.unwrap_or(Span::ZERO),
            counted: Time::ZERO,
            next_tx: 0,
        }
    }

    /// Congestion: `beta` of the window is left, but at least `least` packets (RFC 9438, sec. 4.6).
    fn reduce(&mut self, beta: f64, least: f64) {
        // The maximum of the stage before this reduction.
        let last_top = self.stage.map(|stage| stage.top()).or(self.top);
        let below = last_top.is_some_and(|top| self.cwnd < top);
        // Sec. 4.7: others have come, and get more room.
        let release = if below && self.config.fast_convergence { 0.5 * (1.0 + beta) } else { 1.0 };
        self.top = Some(release * self.cwnd);
        self.prior = self.cwnd;
        self.stage = None;
        self.hystart = None;
        self.ssthresh = (beta * self.cwnd).max(AFTER_LOSS);
        self.cwnd = (beta * self.cwnd).max(least).min(self.cwnd);
    }

    fn grow(&mut self, ack: &Ack) {
        let packets = f64::from(ack.delivered.min(ack.cumulative));
        if self.cwnd < self.ssthresh {
            self.grow_starting(ack, packets);
            return;
        }
        if packets <= 0.0 {
            return;
        }
        let Config { c, beta, .. } = self.config;
        let (cwnd, prior, top) = (self.cwnd, self.prior, self.top);
        let stage = self.stage.get_or_insert_with(|| match top {
            Some(top) => Stage::towards(ack.now, cwnd, top.max(cwnd), prior, c),
            None => Stage::beyond(ack.now, cwnd),
        });
        self.cwnd = stage.grow(ack.now, cwnd, packets, self.srtt.secs(), (c, beta)).min(MAX_WINDOW);
    }

    fn grow_starting(&mut self, ack: &Ack, packets: f64) {
        let counted =
            if self.config.pacing { packets } else { packets.min(MOST_GROWTH.get().into()) };
        let share = self.hystart.map_or(1.0, |hystart| hystart.growth());
        self.cwnd = (self.cwnd + share * counted).min(self.ssthresh.min(MAX_WINDOW));
        if let Some(hystart) = &mut self.hystart
            && let Some((newest, _)) = ack.newest
            && hystart.on_ack(newest, self.next_tx, ack.rtt)
        {
            self.ssthresh = self.cwnd.max(AFTER_LOSS);
            self.hystart = None;
        }
    }

    /// The time since the last ACK does not count in the stage: the window was not used.
    fn exclude(&mut self, now: Time) {
        if let Some(stage) = &mut self.stage {
            stage.exclude(now.since(self.counted));
        }
        self.counted = now;
    }

    /// In packets per second; `None` before the first round-trip time is known.
    fn send_rate(&self) -> Option<f64> {
        let srtt = self.srtt.secs();
        let gain = PACING[usize::from(self.cwnd >= self.ssthresh)];
        (self.config.pacing && srtt > 0.0).then(|| gain * self.cwnd / srtt)
    }
}

impl WindowController for Cubic {
    fn on_sent(&mut self, sent: &Sent) {
        self.next_tx = sent.tx.saturating_add(1);
        if sent.in_flight <= 1 {
            self.exclude(sent.now);
        }
        self.pace.on_sent(sent.now, self.send_rate());
    }

    fn on_ack(&mut self, ack: &Ack) {
        if let Some(rtt) = ack.rtt {
            self.srtt = if ack.srtt.is_zero() { rtt } else { ack.srtt };
        }
        if ack.in_recovery {
            self.counted = ack.now;
        } else if ack.window_limited {
            self.grow(ack);
            self.counted = ack.now;
        } else {
            self.exclude(ack.now);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.reduce(self.config.beta, AFTER_LOSS);
        }
    }

    fn on_marked(&mut self, marked: &Marked) {
        if marked.new_episode {
            self.reduce(self.config.ecn_beta, LEAST);
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        // The same segment is lost again at those that follow (RFC 5681, sec. 3.1).
        if timeout.consecutive <= 1 {
            self.ssthresh = (self.config.beta * self.cwnd).max(AFTER_LOSS);
        }
        self.cwnd = LEAST;
        // RFC 9438, sec. 4.8: the next stage starts at its own beginning.
        self.top = None;
        self.stage = None;
        self.hystart = None;
    }

    fn window(&self) -> f64 {
        self.cwnd
    }

    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    fn release_at(&self) -> Option<Time> {
        self.config.pacing.then(|| self.pace.next())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        let bytes = f64::from(self.packet_bytes);
        self.send_rate().map(|rate| Rate::from_bytes_per_sec(rate * bytes))
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        (!self.config.pacing).then_some(MOST_GROWTH)
    }
}
