//! The cost of a sweep, estimated before any of it is run.

use std::collections::BTreeMap;

use atl_core::time::Time;
use atl_engine::setup::Setup;
use atl_engine::traffic::Traffic;

use crate::scenario::Scenario;

/// Memory of a point and of a flow of a point, measured with ten thousand of the one and a million
/// of the other; and of a run, whose goodput is kept for ranking.
const POINT_BYTES: u64 = 8_000;
const FLOW_BYTES: u64 = 1_000;
const RUN_BYTES: u64 = 8;
/// Bytes of a flow's results in a run, and of each sample of it.
const RESULT_BYTES: u64 = 300;
const SAMPLE_BYTES: u64 = 100;

/// The cost of a scenario on one engine, roughly: rather too much than too little, but for
/// retransmissions, acknowledgments and packets of mobiles' probes, which are not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cost {
    /// Runs: points times seeds.
    pub runs: u64,
    /// Flows of all points together.
    pub flows: u64,
    /// Data packets of all runs, at most; infinite where nothing but a controller of rates limits
    /// a flow.
    pub packets: f64,
    /// Bytes of memory that the sweep takes before anything runs.
    pub memory: u64,
    /// Bytes of the results of all runs, most of which go to a temporary file.
    pub results: u64,
}

impl Scenario {
    /// The cost of the scenario on one engine.
    pub fn cost(&self) -> Cost {
        let seeds = self.seeds.len() as u64;
        let (mut flows, mut packets, mut results) = (0, 0.0, 0_u64);
        for point in &self.points {
            let setup = &point.setup;
            let own = setup.flows.len() as u64;
            let samples =
                setup.sample_every.map_or(0, |every| setup.duration.nanos() / every.nanos().max(1));
            flows += own;
            packets += packets_of(setup);
            let of_flow = samples.saturating_mul(SAMPLE_BYTES).saturating_add(RESULT_BYTES);
            results = results.saturating_add(of_flow.saturating_mul(own));
        }
        let runs = self.points.len() as u64 * seeds;
        Cost {
            runs,
            flows,
            packets: packets * seeds as f64,
            memory: self.points.len() as u64 * POINT_BYTES + flows * FLOW_BYTES + runs * RUN_BYTES,
            results: results.saturating_mul(seeds),
        }
    }
}

/// Data packets of one run. Flows that share a bottleneck share what it carries.
fn packets_of(setup: &Setup) -> f64 {
    let end = Time::ZERO + setup.duration;
    let mut shared: BTreeMap<usize, (f64, f64)> = BTreeMap::new();
    let mut free = 0.0;
    for flow in &setup.flows {
        let traffic = Traffic::of(flow, &setup.links, end);
        match traffic.bottleneck {
            Some(link) => {
                let (sum, most) = shared.entry(link).or_insert((0.0, 0.0));
                *sum += traffic.packets();
                // Smaller packets than another flow's are more.
                *most = traffic.route.max(*most);
            }
            None => free += traffic.packets(),
        }
    }
    free + shared.values().map(|(sum, most)| sum.min(*most)).sum::<f64>()
}
