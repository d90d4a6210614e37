//! What is compared and what leads, in words, computed from the results.

use std::collections::{BTreeMap, BTreeSet};

use atl_scenario::scenario::{Metric, Point};

use crate::metric::of_run;
use crate::outcome::Outcome;
use crate::quantity::{Quantity, plus_minus};
use crate::stats::{Estimate, paired_ratio};

/// Goodput of a contender, by condition and seed.
type ByCondition = BTreeMap<Vec<String>, Vec<Option<f64>>>;

/// What is compared: protocols if they differ, otherwise flow groups.
struct Contender {
    name: String,
    goodput: ByCondition,
}

/// The conditions of a point: the values of its swept variables, without those that name a protocol.
fn condition(outcome: &Outcome, point: &Point) -> Vec<String> {
    let is_protocol = |text: &str| point.setup.flows.iter().any(|f| f.protocol.name == text);
    let values = outcome.scenario.swept.iter().filter_map(|v| Some((v, point.vars.get(v)?)));
    values
        .filter(|(_, value)| !is_protocol(&value.text))
        .map(|(v, value)| format!("{v} = {}", value.text))
        .collect()
}

fn contenders(outcome: &Outcome) -> Vec<Contender> {
    let flows = || outcome.scenario.points.iter().flat_map(|p| &p.setup.flows);
    let protocols: BTreeSet<&str> = flows().map(|f| f.protocol.label.as_str()).collect();
    let by_protocol = protocols.len() > 1;
    let mut all: Vec<Contender> = Vec::new();
    for flow in flows() {
        let name = if by_protocol { &flow.protocol.label } else { &flow.group };
        if !all.iter().any(|c| c.name == *name) {
            all.push(Contender { name: name.clone(), goodput: ByCondition::new() });
        }
    }
    for contender in &mut all {
        for (point, runs) in outcome.points() {
            let own = |i: &usize| {
                let flow = &point.setup.flows[*i];
                contender.name
                    == if by_protocol { flow.protocol.label.as_str() } else { flow.group.as_str() }
            };
            let flows: Vec<usize> = (0..point.setup.flows.len()).filter(own).collect();
            if flows.is_empty() {
                continue;
            }
            let goodput = runs
                .iter()
                .map(|r| of_run(Metric::Goodput, &point.setup, r, Some(&flows)))
                .collect();
            contender.goodput.insert(condition(outcome, point), goodput);
        }
    }
    all
}

/// Mean over the conditions for each seed.
fn over_conditions(
    goodput: &ByCondition,
    conditions: &[&Vec<String>],
    seeds: usize,
) -> Vec<Option<f64>> {
    (0..seeds)
        .map(|s| {
            let values: Option<Vec<f64>> =
                conditions.iter().map(|c| goodput.get(*c)?.get(s).copied().flatten()).collect();
            values.filter(|v| !v.is_empty()).map(|v| v.iter().sum::<f64>() / v.len() as f64)
        })
        .collect()
}

fn mean(values: &[Option<f64>]) -> Option<f64> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    Estimate::of(&known).map(|e| e.mean)
}

/// Which contender has the highest goodput, by how much, and over how many conditions; the goodput of a single
/// contender.
pub(super) fn headline(outcome: &Outcome) -> Option<String> {
    let quantity = Quantity::of(Metric::Goodput);
    let seeds = outcome.scenario.seeds.len();
    let mut all = contenders(outcome);
    // A fair comparison needs conditions under which all of them ran.
    let first = all.first()?.goodput.clone();
    let common: Vec<&Vec<String>> =
        first.keys().filter(|k| all.iter().all(|c| c.goodput.contains_key(*k))).collect();
    if common.is_empty() {
        return None;
    }
    all.retain(|c| mean(&over_conditions(&c.goodput, &common, seeds)).is_some());
    let mut ranked: Vec<(Contender, Vec<Option<f64>>)> = all
        .into_iter()
        .map(|c| {
            let values = over_conditions(&c.goodput, &common, seeds);
            (c, values)
        })
        .collect();
    ranked.sort_by(|a, b| mean(&b.1).unwrap_or(0.0).total_cmp(&mean(&a.1).unwrap_or(0.0)));
    let (best, values) = ranked.first()?;
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    let goodput = quantity.show(&Estimate::of(&known)?);
    let over = match common.len() {
        1 => String::new(),
        n => format!(" on average over {n} conditions"),
    };
    let Some((second, others)) = ranked.get(1) else {
        return Some(format!("{} has a goodput of {goodput}{over}.", best.name));
    };
    let pairs: Vec<(f64, f64)> =
        values.iter().zip(others).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    let lead = paired_ratio(&pairs);
    let against = match lead {
        Some(ratio) if !ratio.excludes(1.0) => format!(
            "; {} is second, but the difference is not significant: the 95 % interval of the ratio, {}, covers 1",
            second.name,
            plus_minus(&ratio)
        ),
        Some(ratio) => {
            format!(", {} times that of {}, which is second", plus_minus(&ratio), second.name)
        }
        None => format!(", ahead of {}", second.name),
    };
    let mut text = format!("{} has the highest goodput: {goodput}{over}{against}.", best.name);
    if common.len() > 1 {
        let ahead = common.iter().filter(|c| {
            let at = |contender: &Contender| {
                contender.goodput.get(**c).and_then(|v| mean(v)).unwrap_or(0.0)
            };
            ranked[1..].iter().all(|(other, _)| at(best) > at(other))
        });
        text.push_str(&format!(" It leads under {} of them.", ahead.count(),));
    }
    if seeds == 1 {
        text.push_str(" With a single seed, a difference may be due to chance.");
    }
    Some(text)
}

/// What is compared, over which variables, for how long and how often.
pub(super) fn comparison(outcome: &Outcome) -> String {
    let scenario = &outcome.scenario;
    let names: Vec<String> = contenders(outcome).into_iter().map(|c| c.name).collect();
    let who = match names.as_slice() {
        [] => "There are no flows".to_owned(),
        [one] => format!("{one} runs alone"),
        [most @ .., last] => format!("{} and {last} are compared", most.join(", ")),
    };
    let swept: Vec<String> = scenario
        .swept
        .iter()
        .filter_map(|variable| {
            let values = outcome.values_of(variable);
            let labels: Vec<String> = values.iter().map(|v| outcome.label_of(v)).collect();
            let is_protocol =
                values.iter().zip(&labels).all(|(v, l)| v.number.is_none() && names.contains(l));
            match labels.as_slice() {
                _ if is_protocol => None,
                [] | [_] => None,
                [a, .., z] if labels.len() > 4 => {
                    Some(format!("{variable} from {a} to {z} ({} values)", labels.len()))
                }
                few => Some(format!("{variable} = {}", few.join(", "))),
            }
        })
        .collect();
    let over = if swept.is_empty() { String::new() } else { format!(" over {}", swept.join("; ")) };
    let (points, seeds) = (scenario.points.len(), scenario.seeds.len());
    let count = |n: usize, word: &str| {
        if n == 1 { format!("one {word}") } else { format!("{n} {word}s") }
    };
    let length = scenario.points.iter().map(|p| p.setup.duration).max();
    let length = length.map_or(String::new(), |l| format!(" of {l}"));
    format!(
        "{who}{over}: {} with {} each, {}{length} on the host “{}”.",
        count(points, "point"),
        count(seeds, "seed"),
        count(scenario.runs(), "run"),
        outcome.host.name
    )
}
