//! The columns of each file.

use std::collections::BTreeMap;

use atl_core::time::Span;
use atl_scenario::result::{AdaptationResult, FlowResult, MediaResult, RunResult};
use atl_scenario::scenario::{Metric, Trace};

use super::WITHOUT;
use super::rows::{FlowRow, LinkRow, Row, RunRow, SampleRow};
use crate::metric::{of_flow, of_run};
use crate::outcome::Outcome;
use crate::recovery::{Recovery, recovery};
use crate::visits::network_name;

/// A column of a table whose rows are `R`.
pub(super) struct Column<R> {
    pub(super) name: String,
    pub(super) kind: ColumnType,
    read: Read<R>,
}

/// How a value is read from a row.
enum Read<R> {
    Plain(fn(&R) -> Field),
    /// With what the column is about: a metric, a variable.
    About(Box<dyn Fn(&R) -> Field>),
}

/// Type of a column's values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum ColumnType {
    Text,
    Int,
    Float,
}

/// A value, of the column's type or missing.
pub(super) enum Field {
    Text(String),
    Int(i64),
    Float(f64),
    Missing,
}

impl From<Option<f64>> for Field {
    /// A value that is not finite (ssthresh before the first loss) is missing.
    fn from(value: Option<f64>) -> Field {
        value.filter(|v| v.is_finite()).map_or(Field::Missing, Field::Float)
    }
}

impl From<f64> for Field {
    fn from(value: f64) -> Field {
        Field::from(Some(value))
    }
}

impl From<u64> for Field {
    /// Counts stay far below 2^63; the integers of data files are signed.
    fn from(value: u64) -> Field {
        Field::Int(i64::try_from(value).unwrap_or(i64::MAX))
    }
}

impl From<Option<u64>> for Field {
    fn from(value: Option<u64>) -> Field {
        value.map_or(Field::Missing, Field::from)
    }
}

impl From<&str> for Field {
    fn from(value: &str) -> Field {
        Field::Text(value.to_owned())
    }
}

impl<R> Column<R> {
    pub(super) fn field(&self, row: &R) -> Field {
        match &self.read {
            Read::Plain(read) => read(row),
            Read::About(read) => read(row),
        }
    }

    /// A column that reads each row with what it captures.
    fn about(kind: ColumnType, name: &str, read: impl Fn(&R) -> Field + 'static) -> Column<R> {
        Column { name: name.to_owned(), kind, read: Read::About(Box::new(read)) }
    }
}

fn column<R>(kind: ColumnType, name: &str, read: fn(&R) -> Field) -> Column<R> {
    Column { name: name.to_owned(), kind, read: Read::Plain(read) }
}

fn text<R>(name: &str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Text, name, read)
}

fn int<R>(name: &str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Int, name, read)
}

fn float<R>(name: &str, read: fn(&R) -> Field) -> Column<R> {
    column(ColumnType::Float, name, read)
}

fn vars_json(row: &RunRow<'_>) -> String {
    let vars = &row.point.vars;
    let texts: BTreeMap<&str, &str> =
        vars.iter().map(|(name, value)| (name.as_str(), value.text.as_str())).collect();
    serde_json::json!(texts).to_string()
}

/// Columns that identify a run: they are in every file, so that each file can be used alone. The outcomes are those of one
/// scenario, on one host or several.
fn key_columns<R: Row>(outcomes: &[Outcome]) -> Vec<Column<R>> {
    let mut columns = vec![
        text("scenario", |r: &R| r.run().outcome.scenario.name.as_str().into()),
        text("scenario_hash", |r: &R| r.run().outcome.scenario.hash.as_str().into()),
        text("host", |r: &R| r.run().outcome.host.name.as_str().into()),
        text("version", |r: &R| r.run().outcome.version.as_str().into()),
    ];
    // A host that is part of the program has the program's version.
    if outcomes.iter().any(|outcome| outcome.host.version != outcome.version) {
        columns.push(text("host_version", |r: &R| r.run().outcome.host.version.as_str().into()));
    }
    if outcomes.iter().any(|outcome| outcome.scenario.without.is_some()) {
        columns.push(text(WITHOUT, |r: &R| {
            r.run().outcome.scenario.without.map_or(Field::Missing, |a| a.name().into())
        }));
    }
    columns.push(int("point", |r: &R| (r.run().point_index as u64).into()));
    let Some(outcome) = outcomes.first() else { return columns };
    for variable in &outcome.scenario.swept {
        let name = format!("var_{variable}");
        let variable = variable.clone();
        // A variable is a number only if it is one at every point.
        let numeric = outcome.values_of(&variable).iter().all(|v| v.number.is_some());
        columns.push(if numeric {
            Column::about(ColumnType::Float, &name, move |r: &R| {
                r.run().point.vars.get(&variable).and_then(|v| v.number).into()
            })
        } else {
            Column::about(ColumnType::Text, &name, move |r: &R| {
                let value = r.run().point.vars.get(&variable);
                value.map_or(Field::Missing, |v| v.text.as_str().into())
            })
        });
    }
    columns.push(int("seed", |r: &R| r.run().seed.into()));
    columns
}

/// A metric of all flows together, under its own name.
fn total<'a>(metric: Metric) -> Column<RunRow<'a>> {
    Column::about(ColumnType::Float, metric.descriptor().key, move |r: &RunRow<'_>| {
        of_run(metric, &r.point.setup, &r.run, None).into()
    })
}

/// A metric of a flow, under its own name.
fn metric<'a>(metric: Metric) -> Column<FlowRow<'a>> {
    Column::about(ColumnType::Float, metric.descriptor().key, move |r: &FlowRow<'_>| {
        of_flow(metric, &r.run.point.setup, &r.run.run, r.index).into()
    })
}

/// A trace of a sample, under its own name.
fn trace<'a>(trace: Trace) -> Column<SampleRow<'a>> {
    let about = trace.descriptor();
    Column::about(ColumnType::Float, about.key, move |r: &SampleRow<'_>| {
        let flow = r.run.point.setup.flows.get(r.sample.flow as usize);
        flow.and_then(|flow| (about.value)(flow, &r.sample)).into()
    })
}

/// True if this holds for a run of any outcome.
fn any_run(outcomes: &[Outcome], is: impl Fn(&RunResult) -> bool) -> bool {
    outcomes.iter().any(|outcome| outcome.results.any(&is))
}

pub(super) fn run_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<RunRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        text("vars", |r| Field::Text(vars_json(r))),
        int("flows", |r: &RunRow<'_>| (r.run.flows.len() as u64).into()),
        total(Metric::Throughput),
        total(Metric::Goodput),
        total(Metric::Jain),
        int("events", |r| r.run.events.into()),
    ]);
    if any_run(outcomes, |run| run.lateness.is_some()) {
        columns.extend([
            float("lateness_p50_s", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p50_s).into()),
            float("lateness_p90_s", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p90_s).into()),
            float("lateness_p99_s", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p99_s).into()),
            float("late_share", |r: &RunRow<'_>| r.run.lateness.map(|l| l.late_share).into()),
        ]);
    }
    if any_run(outcomes, |run| run.datagrams.is_some()) {
        columns.extend([
            int("missing_datagrams", |r: &RunRow<'_>| r.run.datagrams.map(|d| d.missing).into()),
            int("refused_datagrams", |r: &RunRow<'_>| r.run.datagrams.map(|d| d.refused).into()),
        ]);
    }
    columns
}

pub(super) fn flow_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<FlowRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        int("flow", |r: &FlowRow<'_>| (r.index as u64).into()),
        text("name", |r| r.setup.name.as_str().into()),
        text("group", |r| r.setup.group.as_str().into()),
        text("protocol", |r| r.setup.protocol.name.as_str().into()),
        float("active_s", |r| r.flow.active_s.into()),
        metric(Metric::Throughput),
        metric(Metric::Goodput),
        int("sent", |r| r.flow.sent.into()),
        int("copies", |r| r.flow.copies.into()),
        int("under_way_before", |r| r.flow.under_way_before.into()),
        int("under_way_after", |r| r.flow.under_way_after.into()),
        int("arrived", |r| r.flow.arrived.into()),
        int("delivered", |r| r.flow.delivered.into()),
        int("dropped", |r| r.flow.dropped.into()),
        int("lost", |r| r.flow.lost.into()),
        int("retransmissions", |r| r.flow.retransmissions.into()),
        int("timeouts", |r| r.flow.timeouts.into()),
        int("recoveries", |r| r.flow.recoveries.into()),
        int("quench_reactions", |r| r.flow.quench_reactions.into()),
        metric(Metric::RttMedian),
        metric(Metric::RttP95),
        float("rtt_min_s", |r| r.flow.rtt_min_s.into()),
        metric(Metric::Completion),
        metric(Metric::Jitter),
        metric(Metric::GapJitter),
        metric(Metric::Offered),
        metric(Metric::NormalizedThroughput),
        metric(Metric::Delay),
        int("frames", |r| media(r, |m| m.frames)),
        int("frames_late", |r| media(r, |m| m.late)),
        int("frames_incomplete", |r| media(r, |m| m.incomplete)),
        int("stalls", |r| media(r, |m| m.stalls)),
        float("stalled_s", |r| r.flow.media.map(|m| m.stalled_s).into()),
        metric(Metric::EncoderRate),
        metric(Metric::CellErrors),
        int("aal_offered", |r| adaptation(r, |a| a.offered)),
        int("aal_refused", |r| adaptation(r, |a| a.refused)),
        int("aal_delivered", |r| adaptation(r, |a| a.delivered)),
        int("aal_undetected", |r| adaptation(r, |a| a.undetected)),
        int("pdus", |r| adaptation(r, |a| a.pdus)),
        int("pdus_retransmitted", |r| adaptation(r, |a| a.retransmitted)),
        int("pdus_wrong", |r| adaptation(r, |a| a.wrong)),
        int("aal_sent_whole_again", |r| adaptation(r, |a| a.sent_whole_again)),
        int("statuses", |r| adaptation(r, |a| a.statuses)),
        int("cells", |r| adaptation(r, |a| a.cells)),
        int("control_cells", |r| adaptation(r, |a| a.control_cells)),
        int("cells_lost", |r| adaptation(r, |a| a.cells_lost)),
        int("cells_astray", |r| adaptation(r, |a| a.cells_astray)),
        int("cells_damaged", |r| adaptation(r, |a| a.cells_damaged)),
        int("quenches", |r| adaptation(r, |a| a.quenches)),
        int("arq_payload_octets", |r| r.flow.adaptation.and_then(|a| a.payload_octets).into()),
        metric(Metric::BitErrors),
        metric(Metric::Recovery),
        int("recovered", |r| recovery_of(r).map(|r| u64::from(r.recovered)).into()),
    ]);
    append_new_metrics(&mut columns);
    append_present(&mut columns, outcomes);
    columns
}

/// Metrics that have a column and none above yet: new ones come last, so that the others stay where they are.
fn append_new_metrics(columns: &mut Vec<Column<FlowRow<'_>>>) {
    for new in Metric::all().filter(|m| m.descriptor().in_flows) {
        if columns.iter().all(|c| c.name != new.descriptor().key) {
            columns.push(metric(new));
        }
    }
}

/// How a value that some hosts cannot know is read.
type Known<T> = fn(&FlowResult) -> Option<T>;

/// Appends columns for values that only some hosts measure, if any flow has one. So the files of hosts that measure none
/// do not change when such a column is added to the program.
fn append_present<'a>(columns: &mut Vec<Column<FlowRow<'a>>>, outcomes: &[Outcome]) {
    let any = |is: &dyn Fn(&FlowResult) -> bool| any_run(outcomes, |run| run.flows.iter().any(is));
    let counts: [(&str, Known<u64>); 7] = [
        ("spurious_losses", |f| f.spurious_losses),
        ("duplicates", |f| f.duplicates),
        ("reordered", |f| f.reordered),
        ("probe_bytes", |f| f.probe_bytes),
        ("forged_bytes", |f| f.forged_bytes),
        ("handoffs", |f| f.handoffs),
        ("delivery_stalls", |f| f.stalls.map(|s| s.count)),
    ];
    for (name, count) in counts {
        if any(&|f| count(f).is_some()) {
            columns.push(Column::about(ColumnType::Int, name, move |r: &FlowRow<'_>| {
                count(&r.flow).into()
            }));
        }
    }
    let times: [(&str, Known<f64>); 2] = [
        ("delivery_stalled_s", |f| f.stalls.map(|s| s.total_s)),
        ("longest_stall_s", |f| f.stalls.map(|s| s.longest_s)),
    ];
    for (name, time) in times {
        if any(&|f| time(f).is_some()) {
            columns.push(Column::about(ColumnType::Float, name, move |r: &FlowRow<'_>| {
                time(&r.flow).into()
            }));
        }
    }
}

fn media(row: &FlowRow<'_>, count: fn(MediaResult) -> u64) -> Field {
    row.flow.media.map_or(Field::Missing, |media| count(media).into())
}

fn adaptation(row: &FlowRow<'_>, count: fn(AdaptationResult) -> u64) -> Field {
    row.flow.adaptation.map_or(Field::Missing, |of| count(of).into())
}

fn recovery_of(row: &FlowRow<'_>) -> Option<Recovery> {
    recovery(&row.run.point.setup, &row.run.run, row.index)
}

fn node<'a>(row: &LinkRow<'a>, index: usize) -> Field {
    row.run.point.setup.nodes.get(index).map_or(Field::Missing, |name| name.as_str().into())
}

pub(super) fn link_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<LinkRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        int("link", |r: &LinkRow<'_>| (r.index as u64).into()),
        text("name", |r| r.setup.name.as_str().into()),
        text("from", |r| node(r, r.setup.from)),
        text("to", |r| node(r, r.setup.to)),
        int("offered", |r| r.link.offered.into()),
        int("delivered", |r| r.link.delivered.into()),
        int("dropped", |r| r.link.dropped.into()),
        int("lost", |r| r.link.lost.into()),
        int("held", |r| r.link.held.into()),
        int("delivered_bytes", |r| r.link.delivered_bytes.into()),
        int("local_retransmissions", |r| r.link.local_retransmissions.into()),
        float("trace_offset_s", |r| r.link.trace_offset.map(Span::secs).into()),
    ]);
    columns
}

pub(super) fn sample_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<SampleRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        float("time_s", |r: &SampleRow<'_>| r.sample.time_s.into()),
        int("flow", |r| u64::from(r.sample.flow).into()),
        int("network", |r| u64::from(r.sample.network).into()),
        trace(Trace::Cwnd),
        float("ssthresh", |r| r.sample.ssthresh.into()),
        float("rate_bps", |r| r.sample.rate_bps.into()),
        trace(Trace::Encoder),
        int("in_flight", |r| u64::from(r.sample.in_flight).into()),
        trace(Trace::Srtt),
        trace(Trace::Throughput),
        trace(Trace::Goodput),
        int("delivered_bytes", |r| r.sample.delivered_bytes.into()),
        int("wire_bytes", |r| r.sample.wire_bytes.into()),
        trace(Trace::Jitter),
        trace(Trace::Alpha),
        float("beta", |r| r.sample.beta.into()),
        trace(Trace::Losses),
        text("flow_name", |r: &SampleRow<'_>| {
            let flow = r.run.point.setup.flows.get(r.sample.flow as usize);
            flow.map_or(Field::Missing, |flow| flow.name.as_str().into())
        }),
        text("network_name", |r: &SampleRow<'_>| {
            let setup = &r.run.point.setup;
            let name = network_name(setup, r.sample.flow as usize, r.sample.network);
            name.map_or(Field::Missing, Field::from)
        }),
    ]);
    columns
}
