//! Figures for a scenario file that defines none, chosen from its variables, networks, flows and
//! samples.

use atl_engine::result::RunResult;
use atl_engine::setup::Source;
use atl_scenario::scenario::{Figure, FigureKind, Metric, Trace};

use super::networks;
use super::sweep::{At, FLOW, values_at};
use super::time::MAX_CURVES;
use crate::outcome::Outcome;

/// Limit on the figures of a sweep.
const MAX_DEFAULTS: usize = 6;

/// True if all values of a variable are numbers.
fn numeric(outcome: &Outcome, variable: &str) -> bool {
    outcome.values_of(variable).iter().all(|v| v.number.is_some())
}

/// True if the values of a variable span a range that needs a logarithmic axis.
fn spread(outcome: &Outcome, variable: &str) -> bool {
    let numbers: Vec<f64> = outcome.values_of(variable).iter().filter_map(|v| v.number).collect();
    let least = numbers.iter().copied().fold(f64::INFINITY, f64::min);
    let most = numbers.iter().copied().fold(0.0, f64::max);
    least > 0.0 && most / least >= 50.0
}

/// Variable for the x axis: the numeric one with the most values, otherwise the first.
fn along(outcome: &Outcome) -> Option<&String> {
    let swept = &outcome.scenario.swept;
    let mut numbers: Vec<&String> = swept.iter().filter(|v| numeric(outcome, v)).collect();
    numbers.sort_by_key(|v| std::cmp::Reverse(outcome.values_of(v).len()));
    numbers.first().copied().or(swept.first())
}

fn several_groups(outcome: &Outcome) -> bool {
    outcome.scenario.points.iter().any(|p| crate::Group::all(&p.setup).len() > 1)
}

/// Values of the swept variables at the first point, without the variables in `but`.
fn first_point(outcome: &Outcome, but: &[&str]) -> At {
    let Some(point) = outcome.scenario.points.first() else {
        return At::new();
    };
    let others = outcome.scenario.swept.iter().filter(|v| !but.contains(&v.as_str()));
    others.filter_map(|v| Some((v.clone(), point.vars.get(v)?.clone()))).collect()
}

/// Variable for the curves of a figure without a variable along x: the first with words as values,
/// otherwise the first.
fn curves(outcome: &Outcome) -> String {
    let swept = &outcome.scenario.swept;
    let by_word = swept.iter().find(|v| !numeric(outcome, v)).or(swept.first());
    by_word.filter(|_| !several_groups(outcome)).map_or(FLOW, String::as_str).to_owned()
}

/// Caption such as `At p_w = 1e-2.` for a figure that shows only some points.
fn place(outcome: &Outcome, at: &At) -> String {
    let parts: Vec<String> =
        at.iter().map(|(k, v)| outcome.variable(k).with(&outcome.label_of(v))).collect();
    if parts.is_empty() { String::new() } else { format!("At {}.", parts.join(", ")) }
}

/// Goodput in each network, where flows roam and samples were taken.
fn in_networks(outcome: &Outcome) -> Option<Figure> {
    let sampled = outcome.results.any(|run| !run.samples.is_empty());
    if !sampled || !networks::roams(outcome) {
        return None;
    }
    let series = curves(outcome);
    let at = first_point(outcome, &[&series]);
    Some(Figure {
        title: "Goodput in each network".to_owned(),
        caption: place(outcome, &at),
        kind: FigureKind::Networks { y: Trace::Goodput, series, at },
    })
}

/// Completion times of flows that end by themselves.
fn completions(outcome: &Outcome) -> Option<Figure> {
    let mut flows = outcome.scenario.points.iter().flat_map(|p| &p.setup.flows);
    if !flows.any(|flow| matches!(flow.source, Source::Fixed { .. })) {
        return None;
    }
    let series = curves(outcome);
    let at = first_point(outcome, &[&series]);
    Some(Figure {
        title: "Completion times".to_owned(),
        caption: place(outcome, &at),
        kind: FigureKind::Distribution { x: Metric::Completion, x_log: true, series, at },
    })
}

/// Goodput against delay, where something is compared.
fn against_delay(outcome: &Outcome) -> Option<Figure> {
    let series = curves(outcome);
    let several = match series.as_str() {
        FLOW => several_groups(outcome),
        // More curves could not be told apart.
        variable => (2..=MAX_CURVES).contains(&outcome.values_of(variable).len()),
    };
    let measured = |run: &RunResult| run.flows.iter().any(|flow| flow.rtt_p95_s.is_some());
    if !several || !outcome.results.any(measured) {
        return None;
    }
    let at = first_point(outcome, &[&series]);
    let better = "Up and to the left is better: much data, little queueing.";
    Some(Figure {
        title: "Goodput and delay".to_owned(),
        caption: format!("{better} {}", place(outcome, &at)).trim_end().to_owned(),
        kind: FigureKind::Scatter {
            x: Metric::RttP95.into(),
            y: Metric::Goodput.into(),
            series,
            at,
        },
    })
}

pub(super) fn defaults(outcome: &Outcome) -> Vec<Figure> {
    let swept = &outcome.scenario.swept;
    let mut figures: Vec<Figure> = in_networks(outcome).into_iter().collect();
    let x = along(outcome);
    if let Some(x) = x {
        let by_word = swept.iter().find(|v| *v != x && !numeric(outcome, v));
        let series = match by_word.or(swept.iter().find(|v| *v != x)) {
            Some(variable) if !several_groups(outcome) => variable.as_str(),
            _ => FLOW,
        };
        // One figure for each combination of the variables that are neither along x nor curves.
        let mut places = vec![At::new()];
        for variable in swept.iter().filter(|v| *v != x && *v != series) {
            let mut more = Vec::new();
            for at in &places {
                for value in values_at(outcome, at, variable) {
                    let mut at = at.clone();
                    at.insert(variable.clone(), value);
                    more.push(at);
                }
            }
            places = more;
        }
        for at in places.into_iter().take(MAX_DEFAULTS) {
            let place: Vec<String> =
                at.iter().map(|(k, v)| outcome.variable(k).with(&outcome.label_of(v))).collect();
            let place =
                if place.is_empty() { String::new() } else { format!(", {}", place.join(", ")) };
            figures.push(Figure {
                title: format!("Goodput against {}{place}", outcome.variable(x).name),
                caption: if series == FLOW {
                    "Each curve is a flow group; its goodput is the mean over its flows.".to_owned()
                } else {
                    "Goodput of all flows together.".to_owned()
                },
                kind: FigureKind::Sweep {
                    x: x.clone(),
                    x_log: spread(outcome, x),
                    y: Metric::Goodput.into(),
                    series: series.to_owned(),
                    at,
                },
            });
        }
    }
    figures.extend(completions(outcome));
    figures.extend(against_delay(outcome));
    if outcome.results.any(|run| !run.samples.is_empty()) {
        let flows = outcome.scenario.points.iter().any(|p| p.setup.flows.len() > 1);
        let by_word = swept.iter().find(|v| !numeric(outcome, v)).or(swept.first());
        let series = by_word.filter(|_| !flows).map_or(FLOW, String::as_str);
        let paced = outcome
            .scenario
            .points
            .iter()
            .any(|p| p.setup.flows.iter().any(|flow| flow.protocol.paces()));
        // The window would leave out paced flows, while all flows have a rate.
        let decided = if paced {
            ("Sending rate over time", Trace::Rate)
        } else {
            ("cwnd over time", Trace::Cwnd)
        };
        for (title, y) in [decided, ("Goodput over time", Trace::Goodput)] {
            let at = first_point(outcome, &[series]);
            let caption = place(outcome, &at);
            let kind = FigureKind::Time { y, series: series.to_owned(), at, of: Vec::new() };
            figures.push(Figure { title: title.to_owned(), caption, kind });
        }
    }
    figures
}
