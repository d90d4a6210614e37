//! Building the tables of results and verdicts.

use std::collections::{BTreeMap, BTreeSet};

use atl_engine::result::RunResult;
use atl_engine::setup::Source;
use atl_scenario::quote::Claim;
use atl_scenario::scenario::{Metric, Point};

use super::model::{Cell, Column, Table};
use crate::metric::of_run;
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::stats::Estimate;
use crate::verdict::Judged;

/// Metrics of every results table.
const MAIN: [Metric; 6] = [
    Metric::Throughput,
    Metric::Goodput,
    Metric::Loss,
    Metric::Retransmissions,
    Metric::RttMedian,
    Metric::RttP95,
];

/// Additional metrics of live encoders.
const OF_MEDIA: [Metric; 4] =
    [Metric::EncoderRate, Metric::LateFrames, Metric::IncompleteFrames, Metric::Stalled];

fn words(title: &str) -> Column {
    Column { title: title.to_owned(), key: title.to_lowercase().replace(' ', "_"), quantity: None }
}

fn heading(metric: Metric) -> Column {
    let quantity = Quantity::of(metric);
    let title = Quantity::heading(metric).title();
    Column { title, key: quantity.key.to_owned(), quantity: Some(quantity) }
}

fn cell(metric: Metric, point: &Point, runs: &[RunResult], flows: Option<&[usize]>) -> Cell {
    let values: Vec<f64> =
        runs.iter().filter_map(|run| of_run(metric, &point.setup, run, flows)).collect();
    Estimate::within(&values, metric.bounds()).map_or(Cell::Absent, Cell::Number)
}

/// True if the swept variables already name the protocol of every flow, by its own name or by words
/// such as `"CUBIC (RACK)"`: each combination of values has a single protocol, and they are not all
/// the same.
fn variables_name_protocols(outcome: &Outcome) -> bool {
    let scenario = &outcome.scenario;
    let is_word = |variable: &&String| {
        scenario.points.iter().any(|p| p.vars.get(*variable).is_some_and(|v| v.number.is_none()))
    };
    let words: Vec<&String> = scenario.swept.iter().filter(is_word).collect();
    let mut by_words: BTreeMap<(&str, Vec<&str>), &str> = BTreeMap::new();
    let mut labels: BTreeMap<&str, BTreeSet<&str>> = BTreeMap::new();
    let mut said_by_name: BTreeMap<&str, bool> = BTreeMap::new();
    for point in &scenario.points {
        let values: Vec<&str> =
            words.iter().filter_map(|v| Some(point.vars.get(*v)?.text.as_str())).collect();
        for flow in &point.setup.flows {
            let (group, label) = (flow.group.as_str(), flow.protocol.label.as_str());
            if *by_words.entry((group, values.clone())).or_insert(label) != label {
                return false;
            }
            labels.entry(group).or_default().insert(label);
            let said = values.iter().any(|value| *value == flow.protocol.name);
            *said_by_name.entry(group).or_insert(true) &= said;
        }
    }
    labels.iter().all(|(group, labels)| said_by_name[group] || labels.len() > 1)
}

/// The main results: a row for each point and flow group (rates averaged over the group), and one
/// for the total over all flows if there are several groups.
pub fn results(outcome: &Outcome) -> Table {
    let scenario = &outcome.scenario;
    let groups: Vec<Vec<Group>> = scenario.points.iter().map(|p| Group::all(&p.setup)).collect();
    let several = groups.iter().any(|g| g.len() > 1 || g.iter().any(|g| g.flows.len() > 1));
    let protocol = !variables_name_protocols(outcome);
    let completes =
        outcome.results.any(|run| run.flows.iter().any(|flow| flow.completion_s.is_some()));

    let flows = || scenario.points.iter().flat_map(|point| &point.setup.flows);
    let mut metrics = MAIN.to_vec();
    if !flows().any(|flow| !flow.protocol.paces()) {
        // Paced flows do not retransmit.
        metrics.retain(|metric| *metric != Metric::Retransmissions);
    }
    if completes {
        metrics.push(Metric::Completion);
    }
    if flows().any(|flow| flow.protocol.paces()) {
        metrics.push(Metric::Jitter);
    }
    if flows().any(|flow| matches!(flow.source, Source::Media(_))) {
        metrics.extend(OF_MEDIA);
    }
    if several {
        metrics.push(Metric::Jain);
    }
    let variable = |name: &String| Column {
        title: outcome.variable(name).title(),
        key: name.to_lowercase().replace(' ', "_"),
        quantity: None,
    };
    let mut columns: Vec<Column> = scenario.swept.iter().map(variable).collect();
    // Another name for the column if a swept variable already has this one.
    let beside = |title, otherwise| {
        let taken = scenario.swept.iter().any(|variable| variable == title);
        words(if taken { otherwise } else { title })
    };
    if several {
        columns.push(beside("flows", "flow group"));
    }
    if protocol {
        columns.push(beside("protocol", "protocol of the flow"));
    }
    columns.extend(metrics.iter().map(|&m| heading(m)));

    let mut rows = Vec::new();
    for ((point, runs), groups) in outcome.points().zip(&groups) {
        let runs = runs.get();
        let total = (groups.len() > 1).then_some(None);
        for group in groups.iter().map(Some).chain(total) {
            let mut row: Vec<Cell> = Vec::with_capacity(columns.len());
            for variable in &scenario.swept {
                let value = point.vars.get(variable);
                row.push(value.map_or(Cell::Empty, |v| Cell::Text(outcome.label_of(v))));
            }
            if several {
                row.push(Cell::Text(match group {
                    Some(g) if g.flows.len() > 1 => {
                        format!("{} (each of {})", g.name, g.flows.len())
                    }
                    Some(g) => g.name.clone(),
                    None => "all (total)".to_owned(),
                }));
            }
            if protocol {
                row.push(group.map_or(Cell::Empty, |g| Cell::Text(g.protocol.clone())));
            }
            let flows = group.map(|g| g.flows.as_slice());
            for &metric in &metrics {
                let alone = flows.is_some_and(|f| f.len() == 1);
                let skip = metric == Metric::Jain && alone;
                row.push(if skip { Cell::Empty } else { cell(metric, point, &runs, flows) });
            }
            rows.push(row);
        }
    }
    Table { columns, rows }
}

/// The verdicts, with quote, measurement, verdict and reason.
pub fn verdicts(judged: &[Judged]) -> Table {
    let columns = vec![words("Quote"), words("Measured"), words("Verdict"), words("Why")];
    let rows = judged
        .iter()
        .map(|j| {
            vec![
                Cell::Text(format!("{} [{}] ({})", j.quote.text, j.quote.source, j.reading())),
                Cell::Text(measured(j)),
                Cell::Verdict(j.verdict),
                Cell::Text(match &j.quote.note {
                    Some(note) => format!("{} Note: {note}", j.reason),
                    None => j.reason.clone(),
                }),
            ]
        })
        .collect();
    Table { columns, rows }
}

/// The measurements in brief.
pub(crate) fn measured(judged: &Judged) -> String {
    let all = judged.measured.as_slice();
    match &judged.quote.claim {
        _ if all.is_empty() => "–".to_owned(),
        Claim::Value { .. } | Claim::Ratio { .. } => all[0].text.clone(),
        Claim::Order { .. } => {
            let each = all.iter().map(|m| format!("{}: {}", m.of, m.text));
            each.collect::<Vec<_>>().join("; ")
        }
        Claim::Above { tolerance, .. } => {
            let up = all.chunks(2).filter(|p| {
                p.len() == 2 && p[0].estimate.mean > p[1].estimate.mean * (1.0 - tolerance)
            });
            format!("above at {} of {}", up.count(), all.len() / 2)
        }
    }
}
