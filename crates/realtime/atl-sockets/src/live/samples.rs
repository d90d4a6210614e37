//! The record that all engines here keep of a flow, and samples from what ends and network have
//! written down.

use atl_core::time::{Span, Time};
use atl_endpoint::meters::Offered;
use atl_engine::flow::Build;
use atl_engine::flow::State;
use atl_engine::flow::record::{Moment, OnLinks, Recorder};
use atl_engine::result::Sample;

/// The state of a flow at a sample, as its ends have written it down.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// Of its sender.
    pub state: State,
    /// Jitter since the sample before.
    pub jitter_s: Option<f64>,
    /// Bytes that the application has read.
    pub delivered_bytes: u64,
}

/// The parts of a flow's result that are there before it runs.
#[derive(Debug)]
pub(crate) struct Kept {
    pub flow: usize,
    pub start: Time,
    pub offered: Option<Box<Offered>>,
}

impl Kept {
    /// Those of the flow with this index in the setup.
    pub(crate) fn new(flow: usize, build: &Build<'_>) -> Self {
        let offered = Offered::new(build.app(), build.start);
        Kept { flow, start: build.start, offered }
    }
}

/// Brings together what the network has written down of each flow at each sample with what its
/// ends have: `seen` gives that of a sample and a flow, both by index.
pub(crate) fn samples(
    every: Option<Span>,
    flows: usize,
    network: &[Vec<(OnLinks, u32)>],
    seen: impl Fn(usize, usize) -> Option<Seen>,
) -> Vec<Sample> {
    let mut recorder = Recorder::new(every, flows);
    let every = recorder.every().unwrap_or_default();
    for (time, flows) in network.iter().enumerate() {
        let at = Time::ZERO + every * (time as u64 + 1);
        for (index, (links, network)) in (0..).zip(flows) {
            let Some(Seen { state, jitter_s, delivered_bytes }) = seen(time, index as usize) else {
                continue;
            };
            let tally = links.tally(delivered_bytes, Some(0));
            recorder.add(at, index, &Moment { network: *network, state, jitter_s, tally });
        }
    }
    recorder.into_samples()
}
