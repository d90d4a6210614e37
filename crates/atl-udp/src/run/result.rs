//! From what the threads have written down to a result.

use atl_core::time::Time;
use atl_flow::measure::{Measured, Moment, Tally};
use atl_flow::{Fate, Progress, Totals, paced};
use atl_net::lateness::Lateness;
use atl_scenario::result::{self, Datagrams, FlowResult, RunResult, Sample};

use super::build::Plan;
use crate::ends::EndRecord;
use crate::record::{
    FlowRecord, NetworkRecord, Received, ReceiverRecord, SenderRecord, Sent, Trouble,
};

/// All that was written down of a flow.
struct Flow {
    sender: Box<SenderRecord>,
    receiver: Box<ReceiverRecord>,
    links: FlowRecord,
}

/// The result of a run.
pub(super) fn assemble(
    plan: &Plan,
    (network, mut trouble): (NetworkRecord, Trouble),
    on_links: &Lateness,
    records: Vec<(usize, EndRecord, Trouble)>,
) -> RunResult {
    let mut ends: Vec<(Option<_>, Option<_>)> =
        network.flows.iter().map(|_| (None, None)).collect();
    for (flow, record, of_end) in records {
        trouble += of_end;
        match record {
            EndRecord::Sender(record) => ends[flow].0 = Some(record),
            EndRecord::Receiver(record) => ends[flow].1 = Some(record),
        }
    }
    let mut flows = Vec::new();
    for ((sender, receiver), links) in ends.into_iter().zip(network.flows) {
        // Every node that ended well has left the records of all its ends.
        if let (Some(sender), Some(receiver)) = (sender, receiver) {
            flows.push(Flow { sender, receiver, links });
        }
    }
    let mut lateness = on_links.clone();
    for flow in &flows {
        lateness.merge(&flow.sender.lateness);
    }
    RunResult {
        samples: samples(plan, &flows),
        flows: flows.into_iter().map(|flow| flow_result(plan, flow, trouble.missing)).collect(),
        links: network.links,
        lateness: Some(summary(&lateness, trouble.missing)),
        datagrams: Some(Datagrams { missing: trouble.missing, refused: trouble.refused }),
        ..RunResult::default()
    }
}

/// Lateness as results have it. A datagram that the system threw away never left: it counts as late.
fn summary(lateness: &Lateness, missing: u64) -> result::Lateness {
    let frames = lateness.frames() as f64;
    let late = lateness.late_share() * frames + missing as f64;
    let quantile = |share| lateness.quantile(share).secs();
    result::Lateness {
        p50_s: quantile(0.5),
        p90_s: quantile(0.9),
        p99_s: quantile(0.99),
        late_share: late / (frames + missing as f64).max(1.0),
    }
}

fn samples(plan: &Plan, flows: &[Flow]) -> Vec<Sample> {
    let Some(every) = plan.every else { return Vec::new() };
    let times = flows.iter().map(|flow| {
        let ends = flow.sender.samples.len().min(flow.receiver.samples.len());
        ends.min(flow.links.samples.len())
    });
    let mut before = vec![Tally::default(); flows.len()];
    let mut samples = Vec::new();
    for time in 0..times.min().unwrap_or(0) {
        let at = Time::ZERO + every * (time as u64 + 1);
        for (index, flow) in flows.iter().enumerate() {
            let (links, (delivered_bytes, jitter_s)) =
                (flow.links.samples[time], flow.receiver.samples[time]);
            let gone = links.fate.dropped + links.fate.lost;
            let now = Tally { wire_bytes: links.wire_bytes, delivered_bytes, gone };
            let moment = Moment {
                at,
                every,
                flow: index as u32,
                network: links.network,
                state: flow.sender.samples[time],
                jitter_s,
                before: before[index],
                now,
            };
            before[index] = now;
            samples.push(moment.sample());
        }
    }
    samples
}

fn flow_result(plan: &Plan, flow: Flow, missing: u64) -> FlowResult {
    let Flow { sender, receiver, links } = flow;
    let (mut sender, mut receiver) = (*sender, *receiver);
    let progress = |sent: Sent, received: Received| Progress {
        sent: sent.sent,
        arrived: received.arrived,
        delivered: received.arrived,
        delivered_bytes: received.payload_bytes,
        recoveries: sent.decreases,
        probe_bytes: sent.probe_bytes,
        ..Progress::default()
    };
    let gone = |fate: Fate| fate.dropped + fate.lost;
    let mut fate = links.after.fate;
    let under_way = links.under_way + receiver.under_way + sender.held;
    // Whatever the system threw away was dropped by a full buffer.
    let known = receiver.after.arrived + gone(fate) + under_way;
    fate.dropped += sender.after.sent.saturating_sub(known).min(missing);
    let before = Totals {
        fate: links.before.fate,
        wire_bytes: links.before.wire_bytes,
        under_way: sender.before.sent - receiver.before.arrived - gone(links.before.fate),
        progress: progress(sender.before, receiver.before),
    };
    let after = Totals {
        fate,
        wire_bytes: links.after.wire_bytes,
        under_way,
        progress: progress(sender.after, receiver.after),
    };
    let media = receiver.playout.as_mut();
    let media = media.map(|playout| paced::media(playout, &mut sender.sender, plan.end));
    let measured = Measured {
        start: sender.start,
        from: plan.measured_from.max(sender.start),
        end: plan.end,
        finished: None,
        before,
        after,
        rtts: &sender.rtts,
        arrivals: Some(&receiver.arrivals),
        offered: sender.offered.as_deref_mut(),
        delay_s: None,
        media,
        moves: false,
    };
    measured.result()
}
