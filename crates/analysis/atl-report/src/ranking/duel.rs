//! Two contenders against each other, whoever leads.

use atl_scenario::scenario::{Metric, Scenario};

use super::contenders::{BySeed, Contest};
use super::design::Designs;
use super::order::{over_conditions, share, shared};
use crate::outcome::Outcome;
use crate::stats::{Estimate, MIN_SEEDS, paired_difference, paired_ratio};

/// The contenders of an outcome, for comparisons between any two of them over the conditions that
/// they share.
#[derive(Debug)]
pub struct Duels(Vec<Entrant>);

#[derive(Debug)]
struct Entrant {
    name: String,
    /// Goodput in bits per second by seed.
    goodput: BySeed,
    /// Share of its flows that finished, by seed.
    finished: Vec<f64>,
}

/// A contender beside another.
#[derive(Clone, Debug)]
pub struct Duel {
    /// Goodputs of the two in bits per second, as means over the conditions.
    pub goodputs: [Estimate; 2],
    /// Goodput of the first over that of the second, paired by seed; `None` if the second got
    /// nothing.
    pub ratio: Option<Estimate>,
    /// Significance of the difference.
    pub relation: Relation,
    /// The ratio by seed; NaN where the second got nothing.
    ratios: Vec<f64>,
    /// True if the shares of finished flows decide.
    by_finishing: bool,
}

/// Significance of the difference between two contenders.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Relation {
    /// The first is better: it finishes more of its flows, or the ratio's interval lies above 1.
    Ahead,
    /// The ratio's interval covers 1, or neither got anything.
    Level,
    /// The second is better.
    Behind,
    /// Too few seeds for an interval.
    Unknown,
}

/// True if there is more than one contender: designs in a sweep, or flows beside each other.
pub fn compares(scenario: &Scenario) -> bool {
    let beside = || scenario.points.iter().any(|point| point.setup.flows.len() > 1);
    Designs::of(scenario).is_some() || beside()
}

impl Duels {
    /// The contenders of this outcome, as [`ranking`](super::ranking) ranks them.
    pub fn of(outcome: &Outcome) -> Duels {
        let contest = Contest::of(outcome);
        let (conditions, ranked) = shared(&contest.contenders);
        let seeds = outcome.scenario.seeds.len();
        let all = contest.contenders.iter().zip(&ranked).filter(|(_, ranked)| **ranked);
        let entrants = all.map(|(contender, _)| Entrant {
            name: contender.name.clone(),
            goodput: over_conditions(contender, &conditions, seeds),
            finished: (0..seeds).map(|seed| share(contender, &conditions, seed)).collect(),
        });
        Duels(entrants.collect())
    }

    /// The contender with this name beside that one; `None` if one of them was not measured.
    pub fn duel(&self, one: &str, other: &str) -> Option<Duel> {
        let named = |name: &str| self.0.iter().find(|entrant| entrant.name == name);
        let (one, other) = (named(one)?, named(other)?);
        let seeds = one.finished.len();
        let pairs: Vec<(f64, f64)> = (0..seeds)
            .filter_map(|seed| Some((one.goodput.get(seed)?, other.goodput.get(seed)?)))
            .collect();
        let mean = |side: fn(&(f64, f64)) -> f64| {
            let values: Vec<f64> = pairs.iter().map(side).collect();
            Some(Estimate::within(&values, Metric::Goodput.bounds())?.among(seeds))
        };
        let shares: Vec<(f64, f64)> =
            one.finished.iter().copied().zip(other.finished.iter().copied()).collect();
        let finishing = paired_difference(&shares).filter(|more| more.excludes(0.0));
        let ratio = paired_ratio(&pairs);
        let relation = match (finishing, ratio) {
            _ if pairs.len() < MIN_SEEDS => Relation::Unknown,
            (Some(more), _) if more.mean < 0.0 => Relation::Behind,
            (Some(_), _) => Relation::Ahead,
            (None, Some(ratio)) if ratio.excludes(1.0) && ratio.mean < 1.0 => Relation::Behind,
            (None, Some(ratio)) if ratio.excludes(1.0) => Relation::Ahead,
            (None, None) if pairs.iter().any(|(one, _)| *one > 0.0) => Relation::Ahead,
            (None, _) => Relation::Level,
        };
        let ratios = (0..seeds).map(|seed| {
            let pair = one.goodput.get(seed).zip(other.goodput.get(seed));
            pair.filter(|(_, other)| *other > 0.0).map_or(f64::NAN, |(one, other)| one / other)
        });
        Some(Duel {
            goodputs: [mean(|pair| pair.0)?, mean(|pair| pair.1)?],
            ratio,
            relation,
            ratios: ratios.collect(),
            by_finishing: finishing.is_some(),
        })
    }
}

impl Duel {
    /// The ratio here over that in `before`, a duel of the same two with the same seeds, paired by
    /// seed. `None` where it says nothing: a second contender got nothing, or the shares of
    /// finished flows decide one of the two.
    pub fn shift(&self, before: &Duel) -> Option<Estimate> {
        if self.by_finishing || before.by_finishing {
            return None;
        }
        let both = self.ratios.iter().copied().zip(before.ratios.iter().copied());
        paired_ratio(&both.collect::<Vec<_>>())
    }
}
