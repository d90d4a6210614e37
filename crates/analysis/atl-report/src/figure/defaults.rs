//! Figures for a scenario file that defines none, chosen from its variables, networks, flows and
//! samples.

use atl_scenario::scenario::{Figure, FigureKind, Metric, Point, Trace, Value};

use super::networks;
use super::sweep::{At, FLOW, values_at};
use super::time::MAX_CURVES;
use crate::metric::ends;
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

/// Points at which a figure is drawn, each with words for its title. Where the curves are groups of
/// flows, each value of the first variable with words as values (a protocol, say) has a figure of
/// its own, so that none of them is left out.
fn each_place(outcome: &Outcome, series: &str) -> Vec<(At, String)> {
    let by_word = outcome.scenario.swept.iter().find(|v| !numeric(outcome, v));
    let Some(variable) = by_word.filter(|_| series == FLOW) else {
        return vec![(first_point(outcome, &[series]), String::new())];
    };
    let at = |value: &Value| {
        let points = &outcome.scenario.points;
        let has = |point: &&Point| point.vars.get(variable).is_some_and(|v| v.matches(value));
        let swept = outcome.scenario.swept.iter();
        let vars = points.iter().find(has).map(|point| {
            swept.filter_map(|v| Some((v.clone(), point.vars.get(v)?.clone()))).collect()
        });
        (vars.unwrap_or_default(), format!(", {}", outcome.label_of(value)))
    };
    outcome.values_of(variable).iter().take(MAX_DEFAULTS).map(at).collect()
}

/// A figure for each of the points that [`each_place`] finds.
fn at_each_place(
    outcome: &Outcome,
    title: &str,
    series: &str,
    kind: impl Fn(String, At) -> FigureKind,
) -> Vec<Figure> {
    let figure = |(at, words): (At, String)| Figure {
        title: format!("{title}{words}"),
        caption: place(outcome, &at),
        kind: kind(series.to_owned(), at),
    };
    each_place(outcome, series).into_iter().map(figure).collect()
}

/// Goodput in each network, where flows roam and samples were taken.
fn in_networks(outcome: &Outcome) -> Vec<Figure> {
    if !outcome.results.present().samples || !networks::roams(outcome) {
        return Vec::new();
    }
    at_each_place(outcome, "Goodput in each network", &curves(outcome), |series, at| {
        FigureKind::Networks { y: Trace::Goodput, series, at }
    })
}

/// Completion times of flows that end by themselves.
fn completions(outcome: &Outcome) -> Vec<Figure> {
    let mut flows = outcome.scenario.points.iter().flat_map(|p| &p.setup.flows);
    if !flows.any(ends) {
        return Vec::new();
    }
    at_each_place(outcome, "Completion times", &curves(outcome), |series, at| {
        FigureKind::Distribution { x: Metric::Completion, x_log: true, series, at }
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
    let present = outcome.results.present();
    if !several || !present.queueing_p95 {
        return None;
    }
    // Percentiles over packets of different paths do not compare.
    let (x, of) = match present.delays {
        true => (
            Metric::QueueingP95,
            " Delay is the queueing in each network, averaged over the time there.",
        ),
        false => (Metric::RttP95, ""),
    };
    let mut at = first_point(outcome, &[&series]);
    if series == FLOW {
        // A mark for each value of the variable, with its name beside it.
        at.retain(|variable, _| numeric(outcome, variable));
    }
    let better = "Up and to the left is better: much data, little queueing.";
    Some(Figure {
        title: "Goodput and delay".to_owned(),
        caption: format!("{better}{of} {}", place(outcome, &at)).trim_end().to_owned(),
        kind: FigureKind::Scatter { x: x.into(), y: Metric::Goodput.into(), series, at },
    })
}

pub(super) fn defaults(outcome: &Outcome) -> Vec<Figure> {
    let swept = &outcome.scenario.swept;
    let mut figures = in_networks(outcome);
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
                    of: Vec::new(),
                },
            });
        }
    }
    figures.extend(completions(outcome));
    figures.extend(against_delay(outcome));
    if outcome.results.present().samples {
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
            figures.extend(at_each_place(outcome, title, series, |series, at| FigureKind::Time {
                y,
                series,
                at,
                of: Vec::new(),
            }));
        }
    }
    figures
}
