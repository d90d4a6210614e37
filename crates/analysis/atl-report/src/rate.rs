//! Changes of the sending rate, with one definition for paced flows and flows with a window.

use atl_engine::result::Sample;
use atl_engine::setup::FlowSetup;
use atl_scenario::metric::sending_rate_bps;

/// Relative difference above which the rate counts as changed.
const CHANGE: f64 = 0.1;

/// Changes of a flow's sending rate per second, from its samples by increasing time. A change is a
/// difference of more than a tenth from the rate at the last change, or at first from the first
/// rate. `None` if no time passes between samples with a rate.
pub fn changes_per_s<'a>(
    flow: &FlowSetup,
    samples: impl Iterator<Item = &'a Sample>,
) -> Option<f64> {
    let mut levels = samples.filter_map(|s| Some((s.time_s, sending_rate_bps(flow, s)?)));
    let (first_s, mut level) = levels.next()?;
    let (mut last_s, mut changes) = (first_s, 0_u64);
    for (time_s, next) in levels {
        last_s = time_s;
        if (next - level).abs() > CHANGE * level {
            changes += 1;
            level = next;
        }
    }
    (last_s > first_s).then(|| changes as f64 / (last_s - first_s))
}
