//! From what the threads have written down to a result.

use std::collections::BTreeMap;
use std::sync::PoisonError;

use crate::live::{Kept, NetworkRecord, Outcome, Seen, Trouble, samples};
use atl_core::time::Time;
use atl_engine::flow::Progress;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::{NetworkRtts, OnLinks};
use atl_engine::result::{Datagrams, FlowResult, RunResult};
use atl_engine::setup::Setup;
use atl_net::lateness::Lateness;

use crate::quic::meter::{Meter, Received, Sent};
use crate::quic::node::Left;
use crate::quic::receiver::ReceiverLeft;
use crate::quic::sender::SenderLeft;

/// A flow at the end.
struct Flow {
    sender: SenderLeft,
    receiver: ReceiverLeft,
    kept: Kept,
    /// Its packets by their fate in the network when measurement began, and at the end.
    links: (OnLinks, OnLinks),
    /// Packets on the links at the end.
    on_links: u64,
}

/// Flows over QUIC at the end of a run.
pub(crate) struct Flows {
    flows: Vec<Flow>,
    /// Datagrams lost or refused at their sockets.
    pub trouble: Trouble,
    /// Lateness of their timers.
    pub lateness: Lateness,
}

/// The result of a run.
pub(super) fn assemble(setup: &Setup, outcome: Outcome<Left>, kept: Vec<Kept>) -> RunResult {
    let Outcome { network, mut trouble, mut lateness, nodes } = outcome;
    let flows = Flows::new(&network, nodes, kept);
    trouble += flows.trouble;
    lateness.merge(&flows.lateness);
    RunResult {
        samples: samples(setup.sample_every, setup.flows.len(), &network.samples, |time, flow| {
            flows.seen(time, flow)
        }),
        flows: flows.results(setup, trouble).map(|(_, result)| result).collect(),
        links: network.links,
        lateness: Some(crate::live::lateness(&lateness, trouble.missing)),
        datagrams: Some(Datagrams { missing: trouble.missing, refused: trouble.refused }),
        ..RunResult::default()
    }
}

impl Flows {
    /// These flows of a run, from what its nodes have left.
    pub(crate) fn new(network: &NetworkRecord, nodes: Vec<Left>, kept: Vec<Kept>) -> Self {
        let (mut trouble, mut lateness) = (Trouble::default(), Lateness::new());
        let mut senders = BTreeMap::new();
        let mut receivers = BTreeMap::new();
        for left in nodes {
            for sender in left.senders {
                trouble += sender.crossing.trouble();
                lateness.merge(&sender.lateness.noted());
                senders.insert(sender.flow, sender);
            }
            for receiver in left.receivers {
                trouble += receiver.crossing.trouble();
                receivers.insert(receiver.flow, receiver);
            }
        }
        let flows = kept.into_iter().filter_map(|kept| {
            // Every node that ended well has left all its ends.
            let index = kept.flow;
            let (sender, receiver) = (senders.remove(&index)?, receivers.remove(&index)?);
            let links = (network.counts.before(index), network.after[index]);
            let on_links = network.counts.under_way(index);
            Some(Flow { sender, receiver, kept, links, on_links })
        });
        Flows { flows: flows.collect(), trouble, lateness }
    }

    /// The state of a flow at a sample, both by index; `None` for a flow that is not over QUIC.
    pub(crate) fn seen(&self, time: usize, flow: usize) -> Option<Seen> {
        let at = self.flows.binary_search_by_key(&flow, |flow| flow.kept.flow).ok()?;
        let flow = &self.flows[at];
        let written = flow.sender.written.lock().unwrap_or_else(PoisonError::into_inner);
        // The last sample is due at the very end: the state of the one before stands for one that
        // came too late.
        let state = *written.samples.get(time).or(written.samples.last())?;
        let (delivered_bytes, jitter_s) =
            flow.received(|received| received.samples.get(time).copied())?;
        Some(Seen { state, jitter_s, delivered_bytes })
    }

    /// The result of each, with its index in the setup. `trouble` is that of all their sockets.
    pub(crate) fn results(
        self,
        setup: &Setup,
        trouble: Trouble,
    ) -> impl Iterator<Item = (usize, FlowResult)> {
        self.flows.into_iter().map(move |flow| (flow.kept.flow, flow.result(setup, trouble)))
    }
}

impl Flow {
    fn sent<R: Default>(&self, look: impl FnOnce(&mut Sent) -> R) -> R {
        self.sender.crossing.meter(Time::ZERO, |meter| match meter {
            Meter::Sender(sent) => look(sent),
            Meter::Receiver(_) => R::default(),
        })
    }

    fn received<R: Default>(&self, look: impl FnOnce(&mut Received) -> R) -> R {
        self.receiver.crossing.meter(Time::ZERO, |meter| match meter {
            Meter::Receiver(received) => look(received),
            Meter::Sender(_) => R::default(),
        })
    }

    fn result(mut self, setup: &Setup, trouble: Trouble) -> FlowResult {
        let end = Time::ZERO + setup.duration;
        let begin = Time::ZERO + setup.warmup;
        let (sent, (sent_before, recoveries_before), recoveries) =
            self.sent(|sent| (sent.sent, sent.before, sent.tap.recoveries()));
        let (arrived, bytes, before, reordered, late, delay_s) = self.received(|received| {
            let Received { arrived, reordered, before, under_way, .. } = *received;
            let reads = &received.reads;
            (arrived, reads.bytes(), before, reordered, under_way, reads.delay_s())
        });
        let (arrived_before, bytes_before, reordered_before) = before;
        let (marked, marked_before) = self.received(|received| received.marked);
        let arrivals = self.received(|received| std::mem::take(&mut received.arrivals));
        let mut rtts = None;
        self.sent(|sent| rtts = Some(sent.tap.take_rtts()));
        let rtts = rtts.unwrap_or_else(|| NetworkRtts::of_one(false));
        let (links_before, links_after) = self.links;
        let under_way = self.on_links + late;
        let fate = trouble.add_to(links_after.fate, sent, arrived, under_way);
        let progress = |sent, arrived, delivered_bytes, recoveries| Progress {
            sent,
            arrived,
            delivered_bytes,
            recoveries,
            elsewhere_bytes: Some(0),
            ..Progress::default()
        };
        let before = progress(sent_before, arrived_before, bytes_before, recoveries_before);
        let after = progress(sent, arrived, bytes, recoveries);
        let finished = self.sender.written.lock().unwrap_or_else(PoisonError::into_inner).finished;
        let measured = Measured {
            start: self.kept.start,
            from: begin.max(self.kept.start),
            end,
            finished: finished.filter(|at| *at <= end),
            before: links_before.totals_before(before),
            after: OnLinks { fate, ..links_after }.totals(after, under_way),
            rtts: &rtts,
            arrivals: Some(&arrivals),
            offered: self.kept.offered.as_deref_mut(),
            delay_s,
            media: None,
            moves: false,
        };
        let result = measured.result();
        FlowResult {
            // As in virtual time: QUIC sends frames again, not packets, and tells nobody of its
            // probe timeouts.
            delivered: None,
            retransmissions: None,
            timeouts: None,
            quench_reactions: None,
            copies: result.copies.filter(|copies| *copies > 0),
            reordered: Some(reordered - reordered_before),
            marked: marked.map(|marked| marked - marked_before),
            ..result
        }
    }
}
