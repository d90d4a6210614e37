//! Times to an event that some observations never reach: completion, recovery.
//!
//! A flow that has not finished when its run ends is a *censored* observation: its time is longer
//! than the time for which it was watched. A mean over those that finished would make the worst
//! sender look fastest, so none is left out:
//!
//! - The statistic is the median of the Kaplan-Meier estimate of the survival function S(t), the
//!   share of flows still unfinished at t (Kaplan and Meier 1958). At a time with d events among Y
//!   flows still watched, S falls by the factor (Y - d) / Y; flows whose watching ends at that time
//!   count among the Y.
//! - Where S never falls to one half, the median is not reached: it is longer than the longest time
//!   for which a flow was watched.
//! - The interval is that of Brookmeyer and Crowley (1982): the times at which the 95 % limits of S
//!   fall to one half. The limits are taken on the scale of log(-log S). The variance is
//!   Greenwood's; flows of one run are not independent, so their contributions are added run by run
//!   before they are squared (Williams 1995), which is Greenwood's formula where each run has one
//!   flow. Where even the upper limit stays above one half, the interval has no upper end: with
//!   five or six runs that holds even if all finish.

use serde::Serialize;

use super::estimate::{Estimate, MIN_SEEDS, Spread};

/// Two-sided 95 % quantile of the normal distribution.
const Z: f64 = 1.959_963_984_540_054;
/// Rounding allowed where a product of shares is compared with one half.
const ROUNDING: f64 = 1e-9;

/// Time for which a flow was waited for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Waited {
    /// Time to the event, or the time after which watching ended without it, in seconds.
    pub time_s: f64,
    /// True if the event came.
    pub ended: bool,
    /// Index of the seed of its run; flows with the same seed are not independent.
    pub seed: usize,
}

/// Estimate of a time that some observations never reach.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Survival {
    /// Number of observations whose event came.
    pub ended: usize,
    /// Number of all observations.
    pub of: usize,
    /// Kaplan-Meier median in seconds; `None` if it is not reached.
    pub median_s: Option<f64>,
    /// Lower end of the median's 95 % interval; `None` without one.
    pub low_s: Option<f64>,
    /// Upper end of the interval; `None` without one, and where the interval has no upper end.
    pub high_s: Option<f64>,
    /// Longest time in seconds for which an observation was watched: a median that is not reached
    /// is longer.
    pub watched_s: f64,
    /// Number of seeds.
    pub seeds: usize,
}

/// The survival function at one of its steps.
struct Step {
    time_s: f64,
    share: f64,
    /// 95 % limits of the share.
    low: f64,
    high: f64,
}

impl Survival {
    /// Estimates the median; `None` without observations, or if a time is not finite.
    pub fn of(waited: &[Waited]) -> Option<Survival> {
        if waited.is_empty() || waited.iter().any(|w| !w.time_s.is_finite()) {
            return None;
        }
        let steps = steps(waited);
        let median_s = median(&steps);
        let seeds = clusters(waited).len();
        let all_alike =
            waited.iter().all(|w| w.ended && (w.time_s - waited[0].time_s).abs() <= 0.0);
        let interval = seeds >= MIN_SEEDS && !all_alike;
        let first = |limit: fn(&Step) -> f64| {
            let step = steps.iter().find(|step| limit(step) <= 0.5 + ROUNDING);
            step.filter(|_| interval).map(|step| step.time_s)
        };
        Some(Survival {
            ended: waited.iter().filter(|w| w.ended).count(),
            of: waited.len(),
            median_s,
            low_s: first(|step| step.low),
            high_s: first(|step| step.high),
            watched_s: waited.iter().map(|w| w.time_s).fold(0.0, f64::max),
            seeds,
        })
    }

    /// True if every observation reached its event.
    pub fn is_complete(&self) -> bool {
        self.ended == self.of
    }

    /// Such as `12 of 20`.
    pub fn count(&self) -> String {
        format!("{} of {}", self.ended, self.of)
    }

    /// The median as an estimate, for drawing; `None` if it is not reached. An interval without an
    /// upper end is left out.
    pub fn estimate(&self) -> Option<Estimate> {
        let mean = self.median_s?;
        let spread = match (self.low_s, self.high_s) {
            (Some(low), Some(high)) => Spread::Interval { low, high },
            _ if self.seeds >= MIN_SEEDS && self.is_complete() && self.low_s.is_none() => {
                Spread::Same
            }
            _ => Spread::TooFew,
        };
        Some(Estimate { mean, spread, n: self.seeds, of: self.seeds })
    }
}

/// Seeds with observations, ascending.
fn clusters(waited: &[Waited]) -> Vec<usize> {
    let mut seeds: Vec<usize> = waited.iter().map(|w| w.seed).collect();
    seeds.sort_unstable();
    seeds.dedup();
    seeds
}

/// The steps of the Kaplan-Meier estimate, by time.
fn steps(waited: &[Waited]) -> Vec<Step> {
    let mut times: Vec<f64> = waited.iter().filter(|w| w.ended).map(|w| w.time_s).collect();
    times.sort_by(f64::total_cmp);
    times.dedup();
    let seeds = clusters(waited);
    // The share of each run in the error of log S.
    let mut influence = vec![0.0; seeds.len()];
    let mut share = 1.0;
    let mut steps = Vec::with_capacity(times.len());
    for time_s in times {
        let watched = waited.iter().filter(|w| w.time_s >= time_s);
        let all = watched.clone().count() as f64;
        let here = |w: &Waited| w.ended && w.time_s <= time_s;
        let events = watched.clone().filter(|w| here(w)).count() as f64;
        let left = all - events;
        share *= left / all;
        if left > 0.0 {
            for one in watched {
                if let Ok(run) = seeds.binary_search(&one.seed) {
                    let own = if here(one) { 1.0 } else { 0.0 };
                    influence[run] += (own - events / all) / left;
                }
            }
        }
        let variance: f64 = influence.iter().map(|sum| sum * sum).sum();
        let (low, high) = limits(share, variance, left > 0.0);
        steps.push(Step { time_s, share, low, high });
    }
    steps
}

/// The 95 % limits of a share on the scale of log(-log). Nothing bounds it from above once nobody
/// is left.
fn limits(share: f64, variance: f64, some_left: bool) -> (f64, f64) {
    if !some_left {
        return (0.0, 1.0);
    }
    let log = -libm::log(share);
    let factor = libm::exp(Z * variance.sqrt() / log);
    (libm::exp(-log * factor), libm::exp(-log / factor))
}

/// The first time at which at most half are left; where exactly half are, the middle between that
/// time and the next step, as for any median of an even number.
fn median(steps: &[Step]) -> Option<f64> {
    let at = steps.iter().position(|step| step.share <= 0.5 + ROUNDING)?;
    let half = (steps[at].share - 0.5).abs() <= ROUNDING;
    let next = steps.get(at + 1).filter(|_| half);
    Some(next.map_or(steps[at].time_s, |next| f64::midpoint(steps[at].time_s, next.time_s)))
}
