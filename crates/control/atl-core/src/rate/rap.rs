//! RAP, the rate adaptation protocol: TCP's additive increase and multiplicative decrease, applied
//! to a rate.
//!
//! Source: Rejaie, Handley, Estrin, "RAP: An end-to-end rate-based congestion control mechanism for
//! realtime streams in the Internet", INFOCOM 1999. Its behaviour and numbers are those of the
//! authors' module in ns-2 (`rap/rap.cc` and its defaults). The paper's text was not available for
//! comparison:
//! - The rate begins at a packet per 2 s. The first ACK makes it one per SRTT.
//! - At the end of each SRTT: `S = S + alpha / SRTT`, unless too little was sent.
//! - A packet is lost when one three numbers above it has arrived (the [`Ledger`](super::Ledger)'s
//!   rule), or when its ACK is missing for `1.2 SRTT + 4 V`. SRTT and V, the mean deviation, have a
//!   gain of 1/2, with a sample from each ACK.
//! - At a loss: `S = beta S`. Everything in flight belongs to it, and the next increase comes an
//!   SRTT later.
//! - Fine grain, off by default: the rate is also multiplied by the ratio of a long-term to a
//!   short-term average of the RTT (gains 0.01 and 0.9), so that it gives way while a queue grows.
//!
//! Where it differs from that module (docs/protocols/rates.md):
//! - Too little was sent if the application and not the rate limited the sender (in ns-2: less than
//!   half of what the rate allows), or if nothing was acknowledged. The latter keeps the rate down
//!   on a dead path; in ns-2 it stays near two packets per SRTT.
//! - A late packet is found when it is late; in ns-2 at the next time of sending, which is then
//!   skipped.
//! - Increases begin with the first RTT; in ns-2 the first one waits for the assumed RTT of 2 s.
//! - If the receiver reports instead of acknowledging each packet, the interval between reports is
//!   added to the timeout.

use std::collections::VecDeque;

use super::ledger::MOST_IN_FLIGHT;
use super::{Aimd, BuildRateController, Clusters, Feedback, RateController, RateStart, Sent};
use crate::time::{Span, Time};

/// Timeout in SRTT and in mean deviations.
const TIMEOUT: (f64, f64) = (1.2, 4.0);
/// Gains of the averages whose ratio is the fine grain.
const SHORT_TERM: f64 = 0.9;
const LONG_TERM: f64 = 0.01;
/// Lower bound of round-trip times, which keeps rates and timers finite.
const LEAST_RTT: f64 = 1e-6;

/// Parameters of [`Rap`], with ns-2's defaults.
#[derive(Clone, Copy, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// alpha: packets per SRTT that the rate gains per SRTT; greater than zero.
    pub alpha: f64,
    /// beta: share of the rate that is kept after a loss, between 0 and 1.
    pub beta: f64,
    /// RTT assumed before the first ACK, in seconds, from 1e-6 to 3600: also the first gap and the
    /// first timeout.
    pub initial_rtt: f64,
    /// Gain of SRTT and of its mean deviation, above 0 and at most 1.
    pub gain: f64,
    /// Fine-grain adaptation to the trend of the RTT.
    pub fine_grain: bool,
}

impl Default for Config {
    /// The values of ns-2.
    fn default() -> Self {
        Config { alpha: 1.0, beta: 0.5, initial_rtt: 2.0, gain: 0.5, fine_grain: false }
    }
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        if !(self.alpha > 0.0 && self.alpha.is_finite()) {
            return Err("alpha must be a number of packets greater than zero");
        }
        if !(self.beta > 0.0 && self.beta < 1.0) {
            return Err("beta must be greater than 0 and less than 1");
        }
        if !(self.initial_rtt >= LEAST_RTT && self.initial_rtt <= 3600.0) {
            return Err("initial-rtt must be a time in seconds from 1e-6 to 3600");
        }
        if !(self.gain > 0.0 && self.gain <= 1.0) {
            return Err("gain must be greater than 0 and at most 1");
        }
        Ok(())
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Rap::new(self, start))
    }
}

/// RAP's averages of the round-trip time, in seconds.
#[derive(Clone, Copy, Debug)]
struct RoundTrip {
    srtt: f64,
    deviation: f64,
    short: f64,
    long: f64,
}

impl RoundTrip {
    fn first(rtt: f64) -> Self {
        RoundTrip { srtt: rtt, deviation: 0.0, short: rtt, long: rtt }
    }

    fn sample(&mut self, rtt: f64, gain: f64) {
        let off = rtt - self.srtt;
        self.srtt += gain * off;
        self.deviation += gain * (off.abs() - self.deviation);
        self.short += SHORT_TERM * (rtt - self.short);
        self.long += LONG_TERM * (rtt - self.long);
    }
}

/// Packets of unknown fate sent since the last back-off, and those between them.
#[derive(Clone, Debug, Default)]
struct Active {
    /// Number of the first packet.
    base: u64,
    /// Sending time of each, and whether its fate is known.
    packets: VecDeque<(Time, bool)>,
}

impl Active {
    fn push(&mut self, seq: u64, now: Time) {
        if self.packets.len() >= MOST_IN_FLIGHT {
            self.drop_below(self.base + 1);
        }
        if seq != self.base.saturating_add(self.packets.len() as u64) {
            self.packets.clear();
        }
        if self.packets.is_empty() {
            self.base = seq;
        }
        self.packets.push_back((now, false));
    }

    /// Notes that the fate of all packets below `until` is known. Returns the number of those
    /// unknown before.
    fn drop_below(&mut self, until: u64) -> u32 {
        let mut open = 0;
        while self.base < until
            && let Some((_, known)) = self.packets.pop_front()
        {
            self.base += 1;
            open += u32::from(!known);
        }
        open
    }

    /// Notes an arrival. Returns 1 if the packet's fate was unknown.
    fn arrive(&mut self, seq: u64) -> u32 {
        let index = seq.checked_sub(self.base).and_then(|i| usize::try_from(i).ok());
        match index.and_then(|i| self.packets.get_mut(i)) {
            Some((_, known)) if !*known => {
                *known = true;
                1
            }
            _ => 0,
        }
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let Some((newest, _)) = feedback.newest else { return };
        let told = feedback.delivered.saturating_add(feedback.losses.len() as u32);
        // The ledger knows the fate of everything three numbers below; a report covers everything
        // up to the highest.
        let settled = if feedback.report.is_some() {
            newest.saturating_add(1)
        } else {
            newest.saturating_sub(2)
        };
        let mut known = self.drop_below(settled) + self.arrive(newest);
        // Feedback about more than this packet: ACKs of those right before it were lost.
        for before in 1..=2 {
            if known < told
                && let Some(seq) = newest.checked_sub(before)
            {
                known += self.arrive(seq);
            }
        }
        while self.packets.front().is_some_and(|p| p.1) {
            self.drop_below(self.base + 1);
        }
    }

    fn oldest(&self) -> Option<Time> {
        self.packets.front().map(|p| p.0)
    }
}

/// A rate under RAP's rules.
#[derive(Clone, Debug)]
pub struct Rap {
    config: Config,
    start: RateStart,
    /// S without fine-grain adaptation, in packets per second.
    coarse: f64,
    /// S, in packets per second.
    rate: f64,
    rtt: Option<RoundTrip>,
    timeout: Span,
    active: Active,
    clusters: Clusters,
    /// End of the current SRTT; `None` before the first sample.
    round_ends: Option<Time>,
    /// In the current SRTT a packet was acknowledged, and the rate limited the sender.
    used: bool,
    last_report: Option<Time>,
    decreases: u64,
}

impl Rap {
    /// A controller at the start of its flow. Parameters out of their ranges are replaced by the
    /// default ones.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let config = config.check().map_or_else(|_| Config::default(), |()| *config);
        let rate = start.first(None).unwrap_or_else(|| start.bounded(1.0 / config.initial_rtt));
        Rap {
            config,
            start: *start,
            coarse: rate,
            rate,
            rtt: None,
            timeout: Span::from_secs_f64(config.initial_rtt),
            active: Active::default(),
            clusters: Clusters::new(),
            round_ends: None,
            used: false,
            last_report: None,
            decreases: 0,
        }
    }

    fn set(&mut self, coarse: f64) {
        self.coarse = self.start.bounded(coarse);
        self.modulate();
    }

    fn modulate(&mut self) {
        self.rate = match &self.rtt {
            Some(rtt) if self.config.fine_grain => {
                self.start.bounded(self.coarse * rtt.long / rtt.short)
            }
            _ => self.coarse,
        };
    }

    fn srtt(&self) -> f64 {
        self.rtt.map_or(self.config.initial_rtt, |rtt| rtt.srtt)
    }

    fn round_from(&self, now: Time) -> Time {
        now.saturating_add(Span::from_secs_f64(self.srtt()))
    }

    fn measure(&mut self, feedback: &Feedback<'_>) {
        let Some(rtt) = feedback.rtt else { return };
        let sample = rtt.secs().max(LEAST_RTT);
        let mut averages = self.rtt.unwrap_or_else(|| RoundTrip::first(sample));
        averages.sample(sample, self.config.gain);
        let begins = self.rtt.replace(averages).is_none();
        if begins {
            if !self.start.is_measured() {
                self.set(1.0 / averages.srtt);
            }
            self.round_ends = Some(self.round_from(feedback.now));
        }
        self.modulate();
        let (rtts, deviations) = TIMEOUT;
        let mut timeout = rtts * averages.srtt + deviations * averages.deviation;
        if feedback.report.is_some() {
            let before = self.last_report.replace(feedback.now);
            // A single report does not yet show the interval between reports.
            timeout += before.map_or(self.config.initial_rtt, |at| feedback.now.since(at).secs());
        }
        self.timeout = Span::from_secs_f64(timeout);
    }

    fn back_off(&mut self, now: Time) {
        self.decreases += 1;
        self.set(self.config.beta * self.coarse);
        self.clusters.answer(now);
        self.active.packets.clear();
        if self.round_ends.is_some() {
            self.round_ends = Some(self.round_from(now));
            self.used = false;
        }
    }

    fn timeout(&self) -> Option<Time> {
        Some(self.active.oldest()?.saturating_add(self.timeout))
    }
}

impl RateController for Rap {
    fn on_sent(&mut self, sent: &Sent) {
        self.active.push(sent.seq, sent.now);
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        self.active.on_feedback(feedback);
        self.measure(feedback);
        self.used |= feedback.rate_limited && feedback.delivered > 0;
        for lost in feedback.losses {
            if self.clusters.begins(feedback.now, lost) {
                self.back_off(feedback.now);
            }
        }
    }

    fn next_timeout(&self) -> Option<Time> {
        [self.round_ends, self.timeout()].into_iter().flatten().min()
    }

    fn on_tick(&mut self, now: Time) {
        if self.timeout().is_some_and(|due| due <= now) {
            self.back_off(now);
        }
        if self.round_ends.is_some_and(|end| end <= now) {
            self.round_ends = Some(self.round_from(now));
            if std::mem::take(&mut self.used) {
                self.set(self.coarse + self.config.alpha / self.srtt());
            }
        }
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn aimd(&self) -> Option<Aimd> {
        let rtt = self.rtt?;
        Some(Aimd { alpha: self.config.alpha / rtt.srtt, beta: self.config.beta })
    }

    fn decreases(&self) -> u64 {
        self.decreases
    }
}
