//! The results of a run.

use atl_engine::flow::Talked;
use atl_engine::flow::measure::Measured;
use atl_engine::flow::record::OnLinks;
use atl_engine::result::{FlowResult, LinkResult, RunResult};
use atl_engine::setup::Setup;

use super::Run;
use super::network::data_on;

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
        for Talked { flow, exchanges, playback } in
            self.talks.iter().flat_map(|talk| talk.results(self.end))
        {
            flows[flow].exchanges = Some(exchanges);
            flows[flow].playback = playback;
        }
        let links = LinkResult::all(self.relay.links(), &self.trace_offsets);
        let samples = self.recorder.into_samples();
        RunResult { flows, links, samples, events: Some(self.events), ..RunResult::default() }
    }

    fn flow_result(&mut self, index: usize, links: OnLinks, moves: bool) -> FlowResult {
        let flow = &mut self.flows[index];
        let (before, reordered_before) = self.before[index];
        let before = self.counts.before(index).totals_before(before);
        let after = links.totals(flow.progress(), self.counts.under_way(index) + flow.held());
        let reordered = flow.reordered() - reordered_before;
        let rtts = flow.tap().take_rtts();
        let delay_s = flow.delay_s();
        let measured = Measured {
            start: flow.start,
            from: flow.measured_from(self.begin),
            end: self.end,
            finished: flow.finished,
            before,
            after,
            rtts: &rtts,
            arrivals: Some(&flow.arrivals),
            offered: flow.offered.as_deref_mut(),
            delay_s,
            media: None,
            moves,
        };
        let result = measured.result();
        FlowResult {
            // QUIC sends frames again, not packets, and tells nobody of its probe timeouts.
            delivered: None,
            retransmissions: None,
            timeouts: None,
            quench_reactions: None,
            copies: result.copies.filter(|copies| *copies > 0),
            reordered: Some(reordered),
            ..result
        }
    }
}
