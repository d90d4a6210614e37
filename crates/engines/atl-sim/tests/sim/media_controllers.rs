//! LDA+ and NADA end to end: alone, over a lossy link, beside TCP and among themselves.

use crate::support::{dumbbell, single};
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_engine::result::FlowResult;
use atl_link::Config;
use atl_sim::Simulation;

/// Headers take a share of the link.
const PAYLOAD: f64 = 1000.0 / 1040.0;

/// A flow on a link of `mbps` and `ms` one way whose target is twice the link's rate: its results
/// from the 100th second on.
fn alone(name: &str, mbps: f64, ms: u64, loss: f64) -> FlowResult {
    let link = Config::constant(Rate::from_mbps(mbps), Span::from_millis(ms), 50)
        .with_loss(Probability::clamped(loss));
    let mut setup = single(name, link, 300.0);
    setup.warmup = Span::from_secs(100);
    setup.flows[0].pacing.target = Some(Rate::from_mbps(2.0 * mbps));
    Simulation::new(&setup, 1).run().flows.remove(0)
}

fn share_of_link(flow: &FlowResult, mbps: f64) -> f64 {
    flow.goodput_bps / (mbps * 1e6 * PAYLOAD)
}

/// Median RTT above that of the path and one packet, in ms.
fn queueing(flow: &FlowResult, mbps: f64, ms: u64) -> f64 {
    flow.rtt_median_s.expect("measured") * 1e3 - 2.0 * ms as f64 - 1040.0 * 8.0 / (mbps * 1e3)
}

/// Goodputs of flows through one bottleneck, in Mb/s; the target of paced flows is the whole
/// bottleneck.
fn goodputs(names: &[&str], mbps: f64, queue: u32) -> Vec<f64> {
    let mut setup = dumbbell(names, Rate::from_mbps(mbps), queue, 600.0);
    for flow in &mut setup.flows {
        flow.pacing.target = Some(Rate::from_mbps(mbps));
    }
    let result = Simulation::new(&setup, 1).run();
    result.flows.iter().map(|flow| flow.goodput_bps / 1e6).collect()
}

fn jain(rates: &[f64]) -> f64 {
    let (sum, squares) = rates.iter().fold((0.0, 0.0), |(s, q), r| (s + r, q + r * r));
    sum * sum / (rates.len() as f64 * squares)
}

#[test]
fn each_fills_a_bottleneck_and_loses_nothing() {
    for (mbps, ms) in [(2.0, 10), (2.0, 50), (2.0, 150), (10.0, 50)] {
        for (name, least, most) in [("lda-plus", 0.0, 12.0), ("nada", 18.0, 32.0)] {
            let flow = alone(name, mbps, ms, 0.0);
            let share = share_of_link(&flow, mbps);
            assert!(share > 0.98, "{name}, {mbps} Mb/s at {ms} ms: {share}");
            assert_eq!(flow.dropped, Some(0), "{name}, {mbps} Mb/s at {ms} ms");
            // LDA+ settles below the link's rate, and its pairs queue for a packet's time; NADA
            // settles at XREF RMAX / r, which is 20 ms.
            let queueing = queueing(&flow, mbps, ms);
            assert!((least..most).contains(&queueing), "{name} at {ms} ms queues {queueing} ms");
        }
    }
}

#[test]
fn random_losses_cost_nada_little_and_lda_plus_what_they_cost_a_tcp() {
    let share = |name, loss| share_of_link(&alone(name, 2.0, 50, loss), 2.0);
    assert!(share("nada", 1e-2) > 0.9);
    assert!(share("nada", 5e-2) < 0.3);
    assert!(share("lda-plus", 1e-3) > 0.9);
    let lda = share("lda-plus", 1e-2);
    let tcp = share("sack", 1e-2);
    assert!((0.5..1.5).contains(&(lda / tcp)), "{lda} and {tcp}");
}

#[test]
fn beside_tcp_neither_starves() {
    for queue in [20, 50] {
        let shares = goodputs(&["lda-plus", "sack"], 4.0, queue);
        let ratio = shares[0] / shares[1];
        assert!((0.4..1.5).contains(&ratio), "LDA+, queue of {queue}: {shares:?}");
        // NADA yields to a queue that others fill, down to its warped share.
        let shares = goodputs(&["nada", "sack"], 4.0, queue);
        let ratio = shares[0] / shares[1];
        assert!((0.15..1.5).contains(&ratio), "NADA, queue of {queue}: {shares:?}");
    }
}

#[test]
fn flows_of_one_kind_share_equally() {
    for name in ["lda-plus", "nada"] {
        let shares = goodputs(&[name; 4], 4.0, 20);
        let sum: f64 = shares.iter().sum();
        assert!(jain(&shares) > 0.97, "{name}: {shares:?}");
        assert!(sum > 0.8 * 4.0 * PAYLOAD, "{name}: {shares:?}");
    }
}
