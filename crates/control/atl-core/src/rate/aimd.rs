//! AIMD of a rate with fixed parameters: the sender that the ATL paper's appendix models.
//!
//! Source: ATL paper, sec. III-C and appendix: `S = S + alpha` at each RTT, `S = beta S` at a loss.
//!
//! Left open by the source, and chosen (docs/protocols/rates.md):
//! - One back-off per loss event: losses of packets sent before it belong to the same event
//!   ([`Clusters`]).
//! - The rate grows at the end of an SRTT in which feedback came and the rate limited the sender. A
//!   back-off begins a new SRTT: the k of eq. 21 counts round-trip times from there.
//! - [`Growth::Continuous`] is the sender that the appendix's equations describe literally.
//! - The start: a packet per second until the first RTT is known, then one per RTT, or the
//!   configured rate.
//! - Without feedback for the longer of 4 SRTT and 4 packets (2 s before the first) the rate is cut
//!   as for a loss, and again after twice the time. If the receiver reports, three reports must be
//!   missing (2 s before the second).

use super::{
    Aimd, BuildRateController, Clusters, Feedback, Handoff, RateController, RateStart, Sent,
    Silence,
};
use crate::time::{Span, Time};

/// Longest wait for feedback.
const LONGEST_SILENCE: Span = Span::from_secs(64);
/// Wait for feedback before the first RTT is known.
const FIRST_SILENCE: Span = Span::from_secs(2);
/// Missing reports that count as silence.
const MISSED_REPORTS: u64 = 3;
/// Rate before the first RTT is known, in packets per second.
pub(super) const FIRST_RATE: f64 = 1.0;

/// The time at which a rate grows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Growth {
    /// By alpha at the end of each round-trip time.
    #[default]
    PerRound,
    /// Continuously, alpha per round-trip time, such that the rate is `beta S + k alpha` on average
    /// over the k-th one after a back-off. Only for this sender do eq. 24 and 26 of the appendix
    /// hold together, wherever in a round-trip time a packet is lost
    /// ([`Reading::Appendix`](crate::model::Reading)).
    Continuous,
}

/// Parameters of [`RateAimd`]; the defaults are TCP's.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Packets per round-trip time that the rate gains per round-trip time; greater than zero.
    pub packets: f64,
    /// The gain in packets per second, whatever the round-trip time is; it replaces `packets`.
    pub alpha: Option<f64>,
    /// Share of the rate that is kept after a loss event, between 0 and 1.
    pub beta: f64,
    /// Rate at the start in packets per second, greater than zero; `None`: one packet per RTT.
    pub initial: Option<f64>,
    /// The time at which the rate grows.
    pub growth: Growth,
}

impl Default for Config {
    /// TCP's parameters, (1, 0.5).
    fn default() -> Self {
        Config { packets: 1.0, alpha: None, beta: 0.5, initial: None, growth: Growth::PerRound }
    }
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        if !positive(self.packets) {
            return Err("packets must be a number of packets greater than zero");
        }
        if !self.alpha.is_none_or(positive) {
            return Err("alpha must be a rate in packets per second greater than zero");
        }
        if !(self.beta > 0.0 && self.beta < 1.0) {
            return Err("beta must be greater than 0 and less than 1");
        }
        if !self.initial.is_none_or(positive) {
            return Err("initial must be a rate in packets per second greater than zero");
        }
        Ok(())
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(RateAimd::new(self, start))
    }

    fn fixed_aimd(&self, rtt: Span) -> Option<Aimd> {
        Some(self.aimd(rtt))
    }
}

impl Config {
    /// The AIMD parameters of a flow with this round-trip time; alpha in packets per second per
    /// round-trip time.
    pub fn aimd(&self, rtt: Span) -> Aimd {
        Aimd { alpha: self.alpha.unwrap_or(self.packets / rtt.secs()), beta: self.beta }
    }
}

/// The moves of an additively growing rate, which RCP-ATL and RAP share with [`RateAimd`].
#[derive(Clone, Debug)]
pub(super) struct Additive {
    rate: f64,
    /// Time between two packets at this rate: it is asked for several times a packet, and the rate
    /// changes once a round.
    gap: Span,
    bounds: (f64, f64),
    clusters: Clusters,
    silence: Silence,
    /// Time of the last report, and the smoothed time between two reports; zero before the second.
    reported: Option<Time>,
    interval: Span,
    /// End of the current round; `None` before the first RTT.
    round_ends: Option<Time>,
    /// The rate limited the sender in the current round, and feedback arrived.
    used: bool,
    /// The rate was cut in the current round.
    cut: bool,
    decreases: u64,
}

impl Additive {
    pub(super) fn new(initial: f64, start: &RateStart) -> Self {
        let rate = start.bounded(initial);
        Additive {
            rate,
            gap: Span::from_secs_f64(1.0 / rate),
            bounds: start.bounds(),
            clusters: Clusters::new(),
            silence: Silence::new(FIRST_SILENCE, LONGEST_SILENCE),
            reported: None,
            interval: Span::ZERO,
            round_ends: None,
            used: false,
            cut: false,
            decreases: 0,
        }
    }

    pub(super) fn rate(&self) -> f64 {
        self.rate
    }

    pub(super) fn gap(&self) -> Span {
        self.gap
    }

    pub(super) fn decreases(&self) -> u64 {
        self.decreases
    }

    pub(super) fn set(&mut self, rate: f64) {
        // `max` turns NaN into the least.
        self.rate = rate.max(self.bounds.0).min(self.bounds.1);
        self.gap = Span::from_secs_f64(1.0 / self.rate);
    }

    pub(super) fn on_sent(&mut self, sent: &Sent) {
        self.silence.on_sent(sent.now);
    }

    /// Takes in feedback; returns the loss events that it shows, each of which the caller answers
    /// with [`cut`](Self::cut).
    pub(super) fn on_feedback(&mut self, feedback: &Feedback<'_>) -> u32 {
        let now = feedback.now;
        let mut wait =
            if feedback.srtt.is_zero() { Span::ZERO } else { feedback.srtt.max(self.gap) * 4 };
        if feedback.report.is_some() {
            wait = wait.max(self.report_wait(now));
        }
        self.silence.on_feedback(now, wait, feedback.in_flight > 0);
        self.used |= feedback.rate_limited && feedback.delivered > 0;
        if self.round_ends.is_none() && !feedback.srtt.is_zero() {
            self.round_ends = Some(now.saturating_add(feedback.srtt));
        }
        let begins = |lost: &&super::Lost| self.clusters.begins(now, lost);
        feedback.losses.iter().filter(begins).count() as u32
    }

    /// Notes a report, and returns the time that the next ones may take.
    fn report_wait(&mut self, now: Time) -> Span {
        if let Some(before) = self.reported.replace(now) {
            let gap = now.since(before).min(LONGEST_SILENCE);
            // A report after a silence says little about the interval between reports.
            self.interval = match self.interval {
                Span::ZERO => gap,
                old => Span::from_nanos(old.nanos() - old.nanos() / 4) + gap.min(old * 4) / 4,
            };
        }
        if self.interval.is_zero() { FIRST_SILENCE } else { self.interval * MISSED_REPORTS }
    }

    /// Smoothed time between two reports; zero where each packet is acknowledged.
    pub(super) fn report_interval(&self) -> Span {
        self.interval
    }

    /// Reduces the rate to this share.
    pub(super) fn cut(&mut self, beta: f64) {
        self.cut = true;
        self.decreases += 1;
        self.set(beta * self.rate);
    }

    /// True once for each expiry of the silence timer; packets in flight then count as answered.
    pub(super) fn fell_silent(&mut self, now: Time) -> bool {
        let silent = self.silence.expired(now, self.gap);
        if silent {
            self.clusters.answer(now);
        }
        silent
    }

    /// True at the end of a round in which the rate may grow.
    pub(super) fn round_passed(&mut self, now: Time, rtt: Span) -> bool {
        if self.round_ends.is_none_or(|end| now < end) {
            return false;
        }
        self.round_ends = Some(now.saturating_add(rtt.max(Span::from_micros(1))));
        let grows = self.used && !self.cut;
        (self.used, self.cut) = (false, false);
        grows
    }

    /// Starts a new round: the round-trip time has changed.
    pub(super) fn restart_round(&mut self, now: Time, rtt: Span) {
        if self.round_ends.is_some() {
            self.round_ends = Some(now.saturating_add(rtt.max(Span::from_micros(1))));
        }
    }

    /// Starts a new round, and forgets the events of the previous one.
    fn renew_round(&mut self, now: Time, rtt: Span) {
        self.restart_round(now, rtt);
        (self.used, self.cut) = (false, false);
    }

    pub(super) fn next_timeout(&self) -> Option<Time> {
        // Asked more than once a packet: an iterator over the two costs forty instructions more.
        match (self.round_ends, self.silence.next_timeout()) {
            (Some(round), Some(silence)) => Some(round.min(silence)),
            (round, silence) => round.or(silence),
        }
    }
}

/// A rate under fixed AIMD parameters.
#[derive(Clone, Debug)]
pub struct RateAimd {
    config: Config,
    rate: Additive,
    srtt: Span,
    started: bool,
    /// Time up to which a continuously growing rate has grown, and that up to which it may grow.
    grown: (Time, Time),
}

impl RateAimd {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let initial = start.first(config.initial);
        RateAimd {
            config: *config,
            rate: Additive::new(initial.unwrap_or(FIRST_RATE), start),
            srtt: Span::ZERO,
            started: initial.is_some(),
            grown: (Time::ZERO, Time::ZERO),
        }
    }

    fn alpha(&self) -> f64 {
        self.config.aimd(self.srtt).alpha
    }

    /// Growth up to now, but not for longer than a round-trip time after the last feedback.
    fn grow(&mut self, now: Time) {
        let (from, until) = self.grown;
        let to = now.min(until);
        if self.config.growth == Growth::Continuous && to > from && !self.srtt.is_zero() {
            let rounds = to.since(from).secs() / self.srtt.secs();
            self.rate.set(self.rate.rate() + rounds * self.alpha());
        }
        self.grown.0 = now;
    }

    /// Backs off, and counts round-trip times anew.
    fn back_off(&mut self, now: Time) {
        let beta = self.config.beta;
        self.rate.cut(beta);
        if self.config.growth == Growth::Continuous && !self.srtt.is_zero() {
            // In the middle of a round-trip time the rate has the value that the ATL paper's eq. 21
            // gives for all of it: it is half an alpha below S, and begins half an alpha below beta
            // S.
            self.rate.set(self.rate.rate() - 0.5 * (1.0 - beta) * self.alpha());
        }
        self.rate.renew_round(now, self.srtt);
    }
}

impl RateController for RateAimd {
    fn on_sent(&mut self, sent: &Sent) {
        self.grow(sent.now);
        self.rate.on_sent(sent);
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        self.grow(now);
        self.srtt = feedback.srtt;
        if feedback.rate_limited && feedback.delivered > 0 {
            self.grown.1 = now.saturating_add(self.srtt);
        }
        if !self.started && !self.srtt.is_zero() {
            self.started = true;
            self.rate.set(self.rate.rate().max(1.0 / self.srtt.secs()));
        }
        for _ in 0..self.rate.on_feedback(feedback) {
            self.back_off(now);
        }
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        self.rate.restart_round(handoff.now, self.srtt);
    }

    fn next_timeout(&self) -> Option<Time> {
        self.rate.next_timeout()
    }

    fn on_tick(&mut self, now: Time) {
        self.grow(now);
        if self.rate.fell_silent(now) {
            self.back_off(now);
        }
        if self.rate.round_passed(now, self.srtt) && self.config.growth == Growth::PerRound {
            self.rate.set(self.rate.rate() + self.alpha());
        }
    }

    fn rate(&self) -> f64 {
        self.rate.rate()
    }

    fn gap(&self) -> Span {
        self.rate.gap()
    }

    fn aimd(&self) -> Option<Aimd> {
        (!self.srtt.is_zero()).then(|| self.config.aimd(self.srtt))
    }

    fn decreases(&self) -> u64 {
        self.rate.decreases()
    }
}
