//! LDA+, the enhanced loss-delay based adaptation of RTP senders (reconstructed).
//!
//! Source: Sisalem and Wolisz, "LDA+ TCP-friendly adaptation: a measurement and comparison study"
//! (NOSSDAV 2000) and "LDA+: a TCP-friendly adaptation scheme for multimedia communication" (ICME
//! 2000). Neither paper was available. Surveys agree on this: the sender decides at each RTCP
//! report. Without loss it adds the least of three increases; a loss l multiplies the rate by `1 -
//! sqrt(l)`, but never takes it below that of the TCP model.
//!
//! With r the rate, R the bottleneck's, M a packet, tau the round-trip time and T the time since
//! the last report:
//! - `A_add = (2 - r/R) A_add'`: flows with a small share grow faster; at most twice the last one.
//! - `A_exp = (1 - exp(-(1 - r/R))) r`: no growth at the bottleneck's rate.
//! - `A_tcp = M (T/tau + 1) / (2 tau)`: what a TCP gains over the report's interval, on average
//!   over it.
//! - Loss: `r = max(r (1 - sqrt(l)), r_tcp)`, r_tcp after Padhye et al. (1998) with T_0 = 4 tau.
//!
//! Assumed (docs/protocols/rates.md):
//! - The three forms above, from descriptions of the papers; `A_add` begins at 10 kb/s, and again
//!   after a loss.
//! - l is the report's `fraction_lost` since the one before, or the share lost since the last
//!   report that came if that is more. Where each packet is acknowledged the controller counts
//!   itself, over [`Config::interval`].
//! - A rate below r_tcp, which the `max` would raise to it at once, grows as without a loss, to
//!   r_tcp at most. The packets of one interval say too little about l for such a leap;
//!   [`BelowModel`] has the other readings.
//! - R: packet pairs, as in the papers. Each 16th data packet leaves right behind the one before
//!   it, and the next waits for two packets' time. The receiver reports the largest rate that a
//!   pair's spacing shows ([`Report`](super::Report)'s `pair_rate`); the largest of eight reports
//!   counts, and never less than what arrived over the last interval. If nothing is known it is the
//!   target. [`Config::bottleneck`] replaces all of this.
//! - A rate above R neither grows nor falls because of it.
//! - tau is the smoothed RTT, queueing included.
//! - The start, silences and handoffs: one packet per RTT; halved after three intervals without a
//!   report (of ACKs: after 4 SRTT or 4 packets), and again after twice the time, down to a packet
//!   per second; a handoff forgets R.

mod pairs;

pub use self::pairs::Receiver;
use self::pairs::{Estimates, Spacing, is_second};
use super::{
    Aimd, BuildRateController, Feedback, FeedbackMode, Handoff, RateController, RateStart,
    ReportingReceiver, Sent, Silence,
};
use crate::model::{TcpModel, TimeoutTerm};
use crate::time::{Span, Time};
use crate::units::Probability;

/// Longest wait for feedback.
const LONGEST_SILENCE: Span = Span::from_secs(64);
/// Wait for the first feedback.
const FIRST_SILENCE: Span = Span::from_secs(2);
/// Intervals without a report that count as silence.
const INTERVALS: u64 = 3;
/// Packets per second that silence leaves, and with which a flow begins.
const LEAST_OF_SILENCE: f64 = 1.0;
/// TCP's own AIMD parameters.
const TCP: Aimd = Aimd { alpha: 1.0, beta: 0.5 };
/// r_tcp: one ACK a packet, and a probability in the timeout term.
const MODEL: TcpModel = TcpModel { b: 1.0, timeouts: TimeoutTerm::Bounded };

/// The effect of a loss on a rate that is below the TCP model's.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum BelowModel {
    /// It grows as without a loss, to the model's rate at most: a TCP would grow there too.
    #[default]
    Grows,
    /// It is set to the model's rate, as the formula says.
    Leaps,
    /// It does not change.
    Stays,
}

/// Parameters of [`Lda`], where the papers leave a choice.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Seconds between two reports, or between two decisions if each packet is acknowledged; from
    /// 0.01 to 60.
    pub interval: f64,
    /// The first `A_add` after the start and after a loss, in packets per second; positive.
    pub increment: f64,
    /// The effect of a loss on a rate that is below the TCP model's.
    pub below_model: BelowModel,
    /// The bottleneck's rate in packets per second, if it is known; it replaces the packet pairs.
    pub bottleneck: Option<f64>,
    /// Rate at the start in packets per second, greater than zero; `None`: one packet per RTT.
    pub initial: Option<f64>,
}

impl Default for Config {
    /// RTCP's least interval (RFC 3550, sec. 6.2), and 10 kb/s in packets of 1000 bytes.
    fn default() -> Self {
        Config {
            interval: 5.0,
            increment: 1.25,
            below_model: BelowModel::Grows,
            bottleneck: None,
            initial: None,
        }
    }
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !(0.01..=60.0).contains(&self.interval) {
            return Err("interval must be a time in seconds from 0.01 to 60");
        }
        if !positive(self.increment) {
            return Err("increment must be a rate in packets per second greater than zero");
        }
        if !self.bottleneck.is_none_or(positive) {
            return Err("bottleneck must be a rate in packets per second greater than zero");
        }
        if !self.initial.is_none_or(positive) {
            return Err("initial must be a rate in packets per second greater than zero");
        }
        Ok(())
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Lda::new(self, start))
    }

    fn feedback(&self) -> FeedbackMode {
        FeedbackMode::Reports { every: Span::from_secs_f64(self.interval) }
    }

    fn build_receiver(&self, mode: FeedbackMode) -> Option<Box<dyn ReportingReceiver>> {
        let every = match mode {
            FeedbackMode::Acks => return None,
            FeedbackMode::Reports { every } => every,
            FeedbackMode::Own => Span::from_secs_f64(self.interval),
        };
        Some(Box::new(Receiver::new(every)))
    }
}

/// `A_exp`: converges to 0 as the share of the bottleneck converges to 1.
fn exponential(rate: f64, share: f64) -> f64 {
    (1.0 - libm::exp(share - 1.0)) * rate
}

/// `A_tcp`: the mean gain over `interval` of a TCP that adds a packet per RTT.
fn of_tcp(interval: Span, rtt: Span) -> f64 {
    (interval.secs() / rtt.secs() + 1.0) / (2.0 * rtt.secs())
}

/// Counts of the feedback since the last decision.
#[derive(Clone, Copy, Debug)]
struct Interval {
    began: Time,
    delivered: u64,
    lost: u64,
    /// The rate limited the sender throughout.
    used: bool,
}

impl Interval {
    fn new(began: Time) -> Self {
        Interval { began, delivered: 0, lost: 0, used: true }
    }

    fn loss(&self) -> Probability {
        Probability::share(self.lost, self.lost.saturating_add(self.delivered))
    }

    /// The loss at a report that covers only its own interval. The previous report may have been
    /// lost: the ledger counts by totals, which reach back to the last report that arrived. The
    /// larger loss counts.
    fn reported(&self, fraction_lost: f64) -> Probability {
        Probability::clamped(self.loss().get().max(fraction_lost))
    }
}

/// A rate under LDA+.
#[derive(Clone, Debug)]
pub struct Lda {
    config: Config,
    start: RateStart,
    every: Span,
    rate: f64,
    /// The rate at the start was configured.
    started: bool,
    /// `A_add` of the next growth.
    add: f64,
    /// Spacing of the ACKs of pairs, where each packet is acknowledged.
    spacing: Spacing,
    /// R by packet pairs, in packets per second.
    pairs: Estimates,
    /// The last data packet sent.
    last: Option<u64>,
    /// Feedback since the last decision; `None` before the first.
    interval: Option<Interval>,
    srtt: Span,
    silence: Silence,
    decreases: u64,
}

impl Lda {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let initial = start.first(config.initial);
        Lda {
            config: *config,
            start: *start,
            every: Span::from_secs_f64(config.interval),
            rate: initial.unwrap_or(start.bounded(LEAST_OF_SILENCE)),
            started: initial.is_some(),
            add: config.increment,
            spacing: Spacing::default(),
            pairs: Estimates::default(),
            last: None,
            interval: None,
            srtt: Span::ZERO,
            silence: Silence::new(FIRST_SILENCE, LONGEST_SILENCE),
            decreases: 0,
        }
    }

    /// The time of a packet at the rate, 1/r.
    fn one_packet(&self) -> Span {
        Span::from_secs_f64(1.0 / self.rate)
    }

    /// R, in packets per second, after an interval with `arrived` of them per second.
    fn bottleneck(&self, arrived: f64) -> f64 {
        let most = self.start.bounds().1;
        let known = self.config.bottleneck;
        let measured = || self.pairs.largest().map(|pairs| pairs.max(arrived));
        known.or_else(measured).unwrap_or(most).min(most)
    }

    /// The rate after an interval without loss, with `arrived` packets per second.
    fn grown(&mut self, interval: Span, arrived: f64) -> f64 {
        let bottleneck = self.bottleneck(arrived);
        // A rate above the bottleneck's shows that R is too low: no reason to fall.
        let share = (self.rate / bottleneck).min(1.0);
        let increase = self.add.min(exponential(self.rate, share)).min(of_tcp(interval, self.srtt));
        self.add = ((2.0 - share) * self.add).min(bottleneck);
        self.rate + increase
    }

    /// r_tcp; `None` before the first RTT.
    fn of_model(&self, loss: Probability) -> Option<f64> {
        MODEL.throughput(TCP, loss, self.srtt, self.srtt * 4).filter(|_| !self.srtt.is_zero())
    }

    fn decide(&mut self, now: Time, over: Interval, loss: Probability, pair_rate: Option<f64>) {
        let passed = now.since(over.began);
        let arrived = over.delivered as f64 / passed.secs();
        self.pairs.push(pair_rate.map(|bytes| bytes / f64::from(self.start.packet_bytes.max(1))));
        let grows = over.used && over.delivered > 0 && !self.srtt.is_zero() && !passed.is_zero();
        // A very late report shows a path that stood still, not one with free capacity.
        let interval = passed.min(self.every * 2);
        let next = if loss > Probability::ZERO {
            let model = self.of_model(loss).unwrap_or(0.0);
            let below = model >= self.rate;
            match self.config.below_model {
                BelowModel::Grows if below && grows => self.grown(interval, arrived).min(model),
                BelowModel::Grows | BelowModel::Stays if below => self.rate,
                _ => {
                    self.decreases += u64::from(!below);
                    self.add = self.config.increment;
                    model.max(self.rate * (1.0 - loss.get().sqrt()))
                }
            }
        } else if grows {
            self.grown(interval, arrived)
        } else {
            self.rate
        };
        self.rate = self.start.bounded(next);
    }
}

impl RateController for Lda {
    fn on_sent(&mut self, sent: &Sent) {
        self.silence.on_sent(sent.now);
        self.last = Some(sent.seq);
    }

    fn gap(&self) -> Span {
        let gap = self.one_packet();
        match self.last {
            Some(last) if is_second(last.saturating_add(1)) => Span::ZERO,
            Some(last) if is_second(last) => gap * 2,
            _ => gap,
        }
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        self.srtt = feedback.srtt;
        let slow = self.srtt.max(self.one_packet()) * 4;
        let wait = match feedback.report {
            Some(_) => slow.max(self.every * INTERVALS),
            None if self.srtt.is_zero() => Span::ZERO,
            None => slow,
        };
        self.silence.on_feedback(now, wait, feedback.in_flight > 0);
        if feedback.report.is_none()
            && let Some((seq, sent_at)) = feedback.newest
        {
            self.spacing.on_packet(now, seq, sent_at, self.start.packet_bytes);
        }
        let Some(interval) = &mut self.interval else {
            // The first report follows the first packet at once and gives the first RTT.
            self.interval = Some(Interval::new(now));
            if !self.started && !self.srtt.is_zero() {
                self.rate = self.start.bounded(self.rate.max(1.0 / self.srtt.secs()));
            }
            return;
        };
        interval.delivered += u64::from(feedback.delivered);
        interval.lost += feedback.losses.len() as u64;
        interval.used &= feedback.rate_limited;
        let over = *interval;
        let (loss, pair_rate) = match feedback.report {
            Some(report) => (over.reported(report.fraction_lost), report.pair_rate),
            None if now.since(over.began) < self.every => return,
            None => (over.loss(), self.spacing.take()),
        };
        self.interval = Some(Interval::new(now));
        self.decide(now, over, loss, pair_rate);
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        self.pairs = Estimates::default();
        self.spacing = Spacing::default();
        self.add = self.config.increment;
        if let Some(interval) = &mut self.interval {
            *interval = Interval::new(handoff.now);
        }
    }

    fn next_timeout(&self) -> Option<Time> {
        self.silence.next_timeout()
    }

    fn on_tick(&mut self, now: Time) {
        if self.silence.expired(now, self.one_packet()) {
            self.rate = self.start.bounded((self.rate / 2.0).max(LEAST_OF_SILENCE.min(self.rate)));
            self.add = self.config.increment;
            self.decreases += 1;
        }
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn decreases(&self) -> u64 {
        self.decreases
    }
}

#[cfg(test)]
mod tests;
