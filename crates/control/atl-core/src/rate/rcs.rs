//! RCS, the rate control scheme for long, lossy paths: low-priority dummy packets probe whether a
//! halved rate may be restored at once.
//!
//! **Reconstructed.** Source: Tang, Morabito, Akyildiz, Johnson, "RCS: A rate control scheme for
//! real-time traffic in networks with high bandwidth-delay products and high bit error rates",
//! INFOCOM 2001. Neither its text nor any code was available. Its abstract, that of the later
//! journal paper (Akyildiz, Akan, Morabito, ToN 13(3), 2005) and the ATL and ARC papers describe
//! low-priority dummies that probe for free capacity, and a rate that is halved at each loss and
//! recovers by means of them. The states and their rules are RCS's from memory:
//! - **Initial**: dummies at the target rate for one RTT; S = dummies acknowledged / RTT.
//! - **Steady**: S grows by 1/SRTT each SRTT, up to the target.
//! - **Detected**, at a loss: S is halved, and for one SRTT dummies are sent besides the data, also
//!   at rate S: together as much as before. Each acknowledged dummy proves free capacity, and
//!   raises S by 1/SRTT. If the link and not congestion lost the packet, S is what it was after two
//!   round trips.
//!
//! The open points have two readings ([`Reading`]). *Literal*: every lost packet halves the rate,
//! also in Detected, and a dummy counts only if its ACK arrives when the source is back in Steady.
//! *Robust*: the losses of one event halve the rate once, and a dummy counts whenever its ACK
//! arrives.
//!
//! Assumed (docs/protocols/satellite.md):
//! - The RTT of the Initial state is that of the first dummy whose ACK arrives: until then dummies
//!   are sent, at most 65 536 in 2 s, and for one such RTT from then on ACKs are counted. (Counting
//!   all ACKs, however late, would include what the queue has taken up.) If none arrives within 4
//!   s, data begins at a packet per second.
//! - A loss in Detected restarts that state, with dummies at the new rate in place of those not
//!   sent yet.
//! - No loss reduces S below a packet per SRTT: S moves in multiples of that, and below it there
//!   would be too few ACKs for it to recover.
//! - Without feedback for the longer of 4 SRTT and 4 packets S is halved as at a loss, without that
//!   floor, and again after twice the time.
//! - S grows only if something was acknowledged and the rate, not the application, limited the
//!   sender; this also holds for ACKs of dummies. At most as many of these count as dummies were
//!   sent since the Initial state.
//! - Dummies are spread evenly over their time, the first one a gap after its start.
//!
//! Links need the two-band queue with push-out: a plain FIFO carries dummies like data, and their
//! ACKs prove nothing.

use super::{
    Aimd, BuildRateController, Clusters, Feedback, ProbeAck, RateController, RateStart, Sent,
    Silence,
};
use crate::probe::Pacer;
use crate::time::{Span, Time};

/// Longest wait for feedback.
const LONGEST_SILENCE: Span = Span::from_secs(64);
/// Wait for feedback before the first RTT is known; also the limit on the Initial state's probing,
/// and on the wait after it.
const FIRST_WAIT: Span = Span::from_secs(2);
/// Largest number of dummies in the Initial state.
const MOST_DUMMIES: f64 = 65_536.0;
/// Rate if the Initial state has found nothing, in packets per second.
const FIRST_RATE: f64 = 1.0;
/// Lower bound of round-trip times, which keeps timers apart.
const LEAST_RTT: Span = Span::from_micros(1);
/// Share of the rate that is kept after a loss.
const BETA: f64 = 0.5;

/// The effect of a loss and of a dummy's ACK while the source is in the Detected state.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum Reading {
    /// Every lost packet halves the rate; a dummy's ACK has no effect.
    #[default]
    Literal,
    /// Losses of one event halve the rate once; a dummy's ACK counts as always.
    Robust,
}

/// Parameters of [`Rcs`]: its reading.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// Reading of the rules.
    pub reading: Reading,
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        Ok(())
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Rcs::new(self, start))
    }
}

#[derive(Clone, Copy, Debug)]
enum State {
    /// The sender has not asked for a probe yet.
    Idle,
    /// Dummies are sent and counted.
    Initial(Initial),
    /// The rate grows at the end of a round in which it limited the sender and feedback arrived.
    Steady(Option<Round>),
    /// Dummies probe until this time.
    Detected { until: Time },
}

/// A round-trip time, once it is known.
#[derive(Clone, Copy, Debug)]
struct Round {
    ends: Time,
    /// The rate limited the sender, and feedback arrived.
    used: bool,
}

#[derive(Clone, Copy, Debug)]
struct Initial {
    /// Time of its end.
    ends: Time,
    /// Number of dummies acknowledged, and the RTT of the first of them.
    acknowledged: u32,
    rtt: Span,
}

/// A rate that dummies help to recover.
#[derive(Clone, Debug)]
pub struct Rcs {
    reading: Reading,
    start: RateStart,
    rate: f64,
    state: State,
    pacer: Pacer,
    /// Number of the next dummy, of the first that counts, and the number of those not
    /// acknowledged.
    dummies: u64,
    counted_from: u64,
    unanswered: u64,
    clusters: Clusters,
    silence: Silence,
    /// SRTT; zero while unknown.
    srtt: Span,
    /// True while the rate limits the sender.
    limited: bool,
    decreases: u64,
}

impl Rcs {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let measured = start.first(None);
        Rcs {
            reading: config.reading,
            start: *start,
            rate: measured.unwrap_or(start.bounded(FIRST_RATE)),
            // A path that was measured needs no Initial state.
            state: measured.map_or(State::Idle, |_| State::Steady(None)),
            pacer: Pacer::default(),
            dummies: 0,
            counted_from: 0,
            unanswered: 0,
            clusters: Clusters::new(),
            silence: Silence::new(FIRST_WAIT, LONGEST_SILENCE),
            srtt: Span::ZERO,
            limited: true,
            decreases: 0,
        }
    }

    fn set(&mut self, rate: f64) {
        self.rate = self.start.bounded(rate);
    }

    /// A packet per SRTT: the step of the rate. `None` before the first RTT is known.
    fn step(&self) -> Option<f64> {
        (!self.srtt.is_zero()).then(|| 1.0 / self.srtt.secs())
    }

    fn begin(&mut self, now: Time) {
        if !matches!(self.state, State::Idle) {
            return;
        }
        let (_, target) = self.start.bounds();
        let probes = (target * FIRST_WAIT.secs()).clamp(1.0, MOST_DUMMIES);
        self.pacer.start(now, probes as u32, Span::from_secs_f64(probes / target));
        let ends = now.saturating_add(FIRST_WAIT * 2);
        self.state = State::Initial(Initial { ends, acknowledged: 0, rtt: Span::ZERO });
    }

    /// Ends the Initial state, after which data begins.
    fn conclude(&mut self, now: Time, initial: &Initial) {
        self.pacer.stop();
        self.counted_from = self.dummies;
        self.unanswered = 0;
        if initial.acknowledged > 0 {
            self.srtt = initial.rtt;
            self.set(f64::from(initial.acknowledged) / initial.rtt.secs());
        }
        self.settle(now);
    }

    /// Enters the Steady state.
    fn settle(&mut self, now: Time) {
        let ends = now.saturating_add(self.round());
        let round = Round { ends, used: false };
        self.state = State::Steady((!self.srtt.is_zero()).then_some(round));
    }

    fn round(&self) -> Span {
        self.srtt.max(LEAST_RTT)
    }

    /// Halves the rate, not below `floor`, and starts dummies that probe whether it may be
    /// restored.
    fn halve(&mut self, now: Time, floor: f64) {
        self.decreases += 1;
        self.set((BETA * self.rate).max(floor));
        let until = now.saturating_add(self.round());
        let dummies = self.rate * self.srtt.secs();
        self.pacer.start(now, dummies as u32, self.srtt);
        self.state = State::Detected { until };
    }

    fn on_losses(&mut self, feedback: &Feedback<'_>) {
        let floor = self.step().unwrap_or(0.0);
        for lost in feedback.losses {
            let begins = self.clusters.begins(feedback.now, lost);
            if begins || self.reading == Reading::Literal {
                self.halve(feedback.now, floor.min(self.rate));
            }
        }
    }

    fn sends(&self) -> bool {
        !matches!(self.state, State::Idle | State::Initial(_))
    }
}

impl RateController for Rcs {
    fn on_sent(&mut self, sent: &Sent) {
        self.silence.on_sent(sent.now);
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        if !self.sends() {
            return;
        }
        let now = feedback.now;
        self.limited = feedback.rate_limited;
        if !feedback.srtt.is_zero() {
            let first = self.srtt.is_zero();
            self.srtt = feedback.srtt;
            if first {
                if !self.start.is_measured() {
                    self.set(self.rate.max(self.step().unwrap_or(FIRST_RATE)));
                }
                self.settle(now);
            }
        }
        let gap = Span::from_secs_f64(1.0 / self.rate);
        let wait = if self.srtt.is_zero() { Span::ZERO } else { self.srtt.max(gap) * 4 };
        self.silence.on_feedback(now, wait, feedback.in_flight > 0);
        if let State::Steady(Some(round)) = &mut self.state {
            round.used |= feedback.rate_limited && feedback.delivered > 0;
        }
        self.on_losses(feedback);
    }

    fn poll_probe(&mut self, now: Time) -> bool {
        self.begin(now);
        let due = self.pacer.poll(now);
        if due {
            self.dummies += 1;
            self.unanswered += 1;
        }
        due
    }

    fn on_probe_ack(&mut self, ack: &ProbeAck) {
        if let State::Initial(initial) = &mut self.state {
            if self.unanswered == 0 {
                return;
            }
            self.unanswered -= 1;
            if initial.acknowledged == 0 {
                initial.rtt = ack.rtt.max(LEAST_RTT);
                initial.ends = ack.now.saturating_add(initial.rtt);
                self.pacer.stop();
            }
            initial.acknowledged += 1;
            return;
        }
        let counts = (self.counted_from..self.dummies).contains(&ack.number)
            && self.unanswered > 0
            && self.limited;
        let open = match self.state {
            State::Detected { .. } => self.reading == Reading::Robust,
            _ => true,
        };
        if counts {
            self.unanswered -= 1;
            if open && let Some(step) = self.step() {
                self.set(self.rate + step);
            }
        }
    }

    fn next_timeout(&self) -> Option<Time> {
        let state = match &self.state {
            State::Idle => None,
            State::Initial(initial) => Some(initial.ends),
            State::Steady(round) => round.map(|round| round.ends),
            State::Detected { until } => Some(*until),
        };
        [state, self.pacer.next(), self.silence.next_timeout()].into_iter().flatten().min()
    }

    fn on_tick(&mut self, now: Time) {
        self.begin(now);
        self.pacer.tick(now);
        match self.state {
            State::Initial(initial) if now >= initial.ends => self.conclude(now, &initial),
            State::Detected { until } if now >= until => self.settle(now),
            State::Steady(Some(round)) if now >= round.ends => {
                if round.used
                    && let Some(step) = self.step()
                {
                    self.set(self.rate + step);
                }
                self.settle(now);
            }
            _ => {}
        }
        if self.silence.expired(now, Span::from_secs_f64(1.0 / self.rate)) {
            self.clusters.answer(now);
            if self.sends() {
                self.halve(now, 0.0);
            }
        }
    }

    fn rate(&self) -> f64 {
        self.rate
    }

    fn sends_data(&self) -> bool {
        self.sends()
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(Aimd { alpha: self.step()?, beta: BETA })
    }

    fn decreases(&self) -> u64 {
        self.decreases
    }
}
