//! Notes below the results table.

use atl_scenario::scenario::Metric;

use super::model::{Cell, Table};
use super::starved::starved;
use crate::engines::Trust;
use crate::outcome::Outcome;
use crate::quantity::number;
use crate::stats::{MIN_SEEDS, Survival};

/// Sentences on the table of delays in each network.
pub const OF_NETWORKS: &str = "The queueing delay is the RTT above the smallest that the flow saw in that network. A round trip that crosses a \
                               change of the network belongs to none.";

/// Sentences on the intervals of a table, and on the flows that rates and totals refer to.
pub fn legend(outcome: &Outcome, table: &Table) -> Vec<String> {
    // First, whether the numbers are valid at all.
    let mut sentences: Vec<String> = Trust::of(outcome).iter().map(Trust::words).collect();
    sentences.extend(starved(outcome));
    sentences.push(intervals(outcome.scenario.seeds.len(), table));
    sentences.extend(unvaried(outcome));
    if outcome.scenario.points.iter().any(|point| point.setup.flows.len() > 1) {
        sentences.push(
            "The rate of a flow is over its own active time, and that of a group the mean over its flows; the rate \
             of all flows together is their total: all their bits over the measured interval."
                .to_owned(),
        );
    }
    sentences
}

/// Sentences on the means, medians and intervals of a table.
pub(crate) fn intervals(seeds: usize, table: &Table) -> String {
    let mut out = if seeds >= MIN_SEEDS {
        format!(
            "Mean over {seeds} seeds with its 95 % interval, ± or [low, high]; a number without one was the same with \
             every seed."
        )
    } else {
        let few = if seeds == 1 { "1 seed is".to_owned() } else { format!("{seeds} seeds are") };
        format!("{few} too few for intervals and verdicts: {MIN_SEEDS} are needed.")
    };
    let cells = || table.rows.iter().flatten();
    if cells().any(|cell| matches!(cell, Cell::Number(number) if number.is_partial())) {
        out.push_str(&partial(table));
    }
    let times = cells().filter_map(|cell| match cell {
        Cell::Time(time) => Some(time),
        _ => None,
    });
    let times: Vec<&Survival> = times.collect();
    if !times.is_empty() {
        out.push_str(
            " Times are Kaplan-Meier medians over all flows of all seeds, those that did not finish included.",
        );
    }
    if let Some(open) = times.iter().find(|time| time.median_s.is_none()) {
        out.push_str(&format!(
            " “> {}” says that half of the flows, or more, had not finished by then.",
            number(open.watched_s)
        ));
    }
    if times.iter().any(|time| time.low_s.is_some() && time.high_s.is_none()) {
        out.push_str(" An interval up to ∞ has no upper end, for too few flows finished.");
    }
    out
}

/// Sentence on means that leave seeds out, with the reasons.
fn partial(table: &Table) -> String {
    let mut reasons: Vec<String> = Vec::new();
    for (index, column) in table.columns.iter().enumerate() {
        let mut cells = table.rows.iter().filter_map(|row| row.get(index));
        let partial = cells.any(|cell| matches!(cell, Cell::Number(number) if number.is_partial()));
        let of = column.quantity.filter(|_| partial).and_then(|quantity| {
            Metric::all().find(|metric| metric.descriptor().key == quantity.key)
        });
        if let Some(about) = of.map(Metric::descriptor).filter(|about| !about.missing.is_empty()) {
            let reason = format!("no {} where {}", about.label, about.missing);
            if !reasons.contains(&reason) {
                reasons.push(reason);
            }
        }
    }
    let why = if reasons.is_empty() { String::new() } else { format!(": {}", reasons.join("; ")) };
    format!(
        " A mean marked (n of all) is over the n seeds that have a value, with an interval from {MIN_SEEDS} on{why}."
    )
}

/// Sentence on the points at which all seeds gave the same run.
fn unvaried(outcome: &Outcome) -> Option<String> {
    let points: Vec<usize> = outcome.unvaried().collect();
    let all = outcome.scenario.points.len();
    if points.is_empty() {
        return None;
    }
    let place = if points.len() == all { String::new() } else { places(outcome, &points) };
    let at = if all == 1 {
        String::new()
    } else {
        format!(" at {} of {all} points{place}", points.len())
    };
    Some(format!("Nothing varied between the seeds{at}: each of them gave the same run."))
}

/// Values of the swept variables that these points share and no other has.
fn places(outcome: &Outcome, points: &[usize]) -> String {
    let scenario = &outcome.scenario;
    let text = |point: usize, variable: &str| {
        scenario.points[point].vars.get(variable).map(|value| value.text.as_str())
    };
    let all = 0..scenario.points.len();
    let tells = |variable: &&String| {
        let values: Vec<_> = points.iter().map(|&p| text(p, variable)).collect();
        all.clone().all(|p| points.contains(&p) || !values.contains(&text(p, variable)))
    };
    let Some(variable) = scenario.swept.iter().find(tells) else { return String::new() };
    let mut values: Vec<&str> = Vec::new();
    for value in points.iter().filter_map(|&p| text(p, variable)) {
        if !values.contains(&value) {
            values.push(value);
        }
    }
    format!(" ({variable} = {})", values.join(", "))
}
