//! How often the sending rate of a flow changes; one definition for paced flows and for flows with a window.

use atl_engine::result::Sample;
use atl_engine::setup::FlowSetup;
use atl_scenario::metric::sending_rate_bps;

/// Smallest relative difference that counts as a change.
const CHANGE: f64 = 0.1;

/// Changes of a flow's sending rate per second, from its samples in order of time. The rate changes when it differs by
/// more than a tenth from its value at the last change, or from the first value. `None` if no time passes between the
/// samples that have a rate.
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
