//! From what the threads and the network have written down to a result.

use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};

use atl_core::time::Time;
use atl_engine::flow::Progress;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::OnLinks;
use atl_engine::result::{Datagrams, FlowResult, RunResult};
use atl_engine::setup::Setup;
use atl_net::tun::Losses;

use crate::live::{self, Kept, Outcome};
use crate::quic;

use super::info::Info;
use super::node::Left;
use super::observer::Counts;
use super::receiver::Received;
use super::tunnel::Seen;

/// The ends of a flow after the run.
#[derive(Debug, Default)]
struct Ends {
    finished: Option<Time>,
    received: Option<Box<Received>>,
}

/// The result of a run: `seen` and `kept` are of the kernel's flows, `over_quic` of the others.
pub(super) fn assemble(
    setup: &Setup,
    outcome: Outcome<Left>,
    seen: &Mutex<Vec<Seen>>,
    kept: Vec<Kept>,
    over_quic: Vec<Kept>,
    losses: Losses,
) -> RunResult {
    let Outcome { network, mut trouble, mut lateness, nodes } = outcome;
    let mut ends: Vec<Ends> = setup.flows.iter().map(|_| Ends::default()).collect();
    let mut of_quic = Vec::new();
    for left in nodes {
        match left {
            Left::Sender(flow, finished) => ends[flow].finished = finished,
            Left::Receiver(flow, received) => ends[flow].received = Some(received),
            Left::Quic(left) => of_quic.push(*left),
        }
    }
    let quic = quic::Flows::new(&network, of_quic, over_quic);
    trouble += quic.trouble;
    lateness.merge(&quic.lateness);
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let every = setup.sample_every;
    let samples =
        live::samples(every, setup.flows.len(), &network.samples, |time, flow| {
            match kept.binary_search_by_key(&flow, |kept| kept.flow) {
                Ok(place) => at(&seen[place], &ends[flow], time),
                Err(_) => quic.seen(time, flow),
            }
        });
    let mut flows: BTreeMap<usize, FlowResult> = quic.results(setup, trouble).collect();
    for (seen, kept) in seen.iter().zip(kept) {
        let index = kept.flow;
        let links = (network.counts.before(index), network.after[index]);
        let ends = std::mem::take(&mut ends[index]);
        let under_way = network.counts.under_way(index);
        flows.insert(index, result(setup, seen, ends, kept, links, under_way));
    }
    // Packets that the devices lost before or behind the links. Retransmissions answer them, too.
    let missing = losses.overruns + losses.refused + trouble.missing;
    let refused = losses.unroutable + trouble.refused;
    RunResult {
        flows: flows.into_values().collect(),
        links: network.links,
        samples,
        lateness: Some(live::lateness(&lateness, missing)),
        datagrams: Some(Datagrams { missing, refused }),
        ..RunResult::default()
    }
}

/// The state of a flow of the kernel at a sample.
fn at(seen: &Seen, ends: &Ends, time: usize) -> Option<live::Seen> {
    let &(state, jitter_s) = seen.samples.get(time)?;
    // The last sample is due at the very end, which a receiver may reach before it.
    let read = ends
        .received
        .as_ref()
        .map(|received| received.samples.get(time).copied().unwrap_or(received.reads.bytes()));
    Some(live::Seen { state, jitter_s, delivered_bytes: read.unwrap_or(0) })
}

fn result(
    setup: &Setup,
    seen: &Seen,
    ends: Ends,
    mut kept: Kept,
    (links_before, links_after): (OnLinks, OnLinks),
    under_way: u64,
) -> FlowResult {
    let end = Time::ZERO + setup.duration;
    let observer = &seen.observer;
    let progress = |counts: Counts, delivered_bytes, timeouts: Option<u16>| Progress {
        sent: counts.sent,
        arrived: counts.arrived,
        delivered_bytes,
        retransmissions: counts.retransmissions,
        timeouts: timeouts.map_or(0, u64::from),
        elsewhere_bytes: Some(0),
        ..Progress::default()
    };
    let timeouts = Info::of(&*seen.socket).ok().and_then(|info| info.timeouts);
    let (bytes_before, bytes, delay_s) = ends.received.map_or((0, 0, None), |received| {
        (received.before, received.reads.bytes(), received.reads.delay_s())
    });
    let before = progress(observer.before, bytes_before, seen.timeouts_before);
    let after = progress(observer.counts, bytes, timeouts);
    let measured = Measured {
        start: kept.start,
        from: (Time::ZERO + setup.warmup).max(kept.start),
        end,
        finished: ends.finished.filter(|at| *at <= end),
        before: links_before.totals_before(before),
        after: links_after.totals(after, under_way),
        rtts: &observer.rtts,
        arrivals: Some(&observer.arrivals),
        offered: kept.offered.as_deref_mut(),
        delay_s,
        media: None,
        moves: false,
    };
    FlowResult {
        // The kernel delivers bytes, not packets, and does not tell of its episodes of loss.
        delivered: None,
        recoveries: None,
        quench_reactions: None,
        timeouts: timeouts.map(|all| u64::from(all - seen.timeouts_before.unwrap_or(0))),
        reordered: Some(observer.counts.reordered - observer.before.reordered),
        ..measured.result()
    }
}
