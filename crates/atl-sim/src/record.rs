//! What a run leaves behind: totals of each flow and link, and samples over time.

use atl_core::time::{Span, Time};
use atl_core::window::WindowController;
use atl_scenario::result::{FlowResult, LinkResult, RunResult, Sample};

use crate::flow::{Flow, Mark};
use crate::network::{Hop, Network};
use crate::packet::Packet;

/// Data packets that left their source's own interface, by flow. Apart from the flows, which are far away in
/// memory at the moment when a packet leaves its first link.
#[derive(Debug)]
pub(crate) struct OnWire(Vec<u64>);

impl OnWire {
    pub fn new(flows: usize) -> Self {
        OnWire(vec![0; flows])
    }

    /// Counts a packet that comes out of a link, if it is data and the link is its first.
    #[inline]
    pub fn count(&mut self, packet: &Packet) {
        self.0[packet.flow as usize] += u64::from(packet.first_hop);
    }

    /// The count of a flow.
    pub fn of(&self, flow: usize) -> u64 {
        self.0[flow]
    }
}

/// Collects samples and draws up the result.
#[derive(Debug)]
pub(crate) struct Recorder {
    every: Option<Span>,
    samples: Vec<Sample>,
}

impl Recorder {
    pub fn new(every: Option<Span>) -> Self {
        Recorder { every, samples: Vec::new() }
    }

    pub fn every(&self) -> Option<Span> {
        self.every
    }

    /// Adds a row for each flow.
    pub fn sample(&mut self, now: Time, flows: &mut [Flow], network: &Network, on_wire: &OnWire) {
        let Some(every) = self.every else { return };
        for (index, flow) in flows.iter_mut().enumerate() {
            let wire = on_wire.of(index) * u64::from(flow.data_bytes);
            let delivered = flow.delivered_bytes();
            let rate = |bytes: u64| bytes as f64 * 8.0 / every.secs();
            let controller = flow.sender.controller();
            let aimd = controller.aimd();
            self.samples.push(Sample {
                time_s: now.secs(),
                flow: index as u32,
                network: flow.air.map_or(0, |l| network.links[l as usize].link.changes() as u32),
                cwnd: Some(controller.window()),
                ssthresh: Some(controller.ssthresh()),
                rate_bps: None,
                encoder_bps: None,
                jitter_s: None,
                in_flight: flow.sender.in_flight(),
                srtt_s: flow.sender.srtt().map(Span::secs),
                throughput_bps: rate(wire - flow.sampled.0),
                goodput_bps: rate(delivered - flow.sampled.1),
                wire_bytes: wire,
                delivered_bytes: delivered,
                alpha: aimd.map(|a| a.alpha),
                beta: aimd.map(|a| a.beta),
            });
            flow.sampled = (wire, delivered);
        }
    }

    /// The result at the end of the run.
    pub fn finish(
        self,
        flows: &[Flow],
        network: &Network,
        on_wire: &OnWire,
        end: Time,
        events: u64,
    ) -> RunResult {
        let links = network.links.iter().map(|Hop { link, .. }| {
            let c = link.counters();
            LinkResult {
                offered: c.offered,
                delivered: c.delivered,
                dropped: c.dropped,
                lost: c.lost,
                held: link.held() as u64,
                delivered_bytes: c.delivered_bytes,
                local_retransmissions: 0,
            }
        });
        RunResult {
            flows: flows.iter().enumerate().map(|(i, f)| f.result(end, on_wire.of(i))).collect(),
            links: links.collect(),
            samples: self.samples,
            events,
        }
    }
}

impl Flow {
    /// Measurement begins: what came before does not count.
    pub fn begin_measurement(&mut self, now: Time, on_wire: u64) {
        *self.since = Mark {
            at: now.max(self.start),
            tally: self.tally,
            on_wire,
            arrived: self.receiver.arrived(),
            delivered_bytes: self.delivered_bytes(),
            counts: self.sender.counts(),
        };
        if let Some(histogram) = &mut self.rtt {
            histogram.reset();
            self.rtt_min = Span::MAX;
        }
    }

    fn result(&self, end: Time, on_wire: u64) -> FlowResult {
        let since = &self.since;
        let before = since.tally;
        let counts = self.sender.counts();
        let finished = self.sender.finished();
        let active = finished.unwrap_or(end).min(end).since(since.at).secs();
        let rate = |bytes: u64| {
            if active > 0.0 { bytes as f64 * 8.0 / active } else { 0.0 }
        };
        let on_wire = on_wire - since.on_wire;
        let quantile = |q: f64| {
            let histogram = self.rtt.as_ref().filter(|h| !h.is_empty())?;
            Some(histogram.value_at_quantile(q) as f64 / 1e6)
        };
        FlowResult {
            active_s: active,
            throughput_bps: rate(on_wire * u64::from(self.data_bytes)),
            goodput_bps: rate(self.delivered_bytes() - since.delivered_bytes),
            sent: counts.sent - since.counts.sent,
            arrived: self.receiver.arrived() - since.arrived,
            delivered: (self.delivered_bytes() - since.delivered_bytes)
                .div_ceil(u64::from(self.segment)),
            dropped: self.tally.dropped - before.dropped,
            lost: self.tally.lost - before.lost,
            retransmissions: counts.retransmissions - since.counts.retransmissions,
            timeouts: counts.timeouts - since.counts.timeouts,
            recoveries: counts.recoveries - since.counts.recoveries,
            rtt_median_s: quantile(0.5),
            rtt_p95_s: quantile(0.95),
            rtt_min_s: (self.rtt_min < Span::MAX).then(|| self.rtt_min.secs()),
            completion_s: finished.map(|at| at.since(self.start).secs()),
            jitter_s: None,
            gap_jitter_s: None,
            media: None,
        }
    }
}
