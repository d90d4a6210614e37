//! ARC on its paper's own path: a link that loses packets by the four-state chain, whose MAC
//! distinguishes wireless from congestion losses.

use crate::support::single;
use atl_core::model::{Gilbert, PathChain, arc_throughput};
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_engine::setup::Setup;
use atl_link::{Config, Loss};
use atl_sim::Simulation;

/// Bits of a packet on the wire.
const PACKET: f64 = 8.0 * 1040.0;

fn path(chain: PathChain, wireless: bool) -> Setup {
    let mut link = Config::constant(Rate::from_mbps(20.0), Span::from_millis(100), 1000);
    link.initial.loss = Loss::Path(chain);
    let mut setup = single("arc", link, 1500.0);
    setup.warmup = Span::from_secs(100);
    setup.links[0].wireless = wireless;
    setup.flows[0].tcp.access_rate = Some(Rate::from_mbps(20.0));
    setup
}

/// The flow's rate over eq. 21 at this loss.
fn ratio(setup: &Setup, loss: Probability) -> f64 {
    let model = arc_throughput(loss, Span::from_millis(200)).expect("a rate");
    let runs = (1..=4).map(|seed| Simulation::new(setup, seed).run().flows[0].throughput_bps);
    runs.sum::<f64>() / 4.0 / PACKET / model
}

#[test]
fn the_rate_follows_congestion_and_not_the_wireless_part() {
    let p = Probability::clamped;
    let congestion = Gilbert::independent(p(0.005));
    for wireless in [
        Gilbert::independent(p(0.0)),
        Gilbert::independent(p(0.02)),
        Gilbert { to_bad: p(0.005), to_good: p(0.25) },
    ] {
        let chain = PathChain { wireless, congestion };
        let found = ratio(&path(chain, true), chain.congestion_loss());
        assert!((found - 1.0).abs() < 0.1, "{chain:?}: {found}");
    }
    // Without help from its MAC, a sender takes all losses for congestion.
    let wireless = Gilbert::independent(p(0.02));
    let chain = PathChain { wireless, congestion };
    let found = ratio(&path(chain, false), chain.loss());
    assert!((found - 1.0).abs() < 0.15, "{found}");
}
