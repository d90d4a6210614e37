//! The sender's half of TFRC (RFC 5348, sec. 4).
//!
//! Left open by the RFC, and chosen:
//! - Feedback without a round-trip sample leaves R as it is. Before the first sample it changes
//!   nothing.
//! - "A new loss event or an increase in the loss event rate p" is an increase of p: reports show
//!   no more.
//! - RTO goes by the smaller of X before and after step 4; the RFC has the one before, which is too
//!   short for the next packet if X falls far below a packet per round trip.
//! - While the sender is idle and its rate would not be cut, the nofeedback timer rests until the
//!   next packet.
//! - A flow on a path that a probe has measured begins with that rate instead of W_init/R, and does
//!   not double it: while p = 0 it gains a packet per round trip, as a TCP beyond its threshold.
//! - A receiver that is not TFRC's may report less often than each R: the nofeedback timer then
//!   waits for at least two of its intervals.

use super::LONGEST;
use super::by_sender::{BySender, Measured};
use super::config::Config;
use super::data_limited::NotLimited;
use super::equation::Equation;
use super::limits::ReceiveRates;
use crate::rate::{Feedback, RateController, RateStart, Sent};
use crate::time::{Span, Time};

/// "If the sender is ready to send data when it does not yet have a round-trip sample ... the
/// nofeedback timer is set to expire after two seconds" (sec. 4.2).
const FIRST_TIMEOUT: Span = Span::from_secs(2);
/// Shortest round-trip time that counts.
const SHORTEST: Span = Span::from_micros(1);

/// State from the first feedback on.
#[derive(Clone, Copy, Debug)]
struct Known {
    /// R, the smoothed round-trip time, in seconds.
    rtt: f64,
    /// R_sqmean, in roots of seconds, and the root of the newest sample.
    root: (f64, f64),
    /// initial_rate = W_init/R, with the first R.
    initial_rate: f64,
    /// The time at which the rate was last doubled.
    tld: Time,
    receive_rates: ReceiveRates,
}

/// A sender under RFC 5348, sec. 4.
#[derive(Clone, Debug)]
pub struct Tfrc {
    config: Config,
    equation: Equation,
    /// W_init, the initial window in packets.
    initial_window: f64,
    /// Least and largest X.
    bounds: (f64, f64),
    /// X, the allowed sending rate.
    rate: f64,
    /// The initial rate was measured, so that there is no slow start.
    measured: bool,
    known: Option<Known>,
    /// p of the last report.
    loss_event_rate: f64,
    not_limited: NotLimited,
    by_sender: BySender,
    /// The nofeedback timer; `None` while it is stopped. True if no packet was sent since it was
    /// set.
    due: Option<(Time, bool)>,
    /// Time of the last feedback, and the time between it and the one before, of a receiver that is
    /// not TFRC's.
    reported: Option<Time>,
    interval: Span,
    decreases: u64,
}

/// W_init in packets: "min(4*MSS, max(2*MSS, 4380))" bytes (sec. 4.2, RFC 3390).
fn initial_window(packet_bytes: u32) -> f64 {
    (4380.0 / f64::from(packet_bytes)).clamp(2.0, 4.0)
}

impl Tfrc {
    /// A sender at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let config = config.checked();
        let (least, most) = start.bounds();
        // Where they cross, the target takes precedence.
        let bounds = (least.max(1.0 / LONGEST.secs()), most);
        Tfrc {
            config,
            equation: config.equation(),
            initial_window: config
                .initial_window
                .unwrap_or_else(|| initial_window(start.packet_bytes)),
            bounds,
            // "The value of X is set to s bytes per second, for segment size s" (sec. 4.2).
            rate: start.first(None).unwrap_or(1.0).max(bounds.0).min(bounds.1),
            measured: start.is_measured(),
            known: None,
            loss_event_rate: 0.0,
            not_limited: NotLimited::default(),
            by_sender: BySender::new(&config),
            due: None,
            reported: None,
            interval: Span::ZERO,
            decreases: 0,
        }
    }

    /// p of the last report: loss events per packet.
    pub fn loss_event_rate(&self) -> f64 {
        self.loss_event_rate
    }

    /// R: the smoothed round-trip time; zero before the first sample.
    pub fn rtt(&self) -> Span {
        self.known.map_or(Span::ZERO, |known| Span::from_secs_f64(known.rtt))
    }

    fn set(&mut self, rate: f64) {
        // `max` turns NaN into the least.
        self.rate = rate.max(self.bounds.0).min(self.bounds.1);
    }

    /// max(4*R, 2*s/X) (sec. 4.3, step 3, and sec. 4.4), or the first timeout.
    fn timeout(&self) -> Span {
        let Some(known) = &self.known else {
            return FIRST_TIMEOUT;
        };
        Span::from_secs_f64((4.0 * known.rtt).max(2.0 / self.rate)).max(self.interval * 2)
    }

    fn restart(&mut self, now: Time, timeout: Span) {
        self.due = Some((now.saturating_add(timeout), true));
    }

    /// Steps 1 and 2 of sec. 4.3, and R_sqmean of sec. 4.5. True if this is the first sample.
    fn sample(&mut self, now: Time, sample: Span) -> bool {
        let r = sample.max(SHORTEST).min(LONGEST).secs();
        let most = if self.measured { self.rate } else { f64::INFINITY };
        let Some(known) = &mut self.known else {
            let initial_rate = (self.initial_window / r).min(most);
            let receive_rates = ReceiveRates::new(now);
            let root = (r.sqrt(), r.sqrt());
            self.known = Some(Known { rtt: r, root, initial_rate, tld: now, receive_rates });
            return true;
        };
        let (q, q2) = (self.config.rtt_weight, self.config.root_weight);
        // "R = q*R + (1-q)*R_sample."
        known.rtt = q * known.rtt + (1.0 - q) * r;
        known.root = (q2 * known.root.0 + (1.0 - q2) * r.sqrt(), r.sqrt());
        false
    }

    /// The first half of step 4 of sec. 4.3: takes X_recv in; returns recv_limit. `more` is true if
    /// p has risen.
    fn receive_limit(&mut self, now: Time, newest: Time, rate: Option<f64>, more: bool) -> f64 {
        let Some(known) = &mut self.known else {
            return f64::INFINITY;
        };
        let Some(rate) = rate else {
            return 2.0 * known.receive_rates.max();
        };
        // "If the feedback packet reports a receive rate X_recv of zero ..., the sender does not
        // consider that the entire interval covered by the feedback packet was a data-limited
        // interval."
        let r = Span::from_secs_f64(known.rtt);
        let old = newest - r;
        let data_limited = rate > 0.0 && !self.not_limited.within(old, newest);
        self.not_limited.forget(old);
        let set = &mut known.receive_rates;
        match (data_limited, more) {
            (true, true) => {
                set.halve();
                set.maximize(now, 0.85 * rate);
                set.max()
            }
            (true, false) => {
                set.maximize(now, rate);
                2.0 * set.max()
            }
            (false, _) => {
                set.update(now, rate, r);
                2.0 * set.max()
            }
        }
    }

    /// The second half: X from p, R and recv_limit.
    fn recompute(&mut self, now: Time, receive_limit: f64) {
        let (p, x) = (self.loss_event_rate, self.rate);
        let Some(known) = &mut self.known else {
            return;
        };
        if p > 0.0 {
            // "X = max(min(X_Bps, recv_limit), s/t_mbi)."
            let rate = self.equation.throughput(p, known.rtt).min(receive_limit);
            self.set(rate);
        } else if now.since(known.tld).secs() >= known.rtt {
            // "X = max(min(2*X, recv_limit), initial_rate); tld = t_now."
            known.tld = now;
            let more = if self.measured { x + 1.0 / known.rtt } else { 2.0 * x };
            let rate = more.min(receive_limit).max(known.initial_rate);
            self.set(rate);
        }
    }

    /// A number of a report, if it is in its range.
    fn told(number: Option<f64>, most: f64) -> Option<f64> {
        number.filter(|x| (0.0..=most).contains(x))
    }

    /// The receiver's p and X_recv, or the sender's own; `None` if none are due.
    fn measured(&mut self, feedback: &Feedback<'_>) -> Option<(Option<f64>, Option<f64>)> {
        let own = |report: &&crate::rate::Report| {
            report.loss_event_rate.is_some() && report.receive_rate.is_some()
        };
        if let Some(report) = feedback.report.filter(own) {
            self.interval = Span::ZERO;
            let p = Self::told(report.loss_event_rate, 1.0);
            return Some((p, Self::told(report.receive_rate, f64::MAX)));
        }
        if let Some(before) = self.reported.replace(feedback.now)
            && feedback.report.is_some()
        {
            self.interval = feedback.now.since(before).min(LONGEST);
        }
        let Measured { loss_event_rate, receive_rate } =
            self.by_sender.on_feedback(feedback, self.rtt())?;
        Some((Some(loss_event_rate), Some(receive_rate)))
    }

    /// Step 4 of sec. 4.3.
    fn adapt(&mut self, feedback: &Feedback<'_>, measured: (Option<f64>, Option<f64>)) {
        let now = feedback.now;
        let p = measured.0.unwrap_or(self.loss_event_rate);
        let more = p > self.loss_event_rate;
        self.loss_event_rate = p;
        let echo = feedback.report.map(|report| report.echo);
        let newest = echo.or(feedback.newest.map(|newest| newest.1)).unwrap_or(now);
        let before = self.rate;
        let limit = self.receive_limit(now, newest.min(now), measured.1, more);
        self.recompute(now, limit);
        self.decreases += u64::from(more && self.rate < before);
    }

    /// Step 1 of sec. 4.4.
    fn cut(&mut self, now: Time) {
        let (p, x) = (self.loss_event_rate, self.rate);
        let Some(known) = &mut self.known else {
            // "We do not have X_Bps or recover_rate yet. Halve the allowed sending rate."
            self.set(x / 2.0);
            return;
        };
        if p <= 0.0 {
            // "We do not have X_Bps yet. Halve the allowed sending rate."
            self.set(x / 2.0);
            return;
        }
        let (receive_rate, calculated) =
            (known.receive_rates.max(), self.equation.throughput(p, known.rtt));
        // X_recv where "2*X_recv was already limiting the sending rate", and half of X_Bps where
        // "the sending rate was limited by X_Bps, not by X_recv".
        let limit = receive_rate.min(calculated / 2.0);
        // Update_Limits(timer_limit).
        let limit = limit.max(1.0 / LONGEST.secs());
        known.receive_rates.replace(now, limit / 2.0);
        self.recompute(now, limit);
    }

    /// True where an idle sender's rate is not cut: "(p>0 && X_recv < recover_rate) or (p==0 && X <
    /// 2 * recover_rate)" (sec. 4.4), with recover_rate = initial_rate, or before there is an RTT.
    fn spared(&self) -> bool {
        self.known.as_ref().is_none_or(|known| {
            if self.loss_event_rate > 0.0 {
                known.receive_rates.max() < known.initial_rate
            } else {
                self.rate < 2.0 * known.initial_rate
            }
        })
    }
}

impl RateController for Tfrc {
    fn on_sent(&mut self, sent: &Sent) {
        self.not_limited.on_sent(sent.now, sent.app_limited);
        let due = match self.due {
            Some((due, _)) => due,
            None => sent.now.saturating_add(self.timeout()),
        };
        self.due = Some((due, false));
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        let before = self.rate;
        let mut timeout = None;
        if let Some(measured) = self.measured(feedback) {
            let sample = feedback.rtt.filter(|rtt| !rtt.is_zero());
            let first = sample.is_some_and(|sample| self.sample(now, sample));
            // Step 3: "RTO = max(4*R, 2*s/X)."
            timeout = Some(self.timeout());
            if first {
                // Sec. 4.2: "For responding to the initial feedback packet, this replaces step
                // (4)."
                self.loss_event_rate = measured.0.unwrap_or(0.0);
                if !self.measured {
                    let rate = self.known.map_or(self.rate, |known| known.initial_rate);
                    self.set(rate);
                }
            } else {
                self.adapt(feedback, measured);
            }
        }
        // Step 6: "Reset the nofeedback timer to expire after RTO seconds."
        let fell = self.rate < before;
        let timeout = timeout.filter(|_| !fell).unwrap_or_else(|| self.timeout());
        self.restart(now, timeout);
    }

    fn next_timeout(&self) -> Option<Time> {
        self.due.map(|(due, _)| due)
    }

    fn on_tick(&mut self, now: Time) {
        let Some((_, idle)) = self.due.filter(|(due, _)| now >= *due) else {
            return;
        };
        if idle && self.spared() {
            self.due = None;
            return;
        }
        let before = self.rate;
        self.cut(now);
        self.decreases += u64::from(self.rate < before);
        // Step 2 of sec. 4.4: "Restart the nofeedback timer to expire after max(4*R, 2*s/X)
        // seconds."
        let timeout = self.timeout();
        self.restart(now, timeout);
    }

    fn rate(&self) -> f64 {
        match &self.known {
            // "X_inst = X * R_sqmean / sqrt(R_sample)", not below s/t_mbi (sec. 4.5).
            Some(known) if self.config.reduce_oscillations => {
                let rate = self.rate * known.root.0 / known.root.1;
                rate.max(self.bounds.0).min(self.bounds.1)
            }
            _ => self.rate,
        }
    }

    fn decreases(&self) -> u64 {
        self.decreases
    }
}
