//! The columns of each file.

use std::collections::BTreeMap;

use atl_scenario::result::{AdaptationResult, MediaResult};
use atl_scenario::scenario::Metric;

use super::rows::{FlowRow, LinkRow, Row, RunRow, SampleRow};
use crate::metric::of_run;
use crate::outcome::Outcome;
use crate::recovery::{Recovery, recovery};

/// A column: its name, its type and how to read it from a row.
pub(super) struct Column<R> {
    pub(super) name: String,
    pub(super) kind: Kind,
    /// Given the row and `variable`.
    read: fn(&R, &str) -> Field,
    /// The swept variable of a column that is one.
    variable: String,
}

/// Type of a column.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
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
    /// What is not finite (an ssthresh before the first loss) is missing.
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
        (self.read)(row, &self.variable)
    }
}

fn column<R>(kind: Kind, name: &str, read: fn(&R, &str) -> Field) -> Column<R> {
    Column { name: name.to_owned(), kind, read, variable: String::new() }
}

fn text<R>(name: &str, read: fn(&R, &str) -> Field) -> Column<R> {
    column(Kind::Text, name, read)
}

fn int<R>(name: &str, read: fn(&R, &str) -> Field) -> Column<R> {
    column(Kind::Int, name, read)
}

fn float<R>(name: &str, read: fn(&R, &str) -> Field) -> Column<R> {
    column(Kind::Float, name, read)
}

fn vars_json(row: &RunRow<'_>) -> String {
    let vars = &row.point.vars;
    let texts: BTreeMap<&str, &str> =
        vars.iter().map(|(name, value)| (name.as_str(), value.text.as_str())).collect();
    serde_json::json!(texts).to_string()
}

/// Columns that tell a run: in every file, so that each can be used alone.
fn key_columns<R: Row>(outcome: &Outcome) -> Vec<Column<R>> {
    let mut columns = vec![
        text("scenario", |r: &R, _| r.run().outcome.scenario.name.as_str().into()),
        text("scenario_hash", |r: &R, _| r.run().outcome.scenario.hash.as_str().into()),
        text("host", |r: &R, _| r.run().outcome.host.name.as_str().into()),
        text("version", |r: &R, _| r.run().outcome.version.as_str().into()),
        int("point", |r: &R, _| (r.run().point_index as u64).into()),
    ];
    for variable in &outcome.scenario.swept {
        // A variable is a number only if it is one at every point.
        let numeric = outcome.values_of(variable).iter().all(|v| v.number.is_some());
        columns.push(if numeric {
            let read =
                |r: &R, name: &str| r.run().point.vars.get(name).and_then(|v| v.number).into();
            Column {
                name: format!("var_{variable}"),
                kind: Kind::Float,
                read,
                variable: variable.clone(),
            }
        } else {
            let read = |r: &R, name: &str| {
                r.run().point.vars.get(name).map_or(Field::Missing, |v| v.text.as_str().into())
            };
            Column {
                name: format!("var_{variable}"),
                kind: Kind::Text,
                read,
                variable: variable.clone(),
            }
        });
    }
    columns.push(int("seed", |r: &R, _| r.run().seed.into()));
    columns
}

fn of_all(metric: Metric, row: &RunRow<'_>) -> Field {
    of_run(metric, &row.point.setup, row.run, None).into()
}

pub(super) fn run_columns<'a>(outcome: &'a Outcome) -> Vec<Column<RunRow<'a>>> {
    let mut columns = key_columns(outcome);
    columns.extend([
        text("vars", |r, _| Field::Text(vars_json(r))),
        int("flows", |r: &RunRow<'_>, _| (r.run.flows.len() as u64).into()),
        float("throughput_bps", |r, _| of_all(Metric::Throughput, r)),
        float("goodput_bps", |r, _| of_all(Metric::Goodput, r)),
        float("jain", |r, _| of_all(Metric::Jain, r)),
        int("events", |r, _| r.run.events.into()),
    ]);
    columns
}

pub(super) fn flow_columns<'a>(outcome: &'a Outcome) -> Vec<Column<FlowRow<'a>>> {
    let mut columns = key_columns(outcome);
    columns.extend([
        int("flow", |r: &FlowRow<'_>, _| (r.index as u64).into()),
        text("name", |r, _| r.setup.name.as_str().into()),
        text("group", |r, _| r.setup.group.as_str().into()),
        text("protocol", |r, _| r.setup.protocol.name.as_str().into()),
        float("active_s", |r, _| r.flow.active_s.into()),
        float("throughput_bps", |r, _| r.flow.throughput_bps.into()),
        float("goodput_bps", |r, _| r.flow.goodput_bps.into()),
        int("sent", |r, _| r.flow.sent.into()),
        int("arrived", |r, _| r.flow.arrived.into()),
        int("delivered", |r, _| r.flow.delivered.into()),
        int("dropped", |r, _| r.flow.dropped.into()),
        int("lost", |r, _| r.flow.lost.into()),
        int("retransmissions", |r, _| r.flow.retransmissions.into()),
        int("timeouts", |r, _| r.flow.timeouts.into()),
        int("recoveries", |r, _| r.flow.recoveries.into()),
        int("quench_reactions", |r, _| r.flow.quench_reactions.into()),
        float("rtt_median_s", |r, _| r.flow.rtt_median_s.into()),
        float("rtt_p95_s", |r, _| r.flow.rtt_p95_s.into()),
        float("rtt_min_s", |r, _| r.flow.rtt_min_s.into()),
        float("completion_s", |r, _| r.flow.completion_s.into()),
        float("jitter_s", |r, _| r.flow.jitter_s.into()),
        float("gap_jitter_s", |r, _| r.flow.gap_jitter_s.into()),
        float("offered_bps", |r, _| r.flow.offered_bps.into()),
        float("normalized_throughput", |r, _| r.flow.normalized_throughput().into()),
        float("delay_s", |r, _| r.flow.delay_s.into()),
        int("frames", |r, _| media(r, |m| m.frames)),
        int("frames_late", |r, _| media(r, |m| m.late)),
        int("frames_incomplete", |r, _| media(r, |m| m.incomplete)),
        int("stalls", |r, _| media(r, |m| m.stalls)),
        float("stalled_s", |r, _| r.flow.media.map(|m| m.stalled_s).into()),
        float("encoder_bps", |r, _| r.flow.media.map(|m| m.encoder_bps).into()),
        float("cell_errors", |r, _| r.flow.adaptation.and_then(|a| a.cell_errors()).into()),
        int("aal_offered", |r, _| adaptation(r, |a| a.offered)),
        int("aal_refused", |r, _| adaptation(r, |a| a.refused)),
        int("aal_delivered", |r, _| adaptation(r, |a| a.delivered)),
        int("aal_undetected", |r, _| adaptation(r, |a| a.undetected)),
        int("pdus", |r, _| adaptation(r, |a| a.pdus)),
        int("pdus_retransmitted", |r, _| adaptation(r, |a| a.retransmitted)),
        int("pdus_wrong", |r, _| adaptation(r, |a| a.wrong)),
        int("aal_sent_whole_again", |r, _| adaptation(r, |a| a.sent_whole_again)),
        int("statuses", |r, _| adaptation(r, |a| a.statuses)),
        int("cells", |r, _| adaptation(r, |a| a.cells)),
        int("control_cells", |r, _| adaptation(r, |a| a.control_cells)),
        int("cells_lost", |r, _| adaptation(r, |a| a.cells_lost)),
        int("cells_astray", |r, _| adaptation(r, |a| a.cells_astray)),
        int("cells_damaged", |r, _| adaptation(r, |a| a.cells_damaged)),
        int("quenches", |r, _| adaptation(r, |a| a.quenches)),
        int("arq_payload_octets", |r, _| r.flow.adaptation.and_then(|a| a.payload_octets).into()),
        float("bit_errors", |r, _| r.flow.adaptation.and_then(|a| a.bit_errors).into()),
        float("recovery_s", |r, _| recovery_of(r).map(|r| r.time_s).into()),
        int("recovered", |r, _| recovery_of(r).map(|r| u64::from(r.recovered)).into()),
    ]);
    columns
}

fn media(row: &FlowRow<'_>, count: fn(MediaResult) -> u64) -> Field {
    row.flow.media.map_or(Field::Missing, |media| count(media).into())
}

fn adaptation(row: &FlowRow<'_>, count: fn(AdaptationResult) -> u64) -> Field {
    row.flow.adaptation.map_or(Field::Missing, |of| count(of).into())
}

fn recovery_of(row: &FlowRow<'_>) -> Option<Recovery> {
    recovery(&row.run.point.setup, row.run.run, row.index)
}

fn node<'a>(row: &LinkRow<'a>, index: usize) -> Field {
    row.run.point.setup.nodes.get(index).map_or(Field::Missing, |name| name.as_str().into())
}

pub(super) fn link_columns<'a>(outcome: &'a Outcome) -> Vec<Column<LinkRow<'a>>> {
    let mut columns = key_columns(outcome);
    columns.extend([
        int("link", |r: &LinkRow<'_>, _| (r.index as u64).into()),
        text("name", |r, _| r.setup.name.as_str().into()),
        text("from", |r, _| node(r, r.setup.from)),
        text("to", |r, _| node(r, r.setup.to)),
        int("offered", |r, _| r.link.offered.into()),
        int("delivered", |r, _| r.link.delivered.into()),
        int("dropped", |r, _| r.link.dropped.into()),
        int("lost", |r, _| r.link.lost.into()),
        int("held", |r, _| r.link.held.into()),
        int("delivered_bytes", |r, _| r.link.delivered_bytes.into()),
        int("local_retransmissions", |r, _| r.link.local_retransmissions.into()),
    ]);
    columns
}

pub(super) fn sample_columns<'a>(outcome: &'a Outcome) -> Vec<Column<SampleRow<'a>>> {
    let mut columns = key_columns(outcome);
    columns.extend([
        float("time_s", |r: &SampleRow<'_>, _| r.sample.time_s.into()),
        int("flow", |r, _| u64::from(r.sample.flow).into()),
        int("network", |r, _| u64::from(r.sample.network).into()),
        float("cwnd", |r, _| r.sample.cwnd.into()),
        float("ssthresh", |r, _| r.sample.ssthresh.into()),
        float("rate_bps", |r, _| r.sample.rate_bps.into()),
        float("encoder_bps", |r, _| r.sample.encoder_bps.into()),
        int("in_flight", |r, _| u64::from(r.sample.in_flight).into()),
        float("srtt_s", |r, _| r.sample.srtt_s.into()),
        float("throughput_bps", |r, _| r.sample.throughput_bps.into()),
        float("goodput_bps", |r, _| r.sample.goodput_bps.into()),
        int("delivered_bytes", |r, _| r.sample.delivered_bytes.into()),
        int("wire_bytes", |r, _| r.sample.wire_bytes.into()),
        float("jitter_s", |r, _| r.sample.jitter_s.into()),
        float("alpha", |r, _| r.sample.alpha.into()),
        float("beta", |r, _| r.sample.beta.into()),
    ]);
    columns
}
