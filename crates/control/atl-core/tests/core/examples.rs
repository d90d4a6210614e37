//! Runs the crate's examples, and checks their claims.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_core::window::{ControllerConfig, atl, reno};

#[path = "../../examples/own_stack.rs"]
#[allow(dead_code)]
mod own_stack;

#[test]
fn own_stack_fills_a_lossy_radio_with_tcp_atl_and_not_with_reno() {
    let goodput = |config: &ControllerConfig, loss| {
        let mut radio = own_stack::Radio::new(Rate::from_mbps(20.0), Span::from_millis(50), loss);
        let took = own_stack::transfer(config, 20_000, &mut radio);
        let lost = radio.lost as f64 / 20_000.0;
        assert!((lost - loss).abs() < 0.3 * loss + 1e-9, "{lost} of {loss}");
        8.0 * 1200.0 * 20_000.0 / took.secs() / 1e6
    };
    let atl = ControllerConfig::from(atl::robust::Config::default());
    let reno = ControllerConfig::from(reno::Config::default());
    let (atl_lossy, reno_lossy) = (goodput(&atl, 0.01), goodput(&reno, 0.01));
    assert!(atl_lossy > 14.0, "TCP-ATL: {atl_lossy} of 20 Mb/s");
    assert!(reno_lossy < 3.0, "Reno: {reno_lossy} of 20 Mb/s");
    // Without loss on the radio both fill the link.
    for config in [atl, reno] {
        let clean = goodput(&config, 0.0);
        assert!(clean > 16.0, "{config:?}: {clean} of 20 Mb/s");
    }
}
