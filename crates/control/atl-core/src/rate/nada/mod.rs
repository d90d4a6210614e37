//! NADA, network-assisted dynamic adaptation: a current congestion control for interactive media,
//! for comparison.
//!
//! Source: RFC 8698 (Experimental). Parameters have its names and defaults (Fig. 3). Filters and
//! loss intervals, which it leaves partly open, are as in the authors' simulation
//! (`cisco/ns3-rmcat`).
//!
//! - Sec. 4.2: x_curr adds up queueing delay (warped if losses show that others fill the queue),
//!   losses, and packets that queues have marked (`signal.rs`).
//! - Sec. 4.3: if nothing was lost or queued over LOGWIN, the rate ramps up to a multiple of the
//!   receive rate (eq. 3, 4), by so much at most that the queueing delay stays below QBOUND.
//!   Otherwise it moves gradually, by the distance of x_curr from the rate's share of XREF, and by
//!   the change of x_curr (eq. 5 to 7).
//!
//! Parts that this project cannot provide, and their replacements:
//! - One-way delay: the round trip less the least one of a long window. A queue on the reverse path
//!   counts too.
//! - The receiver's feedback: ACKs of each packet, as RFC 8888 carries them; the sender computes
//!   what the receiver would. Reports at regular intervals work as well, with one delay each.
//! - The rate-shaping buffer (sec. 5.2.2): the sender keeps the encoder's queue.
//!
//! Left open by the RFC, and chosen:
//! - RMAX is the flow's target ([`RateStart`]). RMIN is the RFC's 150 kb/s, or the flow's least
//!   rate if that is higher; a sender that must be able to go lower configures it. The flow also
//!   starts there.
//! - None of the filter's 15 delays is older than DFILT; the time between two updates counts as 500
//!   ms at most.
//! - With too few packets for a receive rate (fewer than 5 in LOGWIN) the update is gradual.
//! - Marks do not end a ramp-up: sec. 4.2 names losses and queueing delay. p_mark is measured as
//!   p_loss is (sec. 5.1.2).
//! - The average loss interval leaves the open one out (`signal.rs`); x_curr is at most XMAX (the
//!   authors' simulation).
//! - Nothing grows while the application limits the sender.
//! - Silence: after 4 SRTT, 4 packets or LOGWIN without feedback the rate is halved, and again
//!   after twice the time.
//! - Handoff: the least delay is measured anew, and packets sent before say nothing about the new
//!   path's delay.

mod config;
mod history;
mod signal;

pub use self::config::Config;
use self::history::{Base, History};
use self::signal::{LossIntervals, congestion};
use super::{BuildRateController, Feedback, Handoff, RateController, RateStart, Sent, Silence};
use crate::time::{Span, Time};

/// Longest time between two updates that counts.
const LONGEST_DELTA: f64 = 500.0;
/// Longest wait for feedback.
const LONGEST_SILENCE: Span = Span::from_secs(64);
/// Wait for the first feedback.
const FIRST_SILENCE: Span = Span::from_secs(2);

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        let positive = |x: f64| x > 0.0 && x.is_finite();
        let not_negative = |x: f64| x >= 0.0 && x.is_finite();
        let checks = [
            (positive(self.prio), "prio must be a weight greater than zero"),
            (not_negative(self.rmin), "rmin must be a rate in kb/s, not negative"),
            (positive(self.xref), "xref must be a delay in ms greater than zero"),
            (positive(self.kappa), "kappa must be a factor greater than zero"),
            (not_negative(self.eta), "eta must be a factor, not negative"),
            (positive(self.tau), "tau must be a time in ms greater than zero"),
            ((1.0..=1000.0).contains(&self.delta), "delta must be a time in ms from 1 to 1000"),
            (
                (10.0..=60_000.0).contains(&self.logwin),
                "logwin must be a time in ms from 10 to 60000",
            ),
            (not_negative(self.qeps), "qeps must be a delay in ms, not negative"),
            (not_negative(self.dfilt), "dfilt must be a time in ms, not negative"),
            (positive(self.gamma_max), "gamma-max must be a factor greater than zero"),
            (positive(self.qbound), "qbound must be a delay in ms greater than zero"),
            (not_negative(self.multiloss), "multiloss must be a factor, not negative"),
            (positive(self.qth), "qth must be a delay in ms greater than zero"),
            (not_negative(self.lambda), "lambda must be a factor, not negative"),
            (positive(self.plrref), "plrref must be a share of packets greater than zero"),
            (positive(self.pmrref), "pmrref must be a share of packets greater than zero"),
            (not_negative(self.dmark), "dmark must be a delay in ms, not negative"),
            (not_negative(self.dloss), "dloss must be a delay in ms, not negative"),
            (self.alpha > 0.0 && self.alpha <= 1.0, "alpha must be greater than 0 and at most 1"),
            (positive(self.xmax), "xmax must be a delay in ms greater than zero"),
            (positive(self.base_window), "base-window must be a time in seconds greater than zero"),
            (
                self.initial.is_none_or(positive),
                "initial must be a rate in packets per second greater than zero",
            ),
        ];
        checks.iter().find(|(holds, _)| !holds).map_or(Ok(()), |(_, allowed)| Err(allowed))
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(Nada::new(self, start))
    }
}

fn millis(ms: f64) -> Span {
    Span::from_secs_f64(ms / 1e3)
}

/// A rate under NADA.
#[derive(Clone, Debug)]
pub struct Nada {
    config: Config,
    start: RateStart,
    /// `r_ref`, in packets per second.
    rate: f64,
    history: History,
    base: Base,
    losses: LossIntervals,
    /// `p_loss`, the smoothed share of losses.
    loss: f64,
    /// `p_mark`, the smoothed share of marks.
    mark: f64,
    /// `x_curr` of the last update, in ms.
    congestion: f64,
    updated: Option<Time>,
    /// The rate limited the sender since the last update.
    used: bool,
    /// Delays of packets sent before this belong to a former path.
    path_since: Time,
    silence: Silence,
    decreases: u64,
}

impl Nada {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        // `max` turns NaN into the flow's own least rate.
        let slowest = config.rmin * 1e3 / (8.0 * f64::from(start.packet_bytes.max(1)));
        let start = RateStart { minimum: slowest.max(start.bounds().0), ..*start };
        Nada {
            config: *config,
            start,
            rate: start.first(config.initial).unwrap_or(start.bounded(0.0)),
            history: History::new(millis(config.logwin)),
            base: Base::new(Span::from_secs_f64(config.base_window)),
            losses: LossIntervals::default(),
            loss: 0.0,
            mark: 0.0,
            congestion: 0.0,
            updated: None,
            used: true,
            path_since: Time::ZERO,
            silence: Silence::new(FIRST_SILENCE, LONGEST_SILENCE),
            decreases: 0,
        }
    }

    fn gap_of_rate(&self) -> Span {
        Span::from_secs_f64(1.0 / self.rate)
    }

    /// RFC 8698, eq. 3 and 4; `None` outside the accelerated ramp-up (sec. 4.2, rmode = 0).
    fn ramped_up(&self, rtt: Span, base: Span) -> Option<f64> {
        let queued = self.history.largest_rtt()?.saturating_sub(base);
        if self.history.lost() > 0 || queued.millis() >= self.config.qeps {
            return None;
        }
        let Config { qbound, delta, dfilt, gamma_max, .. } = self.config;
        let gamma = gamma_max.min(qbound / (rtt.millis() + delta + dfilt));
        Some(self.rate.max((1.0 + gamma) * self.history.receive_rate()?))
    }

    /// RFC 8698, eq. 5 to 7. `delta` is the time since the last update in ms.
    fn moved(&self, delta: f64, before: f64) -> f64 {
        let Config { prio, xref, kappa, eta, tau, .. } = self.config;
        let most = self.start.bounds().1;
        let offset = self.congestion - prio * xref * most / self.rate;
        let change = self.congestion - before;
        self.rate * (1.0 - kappa * (delta / tau) * (offset / tau) - kappa * eta * change / tau)
    }

    fn update(&mut self, now: Time, since: Time) {
        let Some(base) = self.base.get() else { return };
        let rtt = self.history.filtered_rtt(now, millis(self.config.dfilt)).unwrap_or(base);
        self.loss += self.config.alpha * (self.history.loss() - self.loss);
        self.mark += self.config.alpha * (self.history.mark() - self.mark);
        let before = self.congestion;
        let queueing = rtt.saturating_sub(base).millis();
        self.congestion = congestion(&self.config, queueing, &self.losses, (self.loss, self.mark));
        let delta = now.since(since).millis().min(LONGEST_DELTA);
        let next = self.ramped_up(rtt, base).unwrap_or_else(|| self.moved(delta, before));
        let next = if self.used { next } else { next.min(self.rate) };
        let signalled = self.history.lost() > 0 || self.history.marked() > 0;
        self.decreases += u64::from(next < self.rate && signalled);
        self.rate = self.start.bounded(next);
        self.used = true;
    }
}

impl RateController for Nada {
    fn on_sent(&mut self, sent: &Sent) {
        self.silence.on_sent(sent.now);
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        let wait = if feedback.srtt.is_zero() {
            Span::ZERO
        } else {
            (feedback.srtt.max(self.gap_of_rate()) * 4).max(millis(self.config.logwin))
        };
        self.silence.on_feedback(now, wait, feedback.in_flight > 0);
        self.used &= feedback.rate_limited;
        if let Some((seq, _)) = feedback.newest {
            self.losses.on_arrived(seq);
        }
        let mut marked = 0;
        for lost in feedback.losses {
            if lost.marked {
                marked += 1;
                self.losses.on_arrived(lost.seq);
            } else {
                self.losses.on_lost(lost);
            }
        }
        let of_this_path = feedback.newest.is_none_or(|(_, sent_at)| sent_at >= self.path_since);
        let rtt = feedback.rtt.filter(|_| of_this_path);
        if let Some(rtt) = rtt {
            self.base.on_sample(now, rtt);
        }
        let delivered = feedback.delivered.saturating_add(marked);
        let lost = feedback.losses.len() as u32 - marked;
        self.history.push(now, rtt, [delivered, lost, marked]);
        let since = *self.updated.get_or_insert(now);
        if now.since(since) >= millis(self.config.delta) {
            self.updated = Some(now);
            self.update(now, since);
        }
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        self.path_since = handoff.now;
        self.base.clear();
        self.history.clear();
        self.congestion = 0.0;
    }

    fn next_timeout(&self) -> Option<Time> {
        self.silence.next_timeout()
    }

    fn on_tick(&mut self, now: Time) {
        if self.silence.expired(now, self.gap_of_rate()) {
            self.rate = self.start.bounded(self.rate / 2.0);
            self.history.clear();
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
