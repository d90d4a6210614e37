//! From what the threads and the network have written down to a result.

use std::sync::{Mutex, PoisonError};

use atl_core::time::Time;
use atl_endpoint::meters::Offered;
use atl_engine::flow::Progress;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::{Moment, OnLinks, Recorder};
use atl_engine::result::{Datagrams, FlowResult, RunResult, Sample};
use atl_engine::setup::Setup;
use atl_net::tun::Losses;

use crate::live::Outcome;

use super::info::Info;
use super::node::Left;
use super::observer::Counts;
use super::receiver::Received;
use super::tunnel::Seen;

/// The parts of a flow's result that are there before it runs.
#[derive(Debug)]
pub(super) struct Kept {
    pub start: Time,
    pub offered: Option<Box<Offered>>,
}

/// The ends of a flow after the run.
#[derive(Debug, Default)]
struct Ends {
    finished: Option<Time>,
    received: Option<Box<Received>>,
}

/// The result of a run.
pub(super) fn assemble(
    setup: &Setup,
    outcome: Outcome<(usize, Left)>,
    seen: &Mutex<Vec<Seen>>,
    kept: Vec<Kept>,
    losses: Losses,
) -> RunResult {
    let Outcome { network, lateness, nodes, .. } = outcome;
    let mut ends: Vec<Ends> = kept.iter().map(|_| Ends::default()).collect();
    for (flow, left) in nodes {
        match left {
            Left::Sender(finished) => ends[flow].finished = finished,
            Left::Receiver(received) => ends[flow].received = Some(received),
        }
    }
    let seen = seen.lock().unwrap_or_else(PoisonError::into_inner);
    let samples = samples(setup, &network.samples, &seen, &ends);
    let flows = seen.iter().zip(ends).zip(kept).enumerate();
    let flows = flows.map(|(index, ((seen, ends), kept))| {
        let links = (network.counts.before(index), network.after[index]);
        result(setup, seen, ends, kept, links, network.counts.under_way(index))
    });
    // Packets that the devices lost before or behind the links. Retransmissions answer them, too.
    let missing = losses.overruns + losses.refused;
    RunResult {
        flows: flows.collect(),
        links: network.links,
        samples,
        lateness: Some(crate::live::lateness(&lateness, missing)),
        datagrams: Some(Datagrams { missing, refused: losses.unroutable }),
        ..RunResult::default()
    }
}

/// Brings together what senders, receivers and the network have written down at each sample.
fn samples(
    setup: &Setup,
    on_links: &[Vec<(OnLinks, u32)>],
    seen: &[Seen],
    ends: &[Ends],
) -> Vec<Sample> {
    let mut recorder = Recorder::new(setup.sample_every, seen.len());
    let every = recorder.every().unwrap_or_default();
    for (time, on_links) in on_links.iter().enumerate() {
        let at = Time::ZERO + every * (time as u64 + 1);
        let flows = seen.iter().zip(ends).zip(on_links);
        for (index, ((seen, ends), (links, network))) in (0..).zip(flows) {
            let Some(&(state, jitter_s)) = seen.samples.get(time) else { continue };
            // The last sample is due at the very end, which a receiver may reach before it.
            let read = ends.received.as_ref().map(|received| {
                received.samples.get(time).copied().unwrap_or(received.reads.bytes())
            });
            let tally = links.tally(read.unwrap_or(0), Some(0));
            recorder.add(at, index, &Moment { network: *network, state, jitter_s, tally });
        }
    }
    recorder.into_samples()
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
