//! ACKs of a receiver that lies. `atl attack receiver` searches for the gain of each lie
//! (docs/protocols/lies.md).

use crate::support::wire;
use atl_core::path::LinkReport;
use atl_core::time::Span;
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
