//! Values of the metrics of live media.

use atl_engine::result::{FlowResult, MediaResult};

/// Some of the frames, as a share of all that were due; `None` without any.
pub(super) fn share_of_frames(flow: &FlowResult, count: fn(MediaResult) -> u64) -> Option<f64> {
    let media = flow.media?;
    (media.frames > 0).then(|| count(media) as f64 / media.frames as f64)
}

/// Share of the time in which the player stood still.
pub(super) fn stalled(flow: &FlowResult) -> Option<f64> {
    let media = flow.media?;
    (flow.active_s > 0.0).then(|| media.stalled_s / flow.active_s)
}
