//! What a run leaves behind: totals of each flow and link, and samples over time.

use atl_core::time::Span;
use atl_scenario::result::{FlowResult, LinkResult, RunResult, Sample};

use crate::network::Network;
use crate::packet::Packet;

/// For each flow, the bytes of data packets, headers included, that have left their source's own interface. Kept apart
/// from the flows, which are far away in memory when a packet leaves its first link.
#[derive(Debug)]
pub(crate) struct OnWire(Vec<u64>);

impl OnWire {
    /// For packets whose `flow` is below `len`. Cells name an end of a virtual channel there, and count as nothing.
    pub(crate) fn new(len: usize) -> Self {
        OnWire(vec![0; len])
    }

    /// Counts a packet that comes out of a link, if it is data and the link is its first.
    #[inline]
    pub(crate) fn count(&mut self, packet: &Packet) {
        self.0[packet.flow as usize] += u64::from(packet.first_hop) * u64::from(packet.bytes);
    }

    /// The bytes of a flow.
    pub(crate) fn of(&self, flow: u32) -> u64 {
        self.0[flow as usize]
    }
}

/// Collects samples and assembles the result.
#[derive(Debug)]
pub(crate) struct Recorder {
    every: Option<Span>,
    samples: Vec<Sample>,
}

impl Recorder {
    pub(crate) fn new(every: Option<Span>) -> Self {
        Recorder { every, samples: Vec::new() }
    }

    pub(crate) fn every(&self) -> Option<Span> {
        self.every
    }

    /// Adds a row.
    pub(crate) fn push(&mut self, sample: Sample) {
        self.samples.push(sample);
    }

    /// The result at the end of the run.
    pub(crate) fn finish(
        self,
        flows: Vec<FlowResult>,
        network: &Network,
        events: u64,
    ) -> RunResult {
        let links = network.links.iter().zip(&network.trace_offsets);
        let links = links.map(|(hop, trace_offset)| LinkResult::of(&hop.link, *trace_offset));
        RunResult {
            flows,
            links: links.collect(),
            samples: self.samples,
            events: Some(events),
            lateness: None,
            datagrams: None,
        }
    }
}
