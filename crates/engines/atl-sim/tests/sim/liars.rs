//! What a lying receiver does with its ACKs. `atl attack receiver` searches for what its lies get (docs/protocols/lies.md).

use crate::support::{flow, link};
use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::Rate;
use atl_endpoint::claims::{AckTiming, Claims};
use atl_engine::setup::{ReceiverAwareness, Setup};
use atl_link::Config;
use atl_sim::Simulation;

/// A flow of this law beside flows of another over a wire of `kbps`, with a round trip of `rtt_ms` and a short queue.
fn wire(law: &str, kbps: f64, rtt_ms: u64, queue: u32, others: &[&str]) -> Setup {
    let rate = Rate::from_bps(kbps * 1e3);
    let access =
        Config::constant(Rate::from_bps(kbps * 12e3), Span::from_micros(rtt_ms * 50), 1000);
    let there = Config::constant(rate, Span::from_micros(rtt_ms * 450), queue);
    let back = Config::constant(rate, Span::from_micros(rtt_ms * 450), 1000);
    let links = vec![
        link("access", 0, 1, access.clone()),
        link("access.back", 1, 0, access),
        link("shared", 1, 2, there),
        link("shared.back", 2, 1, back),
    ];
    let mut flows = Vec::new();
    for (i, name) in std::iter::once(&law).chain(others).enumerate() {
        let mut f = flow(&format!("flow-{i}"), name, &[0, 2], &[3, 1]);
        f.start_jitter = Span::from_millis(100);
        f.overhead = rate.time_for(1040);
        f.pacing.target = Some(rate);
        flows.push(f);
    }
    Setup {
        nodes: (0..3).map(|n| n.to_string()).collect(),
        links,
        flows,
        mobiles: Vec::new(),
        map: None,
        duration: Span::from_secs(60),
        warmup: Span::from_secs(10),
        sample_every: None,
    }
}

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
