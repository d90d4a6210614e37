//! Samples of all flows, from what ends and network have written down.

use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::flow::record::{Moment, OnLinks, Recorder};
use atl_engine::result::Sample;
use atl_engine::setup::Setup;

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

/// Brings together what the network has written down of each flow at each sample with what its
/// ends have: `seen` tells it of a sample and a flow, by index.
pub(crate) fn samples(
    setup: &Setup,
    network: &[Vec<(OnLinks, u32)>],
    seen: impl Fn(usize, usize) -> Option<Seen>,
) -> Vec<Sample> {
    let mut recorder = Recorder::new(setup.sample_every, setup.flows.len());
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
