//! Order of the contenders over the conditions that they share.

use std::cmp::Ordering;
use std::collections::BTreeSet;

use atl_scenario::scenario::Metric;

use super::contenders::{BySeed, Contender, Contest, Finished, Measured};
use crate::outcome::Outcome;
use crate::stats::{Estimate, Spread, paired_difference, paired_ratio};

/// Contenders of a scenario, ranked by the share of their flows that finished, where flows end by
/// themselves, and then by goodput.
#[derive(Clone, Debug)]
pub struct Ranking {
    /// Places from best to worst.
    pub places: Vec<Place>,
    /// Names of contenders that lack some of the shared conditions.
    pub left_out: Vec<String>,
    /// Number of conditions that the ranked contenders share.
    pub conditions: usize,
    pub(super) measured: Measured,
}

/// A contender's place in the ranking.
#[derive(Clone, Debug)]
pub struct Place {
    /// Name of the contender.
    pub name: String,
    /// Goodput in bits per second, as a mean over the conditions.
    pub goodput: Estimate,
    /// Flows that finished over all conditions and seeds; `None` if none of them ends by itself.
    pub finished: Option<Finished>,
    /// Goodput over that of the first, paired by seed; `None` for the first, and if the first got
    /// nothing.
    pub to_first: Option<Estimate>,
    /// Number of conditions under which no other contender is better, not counting ties of all.
    pub leads: usize,
    /// Significance of its distance to the first.
    pub standing: Standing,
}

/// Significance of a contender's distance to the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Standing {
    /// The best.
    First,
    /// The ratio's interval covers 1, or both goodputs are the same number.
    Level,
    /// The ratio's interval lies below 1, or that of the difference between the shares of finished
    /// flows below 0.
    Behind,
    /// Too few seeds for an interval.
    Unknown,
}

fn mean(values: &BySeed) -> Option<f64> {
    let known: Vec<f64> = values.known().collect();
    Estimate::of(&known).map(|e| e.mean)
}

/// The conditions shared by the most contenders, and which contenders these are.
pub(super) fn shared(contenders: &[Contender]) -> (Vec<&Vec<String>>, Vec<bool>) {
    let measures = |contender: &Contender, condition: &Vec<String>| {
        contender.goodput.get(condition).is_some_and(|values| values.known().next().is_some())
    };
    let conditions: BTreeSet<&Vec<String>> =
        contenders.iter().flat_map(|c| c.goodput.keys()).collect();
    let present = |condition: &Vec<String>| -> Vec<bool> {
        contenders.iter().map(|c| measures(c, condition)).collect()
    };
    let count = |present: &[bool]| present.iter().filter(|p| **p).count();
    let mut best: Vec<bool> = vec![false; contenders.len()];
    for condition in &conditions {
        let here = present(condition);
        if count(&here) > count(&best) {
            best = here;
        }
    }
    let all_there = |condition: &&Vec<String>| {
        present(condition).iter().zip(&best).all(|(here, wanted)| *here || !wanted)
    };
    (conditions.into_iter().filter(all_there).collect(), best)
}

/// Ranks the contenders; `None` if nothing was measured.
pub fn ranking(outcome: &Outcome) -> Option<Ranking> {
    let contest = Contest::of(outcome);
    let (conditions, ranked) = shared(&contest.contenders);
    let seeds = outcome.scenario.seeds.len();
    let (mut left_out, mut all) = (Vec::new(), Vec::new());
    for (contender, ranked) in contest.contenders.iter().zip(&ranked) {
        if *ranked {
            all.push((contender, over_conditions(contender, &conditions, seeds)));
        } else {
            left_out.push(contender.name.clone());
        }
    }
    all.retain(|(_, values)| mean(values).is_some());
    let over_all = |contender: &Contender| -> Finished {
        let shared = conditions.iter().filter_map(|c| contender.finished.get(*c));
        shared.flatten().copied().sum()
    };
    // A transport that leaves flows unfinished is worse, however much it carried of the others.
    all.sort_by(|a, b| {
        let by_goodput = || mean(&b.1).unwrap_or(0.0).total_cmp(&mean(&a.1).unwrap_or(0.0));
        over_all(b.0).cmp(over_all(a.0)).then_with(by_goodput)
    });
    let (best, first) = all.first()?;
    let bounds = || Metric::Goodput.bounds();
    let places = all.iter().enumerate().filter_map(|(place, (contender, values))| {
        let known: Vec<f64> = values.known().collect();
        let goodput = Estimate::within(&known, bounds())?.among(seeds);
        let pairs: Vec<(f64, f64)> =
            (0..seeds).filter_map(|seed| Some((values.get(seed)?, first.get(seed)?))).collect();
        let to_first = (place > 0).then(|| paired_ratio(&pairs)).flatten();
        let shares: Vec<(f64, f64)> = (0..seeds)
            .map(|s| (share(contender, &conditions, s), share(best, &conditions, s)))
            .collect();
        let finishes_less =
            paired_difference(&shares).is_some_and(|d| d.excludes(0.0) && d.mean < 0.0);
        let standing = match (place, to_first) {
            (0, _) => Standing::First,
            (_, Some(ratio)) if ratio.spread == Spread::TooFew => Standing::Unknown,
            _ if finishes_less => Standing::Behind,
            (_, Some(ratio)) if ratio.excludes(1.0) && ratio.mean < 1.0 => Standing::Behind,
            (_, Some(_)) => Standing::Level,
            // Neither this one nor the first got anything.
            (_, None) => Standing::Level,
        };
        let leads = conditions.iter().filter(|c| leads(contender, c, &all)).count();
        let finished = Some(over_all(contender)).filter(|finished| finished.of > 0);
        let name = contender.name.clone();
        Some(Place { name, goodput, finished, to_first, leads, standing })
    });
    let places = places.collect();
    Some(Ranking { places, left_out, conditions: conditions.len(), measured: contest.measured })
}

/// Mean over the conditions for each seed.
pub(super) fn over_conditions(
    contender: &Contender,
    conditions: &[&Vec<String>],
    seeds: usize,
) -> BySeed {
    let at = |seed: usize| {
        let values: Option<Vec<f64>> =
            conditions.iter().map(|c| contender.goodput.get(*c)?.get(seed)).collect();
        values.filter(|v| !v.is_empty()).map(|v| v.iter().sum::<f64>() / v.len() as f64)
    };
    (0..seeds).map(at).collect()
}

/// Share of a contender's flows that finished with a seed.
pub(super) fn share(contender: &Contender, conditions: &[&Vec<String>], seed: usize) -> f64 {
    let at = |condition: &&Vec<String>| contender.finished.get(*condition)?.get(seed).copied();
    conditions.iter().filter_map(at).sum::<Finished>().share()
}

type WithValues<'a> = (&'a Contender, BySeed);

fn leads(contender: &Contender, condition: &Vec<String>, all: &[WithValues<'_>]) -> bool {
    let at = |c: &Contender| {
        let finished: Finished = c.finished.get(condition).into_iter().flatten().copied().sum();
        (finished, c.goodput.get(condition).and_then(mean).unwrap_or(0.0))
    };
    let own = at(contender);
    let against = |other: &Contender| {
        let other = at(other);
        own.0.cmp(other.0).then_with(|| own.1.total_cmp(&other.1))
    };
    let others = || all.iter().map(|(other, _)| against(other));
    others().all(Ordering::is_ge) && others().any(Ordering::is_gt)
}
