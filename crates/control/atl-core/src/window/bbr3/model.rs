//! The model of the path ("Network Path Model Parameters").

use super::filters::{ExtraAcked, MaxBandwidth};
use crate::time::Time;

/// The model of the path.
#[derive(Clone, Debug)]
pub(super) struct Model {
    /// BBR.max_bw.
    pub(super) max: MaxBandwidth,
    /// BBR.bw_shortterm and BBR.inflight_shortterm; infinite: no limit.
    pub(super) short_rate: f64,
    pub(super) short_volume: f64,
    /// BBR.inflight_longterm; infinite: no limit.
    pub(super) long_volume: f64,
    /// BBR.bw.
    pub(super) rate: f64,
    /// BBR.bw_latest and BBR.inflight_latest.
    pub(super) latest_rate: f64,
    pub(super) latest_volume: f64,
    /// BBR.round_count, BBR.round_start, and BBR.next_round_delivered.
    pub(super) round: u64,
    pub(super) round_start: bool,
    pub(super) round_end: u64,
    pub(super) extra: ExtraAcked,
    /// BBR.extra_acked_interval_start and BBR.extra_acked_delivered.
    pub(super) extra_since: Time,
    pub(super) extra_delivered: f64,
}

impl Model {
    pub(super) fn new() -> Self {
        Model {
            max: MaxBandwidth::default(),
            short_rate: f64::INFINITY,
            short_volume: f64::INFINITY,
            long_volume: f64::INFINITY,
            rate: 0.0,
            latest_rate: 0.0,
            latest_volume: 0.0,
            round: 0,
            round_start: false,
            round_end: 0,
            extra: ExtraAcked::default(),
            extra_since: Time::ZERO,
            extra_delivered: 0.0,
        }
    }

    /// An interval of aggregation begins.
    pub(super) fn begin(&mut self, now: Time) {
        self.extra_since = now;
    }

    /// ResetShortTermModel.
    pub(super) fn reset_short_term(&mut self) {
        self.short_rate = f64::INFINITY;
        self.short_volume = f64::INFINITY;
    }

    /// BoundBWForModel.
    pub(super) fn bound(&mut self) {
        self.rate = self.max.get().min(self.short_rate);
    }
}

/// The estimator of a full pipe.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct FullPipe {
    /// BBR.full_bw_reached: ever.
    pub(super) reached: bool,
    /// BBR.full_bw_now: since the search began.
    pub(super) now: bool,
    /// BBR.full_bw.
    pub(super) rate: f64,
    /// BBR.full_bw_count.
    pub(super) rounds: u32,
}

impl FullPipe {
    /// ResetFullBW, with the rate from which growth counts.
    pub(super) fn restart(&mut self, rate: f64) {
        *self = FullPipe { reached: self.reached, now: false, rate, rounds: 0 };
    }
}

/// The least round-trip time, in seconds.
#[derive(Clone, Copy, Debug)]
pub(super) struct LeastRtt {
    /// BBR.min_rtt, infinite before the first, and BBR.min_rtt_stamp.
    pub(super) secs: f64,
    pub(super) at: Time,
    /// BBR.probe_rtt_min_delay and BBR.probe_rtt_min_stamp.
    pub(super) recent: f64,
    pub(super) recent_at: Time,
    /// BBR.probe_rtt_expired.
    pub(super) expired: bool,
    /// BBR.probe_rtt_done_stamp, once the volume in flight is low enough.
    pub(super) done_at: Option<Time>,
    /// BBR.probe_rtt_round_done.
    pub(super) round_done: bool,
}

impl LeastRtt {
    pub(super) fn new(known: Option<f64>) -> Self {
        LeastRtt {
            secs: known.unwrap_or(f64::INFINITY),
            at: Time::ZERO,
            recent: f64::INFINITY,
            recent_at: Time::ZERO,
            expired: false,
            done_at: None,
            round_done: false,
        }
    }

    /// The connection begins.
    pub(super) fn begin(&mut self, now: Time) {
        self.at = now;
        self.recent_at = now;
    }
}
