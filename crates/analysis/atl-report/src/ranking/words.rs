//! Describing the ranking in words.

use atl_scenario::scenario::Metric;

use super::contenders::{Contest, Finished, Measured};
use super::order::{Place, Ranking, Standing, ranking};
use crate::outcome::Outcome;
use crate::quantity::{Quantity, plus_minus};
use crate::stats::{MIN_SEEDS, Spread};

/// Limit on the names that are listed one by one.
const FEW: usize = 3;

/// Joins names as in `a, b and c`.
fn listed(names: &[String]) -> String {
    match names {
        [] => String::new(),
        [one] => one.clone(),
        [most @ .., last] => format!("{} and {last}", most.join(", ")),
    }
}

impl Place {
    /// True if another share of its flows that end by themselves did.
    fn finishes_unlike(&self, other: &Place) -> bool {
        let [own, other] = [self.finished, other.finished].map(Option::unwrap_or_default);
        own.cmp(other).is_ne()
    }
}

impl Ranking {
    /// The ranked quantity, such as `goodput of backup`, `mean goodput per flow of media`, `total
    /// goodput of all flows`.
    pub fn what(&self) -> String {
        match &self.measured {
            Measured::Only => "goodput".to_owned(),
            Measured::Flow(name) => format!("goodput of {name}"),
            Measured::Group(name) => format!("mean goodput per flow of {name}"),
            Measured::Each => "mean goodput per flow".to_owned(),
            Measured::All => "total goodput of all flows".to_owned(),
            Measured::Groups(names) if names.len() > FEW => {
                format!(
                    "total goodput of the {} flow groups whose design the sweep changes",
                    names.len()
                )
            }
            Measured::Groups(names) => format!("total goodput of {}", listed(names)),
        }
    }

    /// One or two sentences on who leads.
    fn sentence(&self) -> Option<String> {
        let (first, others) = self.places.split_first()?;
        let over = match self.conditions {
            1 => String::new(),
            n => format!(", a mean over {n} conditions"),
        };
        let what = self.what();
        if self.places.iter().all(|place| place.goodput.mean == 0.0) {
            return Some(format!("Nothing arrived: the {what} is 0{over}."));
        }
        let show = |place: &Place| Quantity::of(Metric::Goodput).show(&place.goodput);
        let Some(second) = others.first() else {
            return Some(format!("{} has a {what} of {}{over}.", first.name, show(first)));
        };
        let named = |places: &[&Place]| {
            listed(&places.iter().map(|p| format!("{} ({})", p.name, show(p))).collect::<Vec<_>>())
        };
        if second.standing == Standing::Unknown {
            let seeds = first.goodput.n;
            let seeds = if seeds == 1 { "1 seed".to_owned() } else { format!("{seeds} seeds") };
            let both = format!("{} and {}", named(&[first]), named(&[second]));
            return Some(format!(
                "After {seeds}, {both} have the highest {what}{over}. A ranking takes at least {MIN_SEEDS} seeds."
            ));
        }
        let level: Vec<&Place> =
            others.iter().filter(|place| place.standing == Standing::Level).collect();
        let finishing = |place: &Place| {
            place.finished.map(|all| format!("{} of {}", all.ended, all.of)).unwrap_or_default()
        };
        let mut text = if self.places.iter().any(|place| place.finishes_unlike(first)) {
            let names = match level.as_slice() {
                [] => named(&[second]),
                level => named(level),
            };
            let rest = match level.as_slice() {
                [] => format!("The second, {names}, finished {}", finishing(second)),
                [only] => format!("{names} is level with it and finished {}", finishing(only)),
                many => {
                    let counts: Vec<String> = many.iter().map(|place| finishing(place)).collect();
                    format!("{names} are level with it and finished {}", listed(&counts))
                }
            };
            format!(
                "{} finished {} of its flows and has a {what} of {}{over}. {rest}.",
                first.name,
                finishing(first),
                show(first)
            )
        } else if level.is_empty() {
            let second = match second.to_first.filter(|ratio| ratio.mean > 0.0) {
                Some(ratio) => {
                    format!(
                        "{} comes second with {}, {} of that",
                        second.name,
                        show(second),
                        plus_minus(&ratio)
                    )
                }
                None => format!("{} got nothing", second.name),
            };
            format!("{} has the highest {what}: {}{over}. {second}.", first.name, show(first))
        } else {
            let ratio = match level.len() {
                1 => "of their ratio".to_owned(),
                _ => format!("of each one's ratio to {}", first.name),
            };
            let all: Vec<&Place> = std::iter::once(first).chain(level).collect();
            format!(
                "{} are level in {what}{over}: the 95 % interval {ratio} covers 1.",
                named(&all)
            )
        };
        let some_left = |finished: &Finished| finished.ended < finished.of;
        if first.finished.as_ref().is_some_and(some_left) && !text.contains(" finished ") {
            text.push_str(&format!(" Each finished {} of its flows.", finishing(first)));
        }
        if self.conditions > 1 {
            let n = self.conditions;
            text.push_str(&format!(
                " {} leads in {} of the {n} conditions.",
                first.name, first.leads
            ));
        }
        if self.places.iter().all(|place| place.goodput.spread == Spread::Same) {
            text.push_str(" All seeds gave the same numbers.");
        }
        Some(text)
    }
}

/// The leader with its lead and the number of conditions, or who is level; `None` if nothing was
/// measured.
pub fn headline(outcome: &Outcome) -> Option<String> {
    let ranking = ranking(outcome)?;
    let mut text = ranking.sentence()?;
    if !ranking.left_out.is_empty() {
        let names = match ranking.left_out.as_slice() {
            [some @ .., _, _] if some.len() >= FEW => {
                let others = ranking.left_out.len() - FEW;
                listed(&[&ranking.left_out[..FEW], &[format!("{others} others")]].concat())
            }
            all => listed(all),
        };
        text.push_str(&format!(" Not ranked, because they ran in other conditions: {names}."));
    }
    Some(text)
}

/// The contenders, the variables, the duration and the number of seeds.
pub fn comparison(outcome: &Outcome) -> String {
    let scenario = &outcome.scenario;
    let contest = Contest::of(outcome);
    let names: Vec<String> = contest.contenders.iter().map(|c| c.name.clone()).collect();
    let who = match names.as_slice() {
        [] => "There are no flows".to_owned(),
        [one] => format!("{one} runs alone"),
        names => format!("Compared: {}", listed(names)),
    };
    let conditions = scenario.swept.iter().filter(|v| !contest.variables.contains(v));
    let swept: Vec<String> = conditions
        .filter_map(|variable| {
            let values = outcome.values_of(variable);
            let labels: Vec<String> = values.iter().map(|v| outcome.label_of(v)).collect();
            match labels.as_slice() {
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
        "{who}{over}: {} with {} each, {}{length} on the engine “{}”.",
        count(points, "point"),
        count(seeds, "seed"),
        count(scenario.runs(), "run"),
        outcome.engine.name
    )
}
