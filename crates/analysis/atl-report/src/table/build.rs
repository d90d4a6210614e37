//! Building the tables of results and verdicts.

use std::collections::{BTreeMap, BTreeSet};

use atl_engine::result::RunResult;
use atl_engine::setup::Source;
use atl_scenario::quote::Claim;
use atl_scenario::scenario::{Metric, Point};

use super::model::{Cell, Column, Table};
use crate::delays::{self, Delay, in_network};
use crate::metric::{ends, of_run, of_seeds, waits_of_run};
use crate::outcome::{Group, Outcome};
use crate::quantity::Quantity;
use crate::stats::Survival;
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
    let values: Vec<Option<f64>> =
        runs.iter().map(|run| of_run(metric, &point.setup, run, flows)).collect();
    of_seeds(&values, metric).map_or(Cell::Absent, Cell::Number)
}

/// The Kaplan-Meier median of a time to an event, over all flows and seeds.
fn time_cells(
    metric: Metric,
    point: &Point,
    runs: &[RunResult],
    flows: Option<&[usize]>,
) -> [Cell; 2] {
    let waits = runs
        .iter()
        .enumerate()
        .flat_map(|(seed, run)| waits_of_run(metric, &point.setup, run, flows, seed));
    Survival::of(&waits.collect::<Vec<_>>())
        .map_or([Cell::Empty, Cell::Empty], |time| [Cell::Text(time.count()), Cell::Time(time)])
}

/// Columns of a time to an event: how many flows lived to see it, and the median of all.
fn time_columns(metric: Metric) -> [Column; 2] {
    let quantity = Quantity::of(metric);
    let count = metric.descriptor().awaits.unwrap_or_default();
    let title = Quantity::median(metric);
    [
        Column { title: count.to_owned(), key: count.to_owned(), quantity: None },
        Column {
            title,
            key: quantity.key.replacen("_s", "_median_s", 1),
            quantity: Some(quantity),
        },
    ]
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

/// The columns in front of the numbers: swept variables, flow group, protocol.
struct Heads<'a> {
    outcome: &'a Outcome,
    /// True if the groups are named.
    several: bool,
    /// True if the protocols are named.
    protocol: bool,
}

impl<'a> Heads<'a> {
    fn of(outcome: &'a Outcome, groups: &[Vec<Group>]) -> Heads<'a> {
        let several = groups.iter().any(|g| g.len() > 1 || g.iter().any(|g| g.flows.len() > 1));
        Heads { outcome, several, protocol: !variables_name_protocols(outcome) }
    }

    fn columns(&self) -> Vec<Column> {
        let Heads { outcome, several, protocol } = *self;
        let swept = &outcome.scenario.swept;
        let variable = |name: &String| Column {
            title: outcome.variable(name).title(),
            key: name.to_lowercase().replace(' ', "_"),
            quantity: None,
        };
        let mut columns: Vec<Column> = swept.iter().map(variable).collect();
        // Another name for the column if a swept variable already has this one.
        let beside = |title, otherwise| {
            let taken = swept.iter().any(|variable| variable == title);
            words(if taken { otherwise } else { title })
        };
        if several {
            columns.push(beside("flows", "flow group"));
        }
        if protocol {
            columns.push(beside("protocol", "protocol of the flow"));
        }
        columns
    }

    /// The cells of a group, or of all flows together.
    fn cells(&self, point: &Point, group: Option<&Group>) -> Vec<Cell> {
        let mut row = Vec::new();
        for variable in &self.outcome.scenario.swept {
            let value = point.vars.get(variable);
            row.push(value.map_or(Cell::Empty, |v| Cell::Text(self.outcome.label_of(v))));
        }
        if self.several {
            row.push(Cell::Text(match group {
                Some(g) if g.flows.len() > 1 => format!("{} (each of {})", g.name, g.flows.len()),
                Some(g) => g.name.clone(),
                None => "all (total)".to_owned(),
            }));
        }
        if self.protocol {
            row.push(group.map_or(Cell::Empty, |g| Cell::Text(g.protocol.clone())));
        }
        row
    }
}

fn groups_of(outcome: &Outcome) -> Vec<Vec<Group>> {
    outcome.scenario.points.iter().map(|point| Group::all(&point.setup)).collect()
}

/// The main results: a row for each point and flow group (rates averaged over the group), and one
/// for the total over all flows if there are several groups.
pub fn results(outcome: &Outcome) -> Table {
    let scenario = &outcome.scenario;
    let groups = groups_of(outcome);
    let heads = Heads::of(outcome, &groups);

    let flows = || scenario.points.iter().flat_map(|point| &point.setup.flows);
    let mut metrics = MAIN.to_vec();
    if !flows().any(|flow| !flow.protocol.paces()) {
        // Paced flows do not retransmit.
        metrics.retain(|metric| *metric != Metric::Retransmissions);
    }
    let present = outcome.results.present();
    if present.delays {
        if !present.rtt_p95 {
            metrics.retain(|metric| !matches!(metric, Metric::RttMedian | Metric::RttP95));
        }
        metrics.push(Metric::QueueingP95);
    }
    if flows().any(|flow| flow.protocol.paces()) {
        metrics.push(Metric::Jitter);
    }
    if present.marked {
        metrics.push(Metric::MarkedShare);
    }
    if flows().any(|flow| matches!(flow.source, Source::Media(_))) {
        metrics.extend(OF_MEDIA);
    }
    if heads.several {
        metrics.push(Metric::Jain);
    }
    let mut columns = heads.columns();
    // Before everything else, since it decides what the other columns are worth.
    let completes = flows().any(ends);
    if completes {
        columns.extend(time_columns(Metric::Completion));
    }
    columns.extend(metrics.iter().map(|&m| heading(m)));

    let mut rows = Vec::new();
    for ((point, runs), groups) in outcome.points().zip(&groups) {
        let runs = runs.get();
        let total = (groups.len() > 1).then_some(None);
        for group in groups.iter().map(Some).chain(total) {
            let mut row = heads.cells(point, group);
            let flows = group.map(|g| g.flows.as_slice());
            if completes {
                row.extend(time_cells(Metric::Completion, point, &runs, flows));
            }
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

/// Delays in each network, a row for each point and flow group; `None` if no flow visits several
/// networks.
pub fn delays(outcome: &Outcome) -> Option<Table> {
    let networks = delays::networks(outcome);
    if networks.is_empty() {
        return None;
    }
    let groups = groups_of(outcome);
    let heads = Heads::of(outcome, &groups);
    let mut columns = heads.columns();
    for network in &networks {
        columns.extend(Delay::ALL.map(|delay| {
            let quantity = delay.quantity();
            let (title, key) =
                (format!("{network}: {}", quantity.title()), format!("{network}_{}", quantity.key));
            Column { title, key, quantity: Some(quantity) }
        }));
    }
    let mut rows = Vec::new();
    for ((point, runs), groups) in outcome.points().zip(&groups) {
        let runs = runs.get();
        for group in groups {
            let mut row = heads.cells(point, Some(group));
            for network in &networks {
                row.extend(Delay::ALL.map(|delay| {
                    let of = |run| in_network(delay, &point.setup, run, &group.flows, network);
                    let values: Vec<Option<f64>> = runs.iter().map(of).collect();
                    of_seeds(&values, delay.metric()).map_or(Cell::Absent, Cell::Number)
                }));
            }
            rows.push(row);
        }
    }
    Some(Table { columns, rows })
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
