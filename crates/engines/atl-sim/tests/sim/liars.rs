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
    let late = rtt(Some(Claims { acks: AckTiming::Late(Span::from_millis(30)), ..honest }));
    // Packet and ACK take the path's 21 ms, and the ACK waits before it leaves.
    assert!((late - rtt(None) - 0.030).abs() < 0.002, "{late}");
    // A receiver that acknowledges what it has not got loses what it does not ask for again.
    let delivered = |ahead| {
        let setup = lying(wire("sack", 8000.0, 20, 20, &["sack"]), Claims { ahead, ..honest });
        Simulation::new(&setup, 1).run().flows[0].goodput_bps
    };
    assert!(delivered(20) < 0.2 * delivered(0));
}

#[test]
fn a_receiver_that_spares_acks_still_gets_the_data() {
    let run = |acks: AckTiming| {
        let honest: Claims = LinkReport::NONE.into();
        let setup = lying(wire("sack", 8000.0, 20, 20, &["sack"]), Claims { acks, ..honest });
        Simulation::new(&setup, 1).run()
    };
    let (plain, thin) = (run(AckTiming::Prompt), run(AckTiming::Thin(4)));
    // Reno's window grows with ACKs, and a flight of fewer than four packets may get none: then the
    // timer has to expire.
    let [plain, thin] = [plain, thin].map(|run| run.flows[0].goodput_bps);
    assert!(thin > 0.0 && thin < plain, "{thin} of {plain}");
}
