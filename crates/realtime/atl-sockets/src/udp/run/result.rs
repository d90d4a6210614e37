//! From what the threads have written down to a result.

use crate::live::{Outcome, Seen, Trouble, samples};
use atl_core::time::Time;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::OnLinks;
use atl_engine::flow::{Progress, paced};
use atl_engine::result::{Datagrams, FlowResult, RunResult};

use super::build::Plan;
use crate::udp::ends::EndRecord;
use crate::udp::node::Records;
use crate::udp::record::{Received, ReceiverRecord, SenderRecord, Sent};

/// All that was written down of a flow.
struct Flow {
    sender: Box<SenderRecord>,
    receiver: Box<ReceiverRecord>,
    /// Its packets by their fate in the network when measurement began, and at the end.
    links: (OnLinks, OnLinks),
    /// Packets on the links at the end.
    on_links: u64,
}

/// The result of a run.
pub(super) fn assemble(plan: &Plan, outcome: Outcome<Records>) -> RunResult {
    let Outcome { network, mut trouble, mut lateness, nodes } = outcome;
    let mut ends: Vec<(Option<_>, Option<_>)> =
        network.after.iter().map(|_| (None, None)).collect();
    for (flow, record, of_end) in nodes.into_iter().flatten() {
        trouble += of_end;
        match record {
            EndRecord::Sender(record) => ends[flow].0 = Some(record),
            EndRecord::Receiver(record) => ends[flow].1 = Some(record),
        }
    }
    let mut flows = Vec::new();
    for (index, (sender, receiver)) in ends.into_iter().enumerate() {
        // Every node that ended well has left the records of all its ends.
        if let (Some(sender), Some(receiver)) = (sender, receiver) {
            let links = (network.counts.before(index), network.after[index]);
            let on_links = network.counts.under_way(index);
            flows.push(Flow { sender, receiver, links, on_links });
        }
    }
    for flow in &flows {
        lateness.merge(&flow.sender.lateness);
    }
    let of_ends = |flow: &Flow| flow.sender.samples.len().min(flow.receiver.samples.len());
    let complete = flows.iter().map(of_ends).min().unwrap_or(0);
    let seen = |time: usize, flow: usize| {
        let flow = flows.get(flow).filter(|_| time < complete)?;
        let (delivered_bytes, jitter_s) = flow.receiver.samples[time];
        Some(Seen { state: flow.sender.samples[time], jitter_s, delivered_bytes })
    };
    RunResult {
        samples: samples(plan.every, flows.len(), &network.samples, seen),
        flows: flows
            .into_iter()
            .zip(&plan.stops)
            .map(|(flow, stop)| flow_result(plan, flow, *stop, trouble))
            .collect(),
        links: network.links,
        lateness: Some(crate::live::lateness(&lateness, trouble.missing)),
        datagrams: Some(Datagrams { missing: trouble.missing, refused: trouble.refused }),
        ..RunResult::default()
    }
}

fn flow_result(plan: &Plan, flow: Flow, stop: Option<Time>, trouble: Trouble) -> FlowResult {
    let Flow { sender, receiver, links: (links_before, links_after), on_links } = flow;
    let (mut sender, mut receiver) = (*sender, *receiver);
    let progress = |sent: Sent, received: Received| Progress {
        sent: sent.sent,
        arrived: received.arrived,
        delivered: received.arrived,
        delivered_bytes: received.payload_bytes,
        recoveries: sent.decreases,
        probe_bytes: sent.probe_bytes,
        marked: received.marked,
        elsewhere_bytes: Some(0),
        ..Progress::default()
    };
    let under_way = on_links + receiver.under_way + sender.held;
    let arrived = receiver.after.arrived;
    let fate = trouble.add_to(links_after.fate, sender.after.sent, arrived, under_way);
    let before = links_before.totals_before(progress(sender.before, receiver.before));
    let after = OnLinks { fate, ..links_after };
    let after = after.totals(progress(sender.after, receiver.after), under_way);
    let media = receiver.playout.as_mut();
    let media = media.map(|playout| paced::media(playout, &mut sender.sender, plan.end));
    let measured = Measured {
        start: sender.start,
        from: plan.measured_from.max(sender.start),
        end: plan.end,
        finished: paced::finished(&mut sender.sender, stop, receiver.after.last_arrival, plan.end),
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
