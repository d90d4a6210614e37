//! What a run has measured.

use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::OnLinks;
use atl_engine::flow::{Progress, Totals};
use atl_engine::result::{FlowResult, LinkResult, RunResult};
use atl_engine::setup::Setup;

use super::Run;
use super::network::data_on;
use crate::flow::Flow;

/// A flow when measurement began.
#[derive(Clone, Debug, Default)]
pub(super) struct Before {
    progress: Progress,
    reordered: u64,
    under_way: u64,
}

impl Before {
    /// None has begun.
    pub(super) fn of(flows: &[Flow]) -> Vec<Before> {
        flows.iter().map(|_| Before::default()).collect()
    }

    /// Measurement of a flow begins. The network has done so much with its packets.
    pub(super) fn take(&mut self, flow: &Flow, links: OnLinks) {
        let progress = flow.progress();
        let gone = links.fate.dropped + links.fate.lost;
        *self = Before {
            progress,
            reordered: flow.reordered(),
            under_way: progress.sent - progress.arrived - gone,
        };
    }
}

impl Run {
    pub(super) fn result(mut self, setup: &Setup) -> RunResult {
        for packet in data_on(self.routes, &self.relay) {
            self.counts.on_under_way(packet.flow);
        }
        let on_links = self.counts.look(data_on(self.routes, &self.relay));
        let mut flows = Vec::new();
        for (index, links) in on_links.into_iter().enumerate() {
            flows.push(self.flow_result(index, links, setup.flows[index].mobile.is_some()));
        }
        let links = self.relay.links().iter().zip(&self.trace_offsets);
        let links = links.map(|(link, offset)| LinkResult::of(link, *offset)).collect();
        let samples = self.recorder.into_samples();
        RunResult { flows, links, samples, events: Some(self.events), ..RunResult::default() }
    }

    fn flow_result(&mut self, index: usize, links: OnLinks, moves: bool) -> FlowResult {
        let counted = self.counts.before(index);
        let flow = &mut self.flows[index];
        let before = &self.before[index];
        let before_totals = Totals {
            fate: counted.fate,
            wire_bytes: counted.wire_bytes,
            under_way: before.under_way,
            progress: before.progress,
        };
        let after = Totals {
            fate: links.fate,
            wire_bytes: links.wire_bytes,
            under_way: self.counts.under_way(index) + flow.held(),
            progress: flow.progress(),
        };
        let reordered = flow.reordered() - before.reordered;
        let rtts = flow.tap().take_rtts();
        let delay_s = flow.delay_s();
        let measured = Measured {
            start: flow.start,
            from: flow.measured_from(self.begin),
            end: self.end,
            finished: flow.finished,
            before: before_totals,
            after,
            rtts: &rtts,
            arrivals: Some(&flow.arrivals),
            offered: flow.offered.as_deref_mut(),
            delay_s,
            media: None,
            moves,
        };
        FlowResult {
            // QUIC sends frames again, not packets, and tells nobody of its probe timeouts.
            delivered: None,
            retransmissions: None,
            timeouts: None,
            quench_reactions: None,
            copies: None,
            reordered: Some(reordered),
            ..measured.result()
        }
    }
}
