//! What a lying receiver does with its ACKs. `atl attack receiver` searches for what its lies get (docs/protocols/lies.md).

use crate::support::wire;
use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Probability;
use atl_endpoint::claims::{AckTiming, Claims};
use atl_engine::setup::{ReceiverAwareness, Setup};
use atl_sim::Simulation;

fn lying(mut setup: Setup, claims: Claims) -> Setup {
    setup.flows[0].receiver = ReceiverAwareness::Claims(claims);
    setup
}

#[test]
fn acks_that_leave_later_arrive_later() {
    let rtt = |claims: Option<Claims>| {
        let mut setup = wire("sack", 8000.0, 20, 20, &["sack"]);
        if let Some(claims) = claims {
            setup = lying(setup, claims);
        }
        let run = Simulation::new(&setup, 1).run();
        run.flows[0].rtt_min_s.expect("measured")
    };
    let honest = LinkReport::NONE.into();
    assert_eq!(rtt(None).to_bits(), rtt(Some(honest)).to_bits());
    let level = Claims { acks: AckTiming::Level(Span::from_millis(40)), ..honest };
    // 10 ms back from the receiver.
    let found = rtt(Some(level));
    assert!((0.050..0.052).contains(&found), "{found}");
    // A receiver that acknowledges what it has not got loses what it does not ask for again.
    let delivered = |ahead| {
        let setup = lying(wire("sack", 8000.0, 20, 20, &["sack"]), Claims { ahead, ..honest });
        Simulation::new(&setup, 1).run().flows[0].goodput_bps
    };
    assert!(delivered(20) < 0.2 * delivered(0));
}

/// Goodput of a flow of this law over the mean of its SACK neighbours', over three seeds.
fn over_neighbours(setup: &Setup) -> f64 {
    let (mut ours, mut theirs) = (0.0, 0.0);
    for seed in 1..=3 {
        let run = Simulation::new(setup, seed).run();
        let others = &run.flows[1..];
        ours += run.flows[0].goodput_bps;
        theirs += others.iter().map(|f| f.goodput_bps).sum::<f64>() / others.len() as f64;
    }
    ours / theirs
}

/// docs/protocols/lies.md: before losses were held against the queue's own lengths, robust got 11 times, and ARC 7 to 127 times
/// a neighbour's goodput on such wires.
#[test]
fn on_a_wire_a_lie_gets_twice_a_neighbours_goodput_or_adds_a_fifth_to_the_laws_own() {
    let everything = LinkReport { loss: Probability::ONE, delay: Span::from_secs(10) };
    let sacks = ["sack"; 3];
    for law in ["tcp-atl-robust", "arc", "residual"] {
        for (kbps, rtt_ms, queue, n) in
            [(2000.0, 6, 10, 1), (20_000.0, 20, 10, 1), (8000.0, 60, 20, 3)]
        {
            let setup = wire(law, kbps, rtt_ms, queue, &sacks[..n]);
            let honest = over_neighbours(&setup);
            let liar = over_neighbours(&lying(setup, everything.into()));
            let bound = 2.0f64.max(1.2 * honest);
            assert!(liar <= bound, "{law}, {kbps} kb/s: {liar}, honest {honest}");
        }
    }
}
