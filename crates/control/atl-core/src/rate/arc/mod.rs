//! ARC: a rate that follows the throughput of a TCP whose packets only congestion loses.
//!
//! Source: Akan and Akyildiz, ARC (IEEE/ACM ToN 2004), sec. IV: Fig. 6, eq. 16, 21 (= 23) and 22.
//!
//! ```text
//! probe period (2 RTT):  a data packet, then probes at the target rate     -> S = max(1, acknowledged) / RTT
//! steady period:         at each loss event P(I1) and the RTT              -> S by eq. 21
//! ```
//!
//! Left open by the source, and chosen (docs/protocols/rates.md):
//! - How P(I1) is measured. Each lost packet gets a label (`labels.rs`); P(I1) is the weighted
//!   share of congestion intervals (`intervals.rs`) that was lost, instead of eq. 16 on two sliding
//!   windows "of tau": the same on average, never negative, and independent of a tau that the paper
//!   does not give.
//! - A loss event is the losses of packets that were sent within a round-trip time of its first
//!   one, wireless losses included: "at each loss event" the RTT is anew too.
//! - S is also evaluated after 10 RTT without a loss event: otherwise a path without losses would
//!   freeze the rate.
//! - The first congestion event: an interval at which eq. 21 gives the rate of that time. Before
//!   it, the packets since the start, at least an interval that gives S of eq. 22.
//! - S is at most the target, and does not grow while the application does not use it.
//! - Silence: without feedback for 4 RTT, 4 packets or 3 reports (2 s before the first) the rate is
//!   halved, and again after twice the time. The first feedback after it brings S back to eq. 21:
//!   the model says what the path can carry, and losses in a blackout of the wireless link were not
//!   congestion.
//! - A handoff of the sender's own changes the RTT by twice the difference of the delays, and S is
//!   evaluated.
//! - If the receiver's link is the wireless one, its share is a claim: S is at most
//!   [`claim_gain`](Config::claim_gain) times the S with all claimed losses taken for congestion;
//!   the factor shrinks to 1 where losses come at full queues (`path/evidence.rs`).

mod config;
mod intervals;
mod labels;
mod probing;
#[cfg(test)]
mod tests;

pub use super::Counting;
pub use config::Config;

use intervals::Intervals;
use labels::{Label, Labels};
use probing::{FIRST_WAIT, Probing};

use super::{
    BuildRateController, End, Feedback, Handoff, Lost, ProbeAck, RateController, RateStart, Sent,
    Silence,
};
use crate::model::{arc_loss, arc_throughput};
use crate::path::{Evidence, LinkReport};
use crate::time::{Span, Time};
use crate::units::Probability;

/// Longest wait for feedback.
const LONGEST_SILENCE: Span = Span::from_secs(64);
/// Time between reports until two have arrived: RTCP's least (RFC 3550, sec. 6.2).
const FIRST_INTERVAL: Span = Span::from_secs(5);
/// Packets per second during the probe period.
const FIRST_RATE: f64 = 1.0;
/// Least round-trip time for the ARC paper's eq. 21.
const LEAST_RTT: Span = Span::from_micros(1);

/// Congestion intervals, with the current event.
#[derive(Clone, Copy, Debug)]
struct History {
    intervals: Intervals,
    /// Packets sent before this belong to the current event.
    event_ends: Option<Time>,
}

/// True if a loss begins an event; packets sent within `rtt` of the first one belong to it (RFC
/// 5348, sec. 5.2).
fn begins(event_ends: &mut Option<Time>, lost: &Lost, rtt: Span) -> bool {
    let begins = event_ends.is_none_or(|end| lost.sent_at >= end);
    if begins {
        *event_ends = Some(lost.sent_at.saturating_add(rtt.max(LEAST_RTT)));
    }
    begins
}

impl History {
    fn new(counting: Counting) -> Self {
        History { intervals: Intervals::new(counting), event_ends: None }
    }

    /// Notes a lost packet; true if it begins a congestion event.
    fn on_lost(&mut self, lost: &Lost, congestion: bool, rtt: Span, rate: f64) -> bool {
        if !congestion {
            self.intervals.spare();
            return false;
        }
        let begins = begins(&mut self.event_ends, lost, rtt);
        if begins {
            let seed = if self.intervals.is_new() { packets_for(rate, rtt) } else { 0.0 };
            self.intervals.begin(lost.seq, seed);
        } else {
            self.intervals.lose();
        }
        begins
    }
}

/// Packets of the interval at which the ARC paper's eq. 21 gives this rate.
fn packets_for(rate: f64, rtt: Span) -> f64 {
    arc_loss(rate, rtt).map_or(1.0, |p| 1.0 / p.get())
}

/// A rate under ARC.
#[derive(Clone, Debug)]
pub struct Arc {
    config: Config,
    start: RateStart,
    rate: f64,
    /// The rate of the last evaluation: silence lowers only the paced rate.
    fair: f64,
    /// The probe period, until it is over.
    probing: Option<Probing>,
    srtt: Span,
    labels: Labels,
    /// Congestion by the labels.
    history: History,
    /// Congestion if all losses that a receiver claims were congestion.
    unclaimed: History,
    /// The queues at which losses came that the sender's own link did not mark.
    evidence: Evidence,
    /// Packets sent before this belong to a loss event at which S was evaluated.
    event_ends: Option<Time>,
    /// The time at which the rate is evaluated without a loss event.
    quiet_ends: Option<Time>,
    /// Since the last evaluation the rate limited the sender, and feedback arrived.
    used: bool,
    silence: Silence,
    /// Feedback has been missing, and the rate was lowered.
    silent: bool,
    reported: Option<Time>,
    report_interval: Span,
    decreases: u64,
}

impl Arc {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let (_, target) = start.bounds();
        let probe_rate = config.probe_rate.filter(|&rate| rate > 0.0).unwrap_or(target);
        let measured = start.first(None);
        let rate = measured.unwrap_or(start.bounded(FIRST_RATE));
        Arc {
            config: *config,
            start: *start,
            rate,
            fair: rate,
            // A path that was measured needs no probe period.
            probing: measured.is_none().then(|| Probing::new(probe_rate.min(target))),
            srtt: Span::ZERO,
            labels: Labels::new(config),
            history: History::new(config.count),
            unclaimed: History::new(config.count),
            evidence: Evidence::new(),
            event_ends: None,
            quiet_ends: None,
            used: false,
            silence: Silence::new(FIRST_WAIT, LONGEST_SILENCE),
            silent: false,
            reported: None,
            report_interval: FIRST_INTERVAL,
            decreases: 0,
        }
    }

    /// P(I1), as measured so far.
    pub fn congestion_loss(&self) -> Probability {
        Probability::clamped(self.history.intervals.loss())
    }

    /// ARC paper, eq. 21 with the present measurements, and with claims bounded: withdrawn claims
    /// too, as long as losses count that they explained.
    fn model(&self) -> Option<f64> {
        let rate = arc_throughput(self.congestion_loss(), self.srtt)?;
        let loss = Probability::clamped(self.unclaimed.intervals.loss());
        let without = arc_throughput(loss, self.srtt)?;
        // `max` turns NaN into 1.
        let gain = libm::pow(self.config.claim_gain.max(1.0), self.evidence.share());
        Some(rate.min(gain * without))
    }

    /// Sets the rate by the ARC paper's eq. 21.
    fn evaluate(&mut self, now: Time) {
        self.schedule(now);
        let Some(model) = self.model() else { return };
        let fair = self.start.bounded(model);
        if fair <= self.fair || self.used {
            self.fair = fair;
        }
        self.rate = self.fair;
        (self.used, self.silent) = (false, false);
    }

    /// Schedules the evaluation without a loss event.
    fn schedule(&mut self, now: Time) {
        let wait = Span::from_secs_f64(self.config.quiet_rtts * self.srtt.secs());
        self.quiet_ends = Some(now.saturating_add(wait.max(LEAST_RTT)));
    }

    /// Starts the steady period at this rate.
    fn begin_steady(&mut self, now: Time, rate: f64) {
        (self.probing, self.used) = (None, false);
        self.fair = self.start.bounded(rate);
        self.rate = self.fair;
        let packets = packets_for(self.fair, self.srtt);
        self.history.intervals.seed(packets);
        self.unclaimed.intervals.seed(packets);
        self.schedule(now);
    }

    /// Counts the losses. Returns whether a loss event began, and whether a congestion event began.
    fn count(&mut self, feedback: &Feedback<'_>) -> (bool, bool) {
        let (mut event, mut congestion) = (false, false);
        if let Some(rtt) = feedback.rtt {
            self.evidence.on_rtt(feedback.now, rtt, feedback.rtt_min);
        }
        let mut unexplained = false;
        for lost in feedback.losses {
            let label = self.labels.label(feedback.now, lost, self.srtt);
            event |= begins(&mut self.event_ends, lost, self.srtt);
            let by_congestion = label == Label::Congestion;
            congestion |= self.history.on_lost(lost, by_congestion, self.srtt, self.fair);
            let unclaimed = label != Label::Wireless;
            unexplained |= unclaimed;
            self.unclaimed.on_lost(lost, unclaimed, self.srtt, self.fair);
        }
        if unexplained {
            self.evidence.on_loss();
        }
        if let Some((newest, _)) = feedback.newest {
            self.history.intervals.reach(newest);
            self.unclaimed.intervals.reach(newest);
        }
        (event || congestion, congestion)
    }

    /// The longest time until the next feedback.
    fn patience(&mut self, feedback: &Feedback<'_>) -> Span {
        let gap = Span::from_secs_f64(1.0 / self.rate);
        let answers = feedback.srtt.max(gap) * 4;
        if feedback.report.is_none() {
            return answers;
        }
        if let Some(before) = self.reported.replace(feedback.now) {
            self.report_interval = feedback.now.since(before);
        }
        answers.max(self.report_interval * 3)
    }
}

impl RateController for Arc {
    fn on_sent(&mut self, sent: &Sent) {
        self.silence.on_sent(sent.now);
        if let Some(probing) = &mut self.probing {
            probing.on_sent(sent.now);
        }
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        if !feedback.srtt.is_zero() {
            self.srtt = feedback.srtt;
        }
        if let (Some(probing), Some(rtt)) = (&mut self.probing, feedback.rtt) {
            probing.on_rtt(now, rtt);
        }
        if !self.probing.as_ref().is_some_and(Probing::waits) {
            let wait = self.patience(feedback);
            self.silence.on_feedback(now, wait, feedback.in_flight > 0);
        }
        self.used |= feedback.rate_limited && feedback.delivered > 0;
        let (event, congestion) = self.count(feedback);
        if self.probing.is_some() || self.srtt.is_zero() {
            return;
        }
        if self.quiet_ends.is_none() {
            // The first RTT of a path that was measured.
            self.begin_steady(now, self.rate);
        }
        if event || self.silent {
            let before = self.fair;
            self.evaluate(now);
            self.decreases += u64::from(congestion && self.fair < before);
        }
    }

    fn on_link_report(&mut self, _now: Time, report: &LinkReport) {
        self.labels.on_link_report(report);
    }

    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        self.labels.on_peer_report(now, report);
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        if handoff.end != End::Own {
            return;
        }
        self.evidence.restart();
        if self.srtt.is_zero() {
            return;
        }
        let more = self.srtt.nanos().saturating_add((handoff.new_delay * 2).nanos());
        self.srtt = Span::from_nanos(more).saturating_sub(handoff.old_delay * 2).max(LEAST_RTT);
        if self.probing.is_none() && !self.silent {
            self.evaluate(handoff.now);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn poll_probe(&mut self, now: Time) -> bool {
        self.probing.as_mut().is_some_and(|probing| probing.poll(now))
    }

    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        let Some(probing) = &mut self.probing else { return };
        probing.on_rtt(ack.now, ack.rtt);
        probing.on_ack();
        if self.srtt.is_zero() {
            self.srtt = ack.rtt;
        }
    }

    fn next_timeout(&self) -> Option<Time> {
        let probing = self.probing.as_ref().and_then(Probing::next_timeout);
        [probing, self.quiet_ends, self.silence.next_timeout()].into_iter().flatten().min()
    }

    fn on_tick(&mut self, now: Time) {
        if let Some(probing) = &mut self.probing {
            probing.on_tick(now);
            if let Some(rate) = probing.result(now) {
                self.begin_steady(now, rate);
            }
        }
        if self.silence.expired(now, Span::from_secs_f64(1.0 / self.rate)) {
            match &mut self.probing {
                Some(probing) => probing.on_silence(),
                None => {
                    self.silent = true;
                    self.rate = self.start.bounded(0.5 * self.rate);
                    self.decreases += 1;
                }
            }
        }
        if self.quiet_ends.is_some_and(|end| now >= end) {
            if self.silent {
                self.schedule(now);
            } else {
                self.evaluate(now);
            }
        }
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn sends_data(&self) -> bool {
        self.probing.as_ref().is_none_or(Probing::sends_data)
    }

    fn decreases(&self) -> u64 {
        self.decreases
    }
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        Config::check(self)
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Arc::new(self, start))
    }
}
