//! From what the threads have written down to a result.

use std::sync::PoisonError;

use crate::live::{Outcome, Trouble};
use atl_core::time::Time;
use atl_endpoint::meters::Offered;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::{Moment, NetworkRtts, OnLinks, Recorder};
use atl_engine::flow::{Progress, State};
use atl_engine::result::{Datagrams, FlowResult, RunResult, Sample};
use atl_engine::setup::Setup;

use crate::quic::meter::{Meter, Received, Sent};
use crate::quic::node::Left;
use crate::quic::receiver::ReceiverLeft;
use crate::quic::sender::SenderLeft;

/// The parts of a flow's result that are there before it runs.
#[derive(Debug)]
pub(super) struct FlowKept {
    pub(super) start: Time,
    pub(super) offered: Option<Box<Offered>>,
}

/// A flow at the end.
struct Flow {
    sender: SenderLeft,
    receiver: ReceiverLeft,
    kept: FlowKept,
    /// Its packets by their fate in the network when measurement began, and at the end.
    links: (OnLinks, OnLinks),
    /// Packets on the links at the end.
    on_links: u64,
}

/// The result of a run.
pub(super) fn assemble(setup: &Setup, outcome: Outcome<Left>, kept: Vec<FlowKept>) -> RunResult {
    let Outcome { network, mut trouble, mut lateness, nodes } = outcome;
    let mut ends: Vec<(Option<_>, Option<_>)> = kept.iter().map(|_| (None, None)).collect();
    for Left { senders, receivers } in nodes {
        for sender in senders {
            trouble += sender.crossing.trouble();
            lateness.merge(&sender.lateness.noted());
            let flow = sender.flow;
            ends[flow].0 = Some(sender);
        }
        for receiver in receivers {
            trouble += receiver.crossing.trouble();
            let flow = receiver.flow;
            ends[flow].1 = Some(receiver);
        }
    }
    let mut flows = Vec::new();
    for (index, (ends, kept)) in ends.into_iter().zip(kept).enumerate() {
        // Every node that ended well has left all its ends.
        if let (Some(sender), Some(receiver)) = ends {
            let links = (network.counts.before(index), network.after[index]);
            let on_links = network.counts.under_way(index);
            flows.push(Flow { sender, receiver, kept, links, on_links });
        }
    }
    RunResult {
        samples: samples(setup, &network.samples, &flows),
        flows: flows.into_iter().map(|flow| flow.result(setup, trouble)).collect(),
        links: network.links,
        lateness: Some(crate::live::lateness(&lateness, trouble.missing)),
        datagrams: Some(Datagrams { missing: trouble.missing, refused: trouble.refused }),
        ..RunResult::default()
    }
}

/// Brings together what sender, receiver and network have written down at each sample.
fn samples(setup: &Setup, on_links: &[Vec<(OnLinks, u32)>], flows: &[Flow]) -> Vec<Sample> {
    let mut recorder = Recorder::new(setup.sample_every, flows.len());
    let every = recorder.every().unwrap_or_default();
    let of_senders: Vec<Vec<State>> = flows.iter().map(Flow::states).collect();
    let of_receivers: Vec<Vec<_>> =
        flows.iter().map(|flow| flow.received(|received| received.samples.clone())).collect();
    for (time, on_links) in on_links.iter().enumerate() {
        let at = Time::ZERO + every * (time as u64 + 1);
        let ends = of_senders.iter().zip(&of_receivers);
        for ((index, (states, received)), (links, network)) in (0..).zip(ends).zip(on_links) {
            // The last sample is due at the very end: the state of the one before stands for one
            // that came too late.
            let state = states.get(time).or(states.last());
            let (Some(state), Some(&(delivered_bytes, jitter_s))) = (state, received.get(time))
            else {
                continue;
            };
            let tally = links.tally(delivered_bytes, Some(0));
            recorder.add(at, index, &Moment { network: *network, state: *state, jitter_s, tally });
        }
    }
    recorder.into_samples()
}

impl Flow {
    fn states(&self) -> Vec<State> {
        self.sender.written.lock().unwrap_or_else(PoisonError::into_inner).samples.clone()
    }

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
