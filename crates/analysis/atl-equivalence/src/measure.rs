//! The comparisons of a case, and their uncertainty.

use atl_link::Config;
use serde::Serialize;

use crate::margin::{Margins, changes, loses};
use crate::observation::{Fate, Observation};
use crate::pool::{Pool, farthest};
use crate::stats::{
    Homogeneity, Interval, Spread, distance, distance_bound, homogeneity, order_statistics,
    quantile,
};
use crate::summary::Summary;

/// Delays are compared packet by packet if at most this share of the packets met another fate.
const COMPARABLE: f64 = 0.01;

/// A quantity that is compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum What {
    /// The rate delivered, in bits per second.
    Rate,
    /// The 5 % quantile of delays.
    DelayLow,
    /// The median of delays.
    DelayMedian,
    /// The 95 % quantile of delays.
    DelayHigh,
    /// The distance of the distributions of delays.
    DelayDistance,
    /// The median of the differences in delay, packet by packet.
    PairedMedian,
    /// The 95 % quantile of these differences.
    PairedHigh,
    /// The share of packets that the link lost.
    Lost,
    /// Counts of packets lost and not.
    LossCounts,
    /// The mean length of runs of lost packets.
    RunLength,
    /// Counts of runs by length.
    Runs,
    /// The share of packets that the queue dropped.
    Dropped,
    /// The share of low-priority packets that the queue dropped.
    LowDropped,
    /// Arrivals among the packets sent in each twentieth of the run.
    Course,
    /// The mean delay of packets sent in each twentieth of the run.
    DelayCourse,
    /// Packets that met another fate than in the simulator with the times at which they really
    /// entered the link.
    Replay,
}

/// The unit of a difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Unit {
    /// A share of the expected value.
    Relative,
    /// A share of all packets.
    Share,
    /// A time, in seconds.
    Seconds,
    /// A difference of probabilities.
    Probability,
    /// A number of packets.
    Packets,
    /// None: a test gives a probability, no difference.
    Test,
}

/// The basis on which a comparison's uncertainty rests.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Evidence {
    /// A difference from the mean of runs with this spread, in the difference's unit.
    Value(Spread),
    /// A distance with this many independent observations.
    Distance(f64),
    /// A largest difference over a time course; runs of the simulator among themselves have this.
    Farthest(Spread),
    /// A quantile of these differences, sorted.
    Quantile(Vec<f64>, f64),
    /// A test, with the inflation of its counts.
    Test(Homogeneity, f64),
    /// Certain: no chance is involved.
    Exact,
}

/// A comparison of the emulator with the simulator, before it is judged.
#[derive(Clone, Debug, PartialEq)]
pub struct Measure {
    /// The quantity that is compared.
    pub what: What,
    /// The emulator's value, in base units.
    pub observed: f64,
    /// The simulator's value, in the same unit.
    pub expected: f64,
    /// The difference, in `unit`.
    pub difference: f64,
    /// The unit of the difference and the margin.
    pub unit: Unit,
    /// The margin, in `unit`.
    pub margin: f64,
    pub(crate) evidence: Evidence,
}

impl Measure {
    /// The interval of the difference at level 1 - `alpha`; `None` of a test.
    pub fn interval(&self, alpha: f64) -> Option<Interval> {
        Some(match &self.evidence {
            Evidence::Value(spread) => Interval::around(self.difference, spread.prediction(alpha)),
            Evidence::Distance(n) => {
                let bound = if self.difference <= 0.0 && *n <= 0.0 {
                    0.0
                } else {
                    distance_bound(*n, alpha)
                };
                Interval {
                    low: (self.difference - bound).max(0.0),
                    high: (self.difference + bound).min(1.0),
                }
            }
            Evidence::Farthest(spread) => {
                let chance = spread.mean + spread.prediction(alpha);
                Interval {
                    low: (self.difference - chance).max(0.0),
                    high: self.difference + chance,
                }
            }
            Evidence::Quantile(sorted, q) => order_statistics(sorted, *q, alpha)?,
            Evidence::Exact => Interval::around(self.difference, 0.0),
            Evidence::Test(..) => return None,
        })
    }

    /// The probability of such counts if emulator and simulator are the same; `None` if this is no
    /// test.
    pub fn p_value(&self) -> Option<f64> {
        match &self.evidence {
            Evidence::Test(found, inflation) => Some(found.p_value(*inflation)),
            _ => None,
        }
    }
}

/// The simulator's results with the seed of the emulator's run.
#[derive(Clone, Debug)]
pub struct Twins {
    /// With the times at which probes were to be sent.
    pub planned: Observation,
    /// With the times at which they really entered the link.
    pub replayed: Observation,
}

/// Compares a run with the simulator's; with `twins` also packet by packet.
pub fn measures(
    config: &Config,
    pool: &Pool,
    observed: &Observation,
    twins: Option<&Twins>,
) -> Vec<Measure> {
    let margins = Margins::of(config, observed.bytes);
    let summary = Summary::of(observed);
    let mut found = Vec::new();
    let rate = pool.spread(|run| run.rate);
    found.push(relative(What::Rate, summary.rate, rate, margins.rate));
    found.extend(delays(pool, &summary, margins));
    if let Some(twins) = twins {
        let (other, compared) = differing(observed, &twins.planned);
        // With more packets that differ, packets wait behind other ones, and the delays of a pair
        // have nothing to do with each other.
        if other as f64 <= COMPARABLE * compared as f64 {
            found.extend(paired(observed, &twins.planned, margins));
        }
    }
    found.extend(losses(config, pool, &summary, margins));
    for (what, of) in [
        (What::Dropped, (|run: &Summary| run.dropped) as fn(&Summary) -> f64),
        (What::LowDropped, |run: &Summary| run.low_dropped),
    ] {
        found.extend(share(what, of(&summary), pool.spread(of), margins));
    }
    if changes(config) {
        for (what, of, margin, unit) in [
            (
                What::Course,
                (|run: &Summary| &run.course[..]) as fn(&Summary) -> &[f64],
                margins.course,
                Unit::Share,
            ),
            (
                What::DelayCourse,
                |run: &Summary| &run.delay_course[..],
                margins.delay_s,
                Unit::Seconds,
            ),
        ] {
            let (mean, spread) = pool.course(of);
            let difference = farthest(of(&summary), &mean);
            let evidence = Evidence::Farthest(spread);
            found.push(Measure {
                what,
                observed: difference,
                expected: 0.0,
                difference,
                unit,
                margin,
                evidence,
            });
        }
    }
    if let Some(twins) = twins {
        let (other, _) = differing(observed, &twins.replayed);
        found.push(Measure {
            what: What::Replay,
            observed: other as f64,
            expected: 0.0,
            difference: other as f64,
            unit: Unit::Packets,
            margin: 0.0,
            evidence: Evidence::Exact,
        });
    }
    found
}

/// A relative difference from the mean of runs.
fn relative(what: What, observed: f64, spread: Spread, margin: f64) -> Measure {
    let scale = 1.0 / spread.mean.abs().max(f64::MIN_POSITIVE);
    Measure {
        what,
        observed,
        expected: spread.mean,
        difference: (observed - spread.mean) * scale,
        unit: Unit::Relative,
        margin,
        evidence: Evidence::Value(Spread { deviation: spread.deviation * scale, ..spread }),
    }
}

/// A share of packets; `None` if there are no such packets anywhere.
fn share(what: What, observed: f64, spread: Spread, margins: Margins) -> Option<Measure> {
    (observed > 0.0 || spread.mean > 0.0).then(|| Measure {
        what,
        observed,
        expected: spread.mean,
        difference: observed - spread.mean,
        unit: Unit::Share,
        margin: margins.share.max(margins.relative * spread.mean),
        evidence: Evidence::Value(spread),
    })
}

fn delays(pool: &Pool, summary: &Summary, margins: Margins) -> Vec<Measure> {
    let quantiles = [(What::DelayLow, 0.05), (What::DelayMedian, 0.5), (What::DelayHigh, 0.95)];
    let mut found: Vec<Measure> = quantiles
        .into_iter()
        .map(|(what, q)| {
            let spread = pool.spread(|run| quantile(&run.delays, q));
            let observed = quantile(&summary.delays, q);
            Measure {
                what,
                observed,
                expected: spread.mean,
                difference: observed - spread.mean,
                unit: Unit::Seconds,
                margin: margins.delay_s,
                evidence: Evidence::Value(spread),
            }
        })
        .collect();
    let apart = distance(&summary.delays, &pool.delays, margins.delay_s);
    found.push(Measure {
        what: What::DelayDistance,
        observed: apart,
        expected: 0.0,
        difference: apart,
        unit: Unit::Probability,
        margin: margins.distance,
        evidence: Evidence::Distance(pool.effective(summary.delays.len())),
    });
    found
}

/// Differences in delay of packets that arrived both in the emulator and in the simulator.
fn paired(observed: &Observation, planned: &Observation, margins: Margins) -> Vec<Measure> {
    let pairs = observed.probes.iter().zip(&planned.probes);
    let mut differences: Vec<f64> =
        pairs.filter_map(|(a, b)| Some(a.delay()? - b.delay()?)).collect();
    differences.sort_by(f64::total_cmp);
    if differences.is_empty() {
        return Vec::new();
    }
    let quantiles = [(What::PairedMedian, 0.5), (What::PairedHigh, 0.95)];
    let measure = |(what, q): (What, f64)| {
        let difference = quantile(&differences, q);
        Measure {
            what,
            observed: difference,
            expected: 0.0,
            difference,
            unit: Unit::Seconds,
            margin: margins.delay_s,
            evidence: Evidence::Quantile(differences.clone(), q),
        }
    };
    quantiles.into_iter().map(measure).collect()
}

fn losses(config: &Config, pool: &Pool, summary: &Summary, margins: Margins) -> Vec<Measure> {
    let mut found = Vec::new();
    found.extend(share(What::Lost, summary.lost, pool.spread(|run| run.lost), margins));
    if !loses(config) {
        return found;
    }
    found.extend(test(What::LossCounts, pool, summary, |run| run.loss_counts));
    found.push(relative(
        What::RunLength,
        summary.run_length,
        pool.spread(|run| run.run_length),
        margins.relative,
    ));
    found.extend(test(What::Runs, pool, summary, |run| run.runs));
    found
}

fn test<const N: usize>(
    what: What,
    pool: &Pool,
    summary: &Summary,
    of: impl Fn(&Summary) -> [u64; N],
) -> Option<Measure> {
    let found = homogeneity(&of(summary), &pool.counts(&of))?;
    Some(Measure {
        what,
        observed: found.statistic,
        expected: found.degrees,
        difference: found.statistic,
        unit: Unit::Test,
        margin: 0.0,
        evidence: Evidence::Test(found, pool.inflation(&of)),
    })
}

/// Packets whose fates differ between two runs, and packets compared. A packet that never entered
/// the link in one of them is not compared.
pub fn differing(a: &Observation, b: &Observation) -> (u64, u64) {
    let known = |fate: &Fate| *fate != Fate::Missing;
    let pairs = a.probes.iter().zip(&b.probes).map(|(a, b)| (a.fate, b.fate));
    let pairs = pairs.filter(|(a, b)| known(a) && known(b));
    let differ = pairs.clone().filter(|(a, b)| !a.like(*b)).count();
    (differ as u64, pairs.count() as u64)
}
