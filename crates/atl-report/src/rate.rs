//! The rate at which a flow may send, over time: one reading for flows that pace and for those that keep a window.

use atl_scenario::metric::sending_rate_bps;
use atl_scenario::result::Sample;
use atl_scenario::setup::FlowSetup;

/// What counts as a change, relative to the level before it.
const CHANGE: f64 = 0.1;

/// How often the rate of a flow changes, per second, by its samples in the order of time: each time that it is more than
/// a tenth above or below what it was when it last changed, or at first. `None` if no time passes between samples that
/// have a rate.
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
