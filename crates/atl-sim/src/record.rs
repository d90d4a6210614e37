//! What a run leaves behind: totals of each flow and link, and samples over time.

use atl_core::time::{Span, Time};
use atl_core::window::WindowController;
use atl_scenario::result::{FlowResult, LinkResult, RunResult, Sample};

use crate::flow::{Flow, Mark};
use crate::network::{Hop, Network};
use crate::packet::Packet;

/// Bytes of data packets, headers included, that left their source's own interface, by flow. Apart from the flows,
/// which are far away in memory at the moment when a packet leaves its first link.
#[derive(Debug)]
pub(crate) struct OnWire(Vec<u64>);

impl OnWire {
    pub fn new(flows: usize) -> Self {
        OnWire(vec![0; flows])
    }

    /// Counts a packet that comes out of a link, if it is data and the link is its first.
    #[inline]
    pub fn count(&mut self, packet: &Packet) {
        let counts = if packet.first_hop { u64::from(packet.bytes) } else { 0 };
        self.0[packet.flow as usize] += counts;
    }

    /// The bytes of a flow.
    pub fn of(&self, flow: u32) -> u64 {
        self.0[flow as usize]
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

    /// Adds a row.
    pub fn push(&mut self, sample: Sample) {
        self.samples.push(sample);
    }

    /// The result at the end of the run.
    pub fn finish(self, flows: Vec<FlowResult>, network: &Network, events: u64) -> RunResult {
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
            flows,
            links: links.collect(),
            samples: self.samples,
            events: Some(events),
            lateness: None,
        }
    }
}

impl Flow {
    /// A row of samples, `every` after the one before; `wire` is what has left in bytes.
    pub fn sample(&mut self, now: Time, every: Span, network: u32, wire: u64) -> Sample {
        let delivered = self.delivered_bytes();
        let rate = |bytes: u64| bytes as f64 * 8.0 / every.secs();
        let controller = self.sender.controller();
        let aimd = controller.aimd();
        let sample = Sample {
            time_s: now.secs(),
            flow: 0,
            network,
            cwnd: Some(controller.window()),
            ssthresh: Some(controller.ssthresh()),
            rate_bps: None,
            encoder_bps: None,
            jitter_s: self.arrivals.as_mut().and_then(|a| a.take_interval()),
            in_flight: self.sender.in_flight(),
            srtt_s: self.sender.srtt().map(Span::secs),
            throughput_bps: rate(wire - self.sampled.0),
            goodput_bps: rate(delivered - self.sampled.1),
            wire_bytes: wire,
            delivered_bytes: delivered,
            alpha: aimd.map(|a| a.alpha),
            beta: aimd.map(|a| a.beta),
        };
        self.sampled = (wire, delivered);
        sample
    }

    /// Measurement begins: what came before does not count.
    pub fn begin_measurement(&mut self, now: Time, on_wire: u64) {
        *self.since = Mark {
            at: now.max(self.start),
            tally: self.tally,
            on_wire,
            arrived: self.receiver.arrived(),
            delivered: self.receiver.next(),
            counts: self.sender.counts(),
        };
        self.rtts.reset();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.reset();
        }
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(now);
        }
        if let Some(delays) = &mut self.delays {
            delays.reset();
        }
    }

    /// What it measured, at the end of the run.
    pub fn result(&mut self, end: Time, on_wire: u64) -> FlowResult {
        let since = *self.since;
        let before = since.tally;
        let counts = self.sender.counts();
        let finished = self.sender.finished();
        let until = finished.unwrap_or(end).min(end);
        let active = until.since(since.at).secs();
        let rate = |bytes: u64| {
            if active > 0.0 { bytes as f64 * 8.0 / active } else { 0.0 }
        };
        let on_wire = on_wire - since.on_wire;
        FlowResult {
            active_s: active,
            throughput_bps: rate(on_wire),
            goodput_bps: rate(self.delivered_bytes() - self.sizes.bytes(since.delivered)),
            sent: counts.sent - since.counts.sent,
            arrived: Some(self.receiver.arrived() - since.arrived),
            delivered: Some(self.receiver.next() - since.delivered),
            dropped: Some(self.tally.dropped - before.dropped),
            lost: Some(self.tally.lost - before.lost),
            retransmissions: Some(counts.retransmissions - since.counts.retransmissions),
            timeouts: Some(counts.timeouts - since.counts.timeouts),
            quench_reactions: Some(counts.quenches - since.counts.quenches),
            recoveries: Some(counts.recoveries - since.counts.recoveries),
            rtt_median_s: self.rtts.quantile(0.5),
            rtt_p95_s: self.rtts.quantile(0.95),
            rtt_min_s: self.rtts.min(),
            completion_s: finished.map(|at| at.since(self.start).secs()),
            jitter_s: self.arrivals.as_ref().and_then(|a| a.transit_jitter()),
            gap_jitter_s: self.arrivals.as_ref().and_then(|a| a.gap_jitter()),
            offered_bps: self.offered.as_mut().and_then(|o| o.rate_bps(until, active)),
            delay_s: self.delays.as_ref().and_then(|d| d.mean_s()),
            ..FlowResult::default()
        }
    }
}
