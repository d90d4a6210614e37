//! Metrics of live media.

use atl_engine::result::{FlowResult, MediaResult};

/// A count of frames as a share of all that were due; `None` if none was.
pub(super) fn share_of_frames(flow: &FlowResult, count: fn(MediaResult) -> u64) -> Option<f64> {
    let media = flow.media?;
    (media.frames > 0).then(|| count(media) as f64 / media.frames as f64)
}

/// Share of the time in which the player was stalled; of a stored video, of the time after its
/// start-up.
pub(super) fn stalled(flow: &FlowResult) -> Option<f64> {
    if let Some(playback) = flow.playback {
        return playback.stalled_share();
    }
    let media = flow.media?;
    (flow.active_s > 0.0).then(|| media.stalled_s / flow.active_s)
}
