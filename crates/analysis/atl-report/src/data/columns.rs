//! The columns of each data file.

use std::collections::BTreeMap;

use atl_core::time::Span;
use atl_engine::result::{AdaptationResult, FlowResult, MediaResult, RunResult};
use atl_engine::store::Present;
use atl_scenario::scenario::{Metric, Trace};

use super::column::{About, Column, ColumnType, Field, count, float, index, text};
use super::rows::{FlowRow, LinkRow, Row, RunRow, SampleRow};
use super::{FINISHED, IN_RUN, RECOVERED, WITHOUT};
use crate::delays::{self, Delay, in_network};
use crate::metric::{ends, of_flow, of_run};
use crate::outcome::Outcome;
use crate::recovery::{Recovery, recovery};
use crate::visits::network_name;

fn vars_json(row: &RunRow<'_>) -> String {
    let vars = &row.point.vars;
    let texts: BTreeMap<&str, &str> =
        vars.iter().map(|(name, value)| (name.as_str(), value.text.as_str())).collect();
    serde_json::json!(texts).to_string()
}

/// Columns that identify a run, repeated in every file so that each can be used alone. All outcomes
/// are of one scenario, on one engine or several.
fn key_columns<R: Row>(outcomes: &[Outcome]) -> Vec<Column<R>> {
    let mut columns = vec![
        text("scenario", "Name of the scenario", |r: &R| {
            r.run().outcome.scenario.name.as_str().into()
        }),
        text(
            "scenario_hash",
            "SHA-256 of everything that decides the results: the file after changes on the command line, and its traces",
            |r: &R| r.run().outcome.scenario.hash.as_str().into(),
        ),
        text("engine", "Engine that carried out the run (`sim`, `udp`, ...)", |r: &R| {
            r.run().outcome.engine.name.as_str().into()
        }),
        text("version", "Version of atl", |r: &R| r.run().outcome.version.as_str().into()),
    ];
    // The version of an engine within the program is that of the program.
    if outcomes.iter().any(|outcome| outcome.engine.version != outcome.version) {
        columns.push(text("engine_version", "Version of the engine", |r: &R| {
            r.run().outcome.engine.version.as_str().into()
        }));
    }
    if outcomes.iter().any(|outcome| outcome.scenario.without.is_some()) {
        columns.push(text(WITHOUT, "What the run left out; null if nothing", |r: &R| {
            r.run().outcome.scenario.without.map_or(Field::Missing, |a| a.name().into())
        }));
    }
    columns.push(index("point", "Index of the point of the sweep", |r: &R| {
        (r.run().point_index as u64).into()
    }));
    let Some(outcome) = outcomes.first() else { return columns };
    for variable in &outcome.scenario.swept {
        let name = format!("var_{variable}");
        let about = About::new("", format!("Value of the variable `{variable}`"));
        let variable = variable.clone();
        // Numeric only if it is so at every point.
        let numeric = outcome.values_of(&variable).iter().all(|v| v.number.is_some());
        columns.push(if numeric {
            Column::capturing(ColumnType::Float, &name, about, move |r: &R| {
                r.run().point.vars.get(&variable).and_then(|v| v.number).into()
            })
        } else {
            Column::capturing(ColumnType::Text, &name, about, move |r: &R| {
                let value = r.run().point.vars.get(&variable);
                value.map_or(Field::Missing, |v| v.text.as_str().into())
            })
        });
    }
    columns.push(index("seed", "Seed of the run", |r: &R| r.run().seed.into()));
    columns
}

fn of_metric(metric: Metric) -> About {
    About::new(metric.unit().name(), metric.descriptor().doc.trim())
}

/// A metric of the whole run, named by its key.
fn total<'a>(metric: Metric) -> Column<RunRow<'a>> {
    let known = metric.descriptor();
    Column::capturing(ColumnType::Float, known.key, of_metric(metric), move |r: &RunRow<'_>| {
        of_run(metric, &r.point.setup, &r.run, None).into()
    })
}

/// A metric of a flow, named by its key.
fn metric<'a>(metric: Metric) -> Column<FlowRow<'a>> {
    let known = metric.descriptor();
    Column::capturing(ColumnType::Float, known.key, of_metric(metric), move |r: &FlowRow<'_>| {
        of_flow(metric, &r.run.point.setup, &r.run.run, r.index).into()
    })
}

/// A trace of a sample, named by its key.
fn trace<'a>(trace: Trace) -> Column<SampleRow<'a>> {
    let about = trace.descriptor();
    let told = About::new(about.unit, about.doc.trim());
    Column::capturing(ColumnType::Float, about.key, told, move |r: &SampleRow<'_>| {
        let flow = r.run.point.setup.flows.get(r.sample.flow as usize);
        flow.and_then(|flow| (about.value)(flow, &r.sample)).into()
    })
}

/// True if any run of any outcome has such measurements.
fn any_has(outcomes: &[Outcome], has: fn(Present) -> bool) -> bool {
    outcomes.iter().any(|outcome| has(outcome.results.present()))
}

pub(super) fn run_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<RunRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        text("vars", "All variables and their values at this point, as JSON", |r| {
            Field::Text(vars_json(r))
        }),
        count("flows", "flows", "Number of flows", |r: &RunRow<'_>| {
            (r.run.flows.len() as u64).into()
        }),
        total(Metric::Throughput),
        total(Metric::Goodput),
        total(Metric::Jain),
        count("events", "events", "Events that the simulator handled", |r| r.run.events.into()),
    ]);
    if any_has(outcomes, |present| present.lateness) {
        columns.extend([
            float("lateness_p50_s", "s", "Median lateness of the packets of an engine in real time", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p50_s).into()),
            float("lateness_p90_s", "s", "90th percentile of the lateness", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p90_s).into()),
            float("lateness_p99_s", "s", "99th percentile of the lateness", |r: &RunRow<'_>| r.run.lateness.map(|l| l.p99_s).into()),
            float("late_share", "share", "Share of the packets that were late by more than the time that their link needs to transmit one", |r: &RunRow<'_>| r.run.lateness.map(|l| l.late_share).into()),
        ]);
    }
    if any_has(outcomes, |present| present.datagrams) {
        columns.extend([
            count(
                "missing_datagrams",
                "datagrams",
                "Datagrams that the system threw away because a buffer was full",
                |r: &RunRow<'_>| r.run.datagrams.map(|d| d.missing).into(),
            ),
            count(
                "refused_datagrams",
                "datagrams",
                "Datagrams that were refused: garbage, strangers', cut off or repeated",
                |r: &RunRow<'_>| r.run.datagrams.map(|d| d.refused).into(),
            ),
        ]);
    }
    columns
}

pub(super) fn flow_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<FlowRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        index("flow", "Index of the flow in the scenario", |r: &FlowRow<'_>| (r.index as u64).into()),
        text("name", "Name of the flow", |r| r.setup.name.as_str().into()),
        text("group", "Name of the group that the flow counts to in figures and quotes", |r| r.setup.group.as_str().into()),
        text("protocol", "Protocol of the flow", |r| r.setup.protocol.name.as_str().into()),
        float("active_s", "s", "Time that the rates of this row are averaged over", |r| r.flow.active_s.into()),
        metric(Metric::Throughput),
        metric(Metric::Goodput),
        count("sent", "packets", "Data packets that the sender handed to its interface, including retransmissions and probes that carry a copy of a segment, but no other probes", |r| r.flow.sent.into()),
        count("copies", "packets", "Copies of data packets that agents (Snoop) and links put onto the network", |r| r.flow.copies.into()),
        count("under_way_before", "packets", "Data packets under way when measurement began", |r| r.flow.under_way_before.into()),
        count("under_way_after", "packets", "Data packets under way at the end", |r| r.flow.under_way_after.into()),
        count("arrived", "packets", "Data packets that arrived at the receiver, duplicates included", |r| r.flow.arrived.into()),
        count("delivered", "packets", "Data packets delivered to the application, each once", |r| r.flow.delivered.into()),
        count("dropped", "packets", "Data packets dropped by full queues", |r| r.flow.dropped.into()),
        count("lost", "packets", "Data packets lost on links", |r| r.flow.lost.into()),
        count("retransmissions", "packets", "Retransmitted packets", |r| r.flow.retransmissions.into()),
        count("timeouts", "timeouts", "Expired retransmission timers", |r| r.flow.timeouts.into()),
        count("recoveries", "episodes", "Loss episodes repaired by fast retransmit", |r| r.flow.recoveries.into()),
        count("quench_reactions", "quenches", "Source quenches that made the sender slow down", |r| r.flow.quench_reactions.into()),
        metric(Metric::RttMedian),
        metric(Metric::RttP95),
        float("rtt_min_s", "s", "Smallest RTT sample", |r| r.flow.rtt_min_s.into()),
        metric(Metric::Completion),
        metric(Metric::Jitter),
        metric(Metric::GapJitter),
        metric(Metric::Offered),
        metric(Metric::NormalizedThroughput),
        metric(Metric::Delay),
        count("frames", "frames", "Frames of live video whose display time has come", |r| media(r, |m| m.frames)),
        count("frames_late", "frames", "Of these, frames completed after their display time", |r| media(r, |m| m.late)),
        count("frames_incomplete", "frames", "Of these, frames with a packet that was lost or has not arrived yet", |r| media(r, |m| m.incomplete)),
        count("stalls", "stalls", "Stalls of a player that waits for late frames", |r| media(r, |m| m.stalls)),
        float("stalled_s", "s", "Total duration of these stalls", |r| r.flow.media.map(|m| m.stalled_s).into()),
        metric(Metric::EncoderRate),
        metric(Metric::CellErrors),
        count("aal_offered", "packets", "Packets handed to the adaptation layer", |r| adaptation(r, |a| a.offered)),
        count("aal_refused", "packets", "Of these, packets dropped because its queue was full", |r| adaptation(r, |a| a.refused)),
        count("aal_delivered", "packets", "Packets that came out of the layer unchanged", |r| adaptation(r, |a| a.delivered)),
        count("aal_undetected", "packets", "Packets that came out changed: errors that no check detected", |r| adaptation(r, |a| a.undetected)),
        count("pdus", "PDUs", "PDUs sent, retransmissions included, control packets excluded", |r| adaptation(r, |a| a.pdus)),
        count("pdus_retransmitted", "PDUs", "PDUs retransmitted", |r| adaptation(r, |a| a.retransmitted)),
        count("pdus_wrong", "PDUs", "PDUs dropped on arrival because a check failed", |r| adaptation(r, |a| a.wrong)),
        count("aal_sent_whole_again", "packets", "Packets that AAL-T's receiver rejected, and that were sent again as a whole", |r| adaptation(r, |a| a.sent_whole_again)),
        count("statuses", "packets", "Control packets about this direction, sent in the other", |r| adaptation(r, |a| a.statuses)),
        count("cells", "cells", "Cells sent", |r| adaptation(r, |a| a.cells)),
        count("control_cells", "cells", "Cells sent for control packets", |r| adaptation(r, |a| a.control_cells)),
        count("cells_lost", "cells", "Cells dropped by queues or lost on links", |r| adaptation(r, |a| a.cells_lost)),
        count("cells_astray", "cells", "Cells dropped because of a wrong header, or delivered to another connection", |r| adaptation(r, |a| a.cells_astray)),
        count("cells_damaged", "cells", "Cells that arrived with a wrong payload", |r| adaptation(r, |a| a.cells_damaged)),
        count("quenches", "quenches", "Source quenches sent because of congestion", |r| adaptation(r, |a| a.quenches)),
        count("arq_payload_octets", "octets", "Payload of new CP-ARQ PDUs at the end of the run", |r| r.flow.adaptation.and_then(|a| a.payload_octets).into()),
        metric(Metric::BitErrors),
        metric(Metric::Recovery),
        index(RECOVERED, "1 if the flow recovered from its disturbance, 0 if not", |r| recovery_of(r).map(|r| u64::from(r.recovered)).into()),
    ]);
    append_new_metrics(&mut columns);
    append_ends(&mut columns, outcomes);
    append_delays(&mut columns, outcomes);
    append_present(&mut columns, outcomes);
    columns
}

/// Adds metrics without a column so far. They come last, so that existing columns keep their
/// places.
fn append_new_metrics(columns: &mut Vec<Column<FlowRow<'_>>>) {
    for new in Metric::all().filter(|m| m.descriptor().in_flows) {
        if columns.iter().all(|c| c.name != new.descriptor().key) {
            columns.push(metric(new));
        }
    }
}

/// Adds columns for flows that end by themselves, if there are any.
fn append_ends(columns: &mut Vec<Column<FlowRow<'_>>>, outcomes: &[Outcome]) {
    let mut points = outcomes.iter().flat_map(|outcome| &outcome.scenario.points);
    if points.any(|point| point.setup.flows.iter().any(ends)) {
        columns.extend([
            index(
                FINISHED,
                "1 if the flow finished before the end of the run, 0 if not; null for a flow that does not end by itself",
                |r: &FlowRow<'_>| {
                    let finished = u64::from(r.flow.completion_s.is_some());
                    Some(finished).filter(|_| ends(r.setup)).into()
                },
            ),
            float(
                IN_RUN,
                "s",
                "Time from the flow's start to the end of the run: a flow that did not finish takes longer",
                |r: &FlowRow<'_>| r.flow.in_run_s.filter(|_| ends(r.setup)).into(),
            ),
        ]);
    }
}

/// Adds columns for the delays in each network, if flows visit several.
fn append_delays<'a>(columns: &mut Vec<Column<FlowRow<'a>>>, outcomes: &'a [Outcome]) {
    let mut networks: Vec<String> = Vec::new();
    for name in outcomes.iter().flat_map(delays::networks) {
        if !networks.contains(&name) {
            networks.push(name);
        }
    }
    for network in networks {
        for delay in Delay::ALL {
            let about = delay.metric().descriptor();
            let name = format!("{}_{network}", about.key);
            let about = About::new("s", format!("{} in the network `{network}`", about.label));
            let network = network.clone();
            columns.push(Column::capturing(
                ColumnType::Float,
                &name,
                about,
                move |r: &FlowRow<'_>| {
                    let (setup, run) = (&r.run.point.setup, &r.run.run);
                    in_network(delay, setup, run, &[r.index], &network).into()
                },
            ));
        }
    }
}

/// Reads a value that only some engines know.
type Known<T> = fn(&FlowResult) -> Option<T>;

/// Adds columns for values that only some engines measure, if any flow has one. The files of other
/// engines then stay the same when the program gains such a column.
fn append_present<'a>(columns: &mut Vec<Column<FlowRow<'a>>>, outcomes: &[Outcome]) {
    let counts: [(&str, &str, &str, Known<u64>); _] = [
        (
            "spurious_losses",
            "packets",
            "Packets declared lost whose acknowledgment came after all",
            |f| f.spurious_losses,
        ),
        ("duplicates", "packets", "Packets that arrived more than once", |f| f.duplicates),
        ("reordered", "packets", "Packets that arrived after one that was sent later", |f| {
            f.reordered
        }),
        ("probe_bytes", "bytes", "Bytes of probes sent, headers included", |f| f.probe_bytes),
        ("marked", "packets", "Data packets that arrived marked by a queue (CE, RFC 3168)", |f| {
            f.marked
        }),
        ("forged_bytes", "bytes", "Bytes of an attacker's notices that reached the sender", |f| {
            f.forged_bytes
        }),
        ("handoffs", "handoffs", "Changes of the network or path that the sender noticed", |f| {
            f.handoffs
        }),
        (
            "delivery_stalls",
            "stalls",
            "Times in which data was waiting and none arrived for at least three smoothed RTTs",
            |f| f.stalls.map(|s| s.count),
        ),
        ("exchanges", "exchanges", "Exchanges that the application has completed", |f| {
            f.exchanges.map(|e| e.count)
        }),
        ("segments", "segments", "Segments of a video that its player has got", |f| {
            f.playback.map(|p| p.segments)
        }),
        ("video_stalls", "stalls", "Times that the player of a video came to a stand", |f| {
            f.playback.map(|p| p.stalls)
        }),
        ("switches", "switches", "Segments with another rate than the one before", |f| {
            f.playback.map(|p| p.switches)
        }),
    ];
    let times: [(&str, &str, &str, Known<f64>); _] = [
        ("delivery_stalled_s", "s", "Total length of these times", |f| f.stalls.map(|s| s.total_s)),
        ("longest_stall_s", "s", "Length of the longest of them", |f| {
            f.stalls.map(|s| s.longest_s)
        }),
        ("exchange_s", "s", "Mean time of an exchange", |f| f.exchanges?.mean_s),
        ("exchange_p95_s", "s", "95th percentile of the times of exchanges", |f| {
            f.exchanges?.p95_s
        }),
        ("start_up_s", "s", "Time until a video plays", |f| f.playback?.start_up_s),
        ("played_s", "s", "Time for which it played", |f| f.playback.map(|p| p.played_s)),
        ("video_stalled_s", "s", "Time for which it stood still after that", |f| {
            f.playback.map(|p| p.stalled_s)
        }),
        ("video_bps", "bits/s", "Mean rate of the segments got", |f| f.playback?.mean_bps),
    ];
    // One pass for all columns, since it may read results from the temporary file.
    let (mut counted, mut timed) = (counts.map(|_| false), times.map(|_| false));
    let mut note = |run: &RunResult| {
        for flow in &run.flows {
            for (found, (.., count)) in counted.iter_mut().zip(&counts) {
                *found |= count(flow).is_some();
            }
            for (found, (.., time)) in timed.iter_mut().zip(&times) {
                *found |= time(flow).is_some();
            }
        }
        counted.iter().chain(&timed).all(|found| *found)
    };
    let _ = outcomes.iter().any(|outcome| outcome.results.any(&mut note));
    for ((name, unit, about, count), found) in counts.into_iter().zip(counted) {
        if found {
            columns.push(Column::capturing(
                ColumnType::Int,
                name,
                About::new(unit, about),
                move |r: &FlowRow<'_>| count(&r.flow).into(),
            ));
        }
    }
    for ((name, unit, about, time), found) in times.into_iter().zip(timed) {
        if found {
            columns.push(Column::capturing(
                ColumnType::Float,
                name,
                About::new(unit, about),
                move |r: &FlowRow<'_>| time(&r.flow).into(),
            ));
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
        index("link", "Index of the link in the scenario", |r: &LinkRow<'_>| {
            (r.index as u64).into()
        }),
        text("name", "Name of the link", |r| r.setup.name.as_str().into()),
        text("from", "Node that the link leaves", |r| node(r, r.setup.from)),
        text("to", "Node that it leads to", |r| node(r, r.setup.to)),
        count("offered", "packets", "Packets offered to the link, ACKs included", |r| {
            r.link.offered.into()
        }),
        count("delivered", "packets", "Packets delivered at its far end", |r| {
            r.link.delivered.into()
        }),
        count("dropped", "packets", "Packets dropped by its queue, or lost ahead of it", |r| {
            r.link.dropped.into()
        }),
        count("lost", "packets", "Packets lost in transmission", |r| r.link.lost.into()),
        count("held", "packets", "Packets still in its queue or on its wire at the end", |r| {
            r.link.held.into()
        }),
        count("delivered_bytes", "bytes", "Bytes delivered", |r| r.link.delivered_bytes.into()),
        count(
            "local_retransmissions",
            "packets",
            "Copies of data packets that an agent (Snoop) sent over the link",
            |r| r.link.local_retransmissions.into(),
        ),
        float(
            "trace_offset_s",
            "s",
            "How far into its recorded traces the link was when the run began",
            |r| r.link.trace_offset.map(Span::secs).into(),
        ),
    ]);
    if any_has(outcomes, |present| present.marked) {
        columns.push(count(
            "marked",
            "packets",
            "Packets marked by its queue",
            |r: &LinkRow<'_>| r.link.marked.into(),
        ));
    }
    if any_has(outcomes, |present| present.duplicated) {
        columns.push(count(
            "duplicated",
            "packets",
            "Packets delivered a second time",
            |r: &LinkRow<'_>| r.link.duplicated.into(),
        ));
    }
    columns
}

pub(super) fn sample_columns<'a>(outcomes: &'a [Outcome]) -> Vec<Column<SampleRow<'a>>> {
    let mut columns = key_columns(outcomes);
    columns.extend([
        float("time_s", "s", "Time since the run began", |r: &SampleRow<'_>| {
            r.sample.time_s.into()
        }),
        index("flow", "Index of the flow in the scenario", |r| u64::from(r.sample.flow).into()),
        index(
            "network",
            "Index of the network: of the wireless link's schedule, or of the cells of a mobile",
            |r| u64::from(r.sample.network).into(),
        ),
        trace(Trace::Cwnd),
    ]);
    // Only mobiles have a second path.
    let mut points = outcomes.iter().flat_map(|outcome| &outcome.scenario.points);
    if points.any(|point| point.setup.flows.iter().any(|flow| flow.mobile.is_some())) {
        columns.push(trace(Trace::CwndBeside));
    }
    columns.extend([
        float("ssthresh", "packets", "Slow-start threshold", |r: &SampleRow<'_>| {
            r.sample.ssthresh.into()
        }),
        float("rate_bps", "bits/s", "Sending rate of a paced flow, headers included", |r| {
            r.sample.rate_bps.into()
        }),
        trace(Trace::Encoder),
        count("in_flight", "packets", "Packets in flight", |r| {
            u64::from(r.sample.in_flight).into()
        }),
        trace(Trace::Srtt),
        trace(Trace::Throughput),
        trace(Trace::Goodput),
        count(
            "delivered_bytes",
            "bytes",
            "Application bytes received in order since the start",
            |r| r.sample.delivered_bytes.into(),
        ),
        count(
            "wire_bytes",
            "bytes",
            "Bytes that left the source since the start, headers and retransmissions included",
            |r| r.sample.wire_bytes.into(),
        ),
        trace(Trace::Jitter),
        trace(Trace::Alpha),
        float("beta", "factor", "Current beta of an AIMD controller", |r| r.sample.beta.into()),
        trace(Trace::Losses),
        text("flow_name", "Name of the flow", |r: &SampleRow<'_>| {
            let flow = r.run.point.setup.flows.get(r.sample.flow as usize);
            flow.map_or(Field::Missing, |flow| flow.name.as_str().into())
        }),
        text("network_name", "Name of the network or cell", |r: &SampleRow<'_>| {
            let setup = &r.run.point.setup;
            let name = network_name(setup, r.sample.flow as usize, r.sample.network);
            name.map_or(Field::Missing, Field::from)
        }),
    ]);
    columns
}
