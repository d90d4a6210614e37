//! A rate controller as a host has it: its timers, its probes, its rate.

use atl_core::rate::RateController;
use atl_core::time::Time;

/// Serves everything due up to `end`, and returns the times at which probes or dummies left.
pub(crate) fn serve(controller: &mut impl RateController, end: Time) -> Vec<Time> {
    let mut probes = Vec::new();
    while let Some(due) = controller.next_timeout().filter(|&due| due <= end) {
        controller.on_tick(due);
        while controller.poll_probe(due) {
            probes.push(due);
        }
    }
    probes
}

/// The rate in packets per second, but for rounding.
#[track_caller]
pub(crate) fn is(controller: &impl RateController, expected: f64) {
    let rate = controller.rate();
    assert!((rate / expected - 1.0).abs() < 1e-9, "{rate} is not {expected}");
}
