//! State that lasts from one event to the next.

use super::state::{AckPhase, State};
use crate::time::Time;

/// State of the cycle that probes for bandwidth.
#[derive(Clone, Debug)]
pub(super) struct Cycle {
    pub(super) phase: AckPhase,
    /// BBR.is_bw_probe_sample: ACKs show packets that were sent to probe.
    pub(super) is_probe_sample: bool,
    /// BBR.rounds_since_probe_up.
    pub(super) rounds_since_probe: u64,
    /// BBR.bw_probe_wait.
    pub(super) wait: f64,
    /// BBR.cycle_stamp.
    pub(super) since: Time,
    /// BBR.bw_probe_up_rounds, BBR.bw_probe_up_acked, BBR.probe_up_acked_per_inc.
    pub(super) up_rounds: u32,
    pub(super) up_acked: f64,
    pub(super) acked_per_packet: f64,
    /// BBR.prev_probe_too_high and BBR.prev_probe_precautionary.
    pub(super) too_high: bool,
    pub(super) precautionary: bool,
}

impl Cycle {
    pub(super) fn new() -> Self {
        Cycle {
            phase: AckPhase::Init,
            is_probe_sample: false,
            rounds_since_probe: 0,
            wait: 0.0,
            since: Time::ZERO,
            up_rounds: 0,
            up_acked: 0.0,
            acked_per_packet: f64::INFINITY,
            too_high: false,
            precautionary: false,
        }
    }
}

/// Losses of the round under way.
#[derive(Clone, Copy, Debug)]
pub(super) struct Lost {
    /// BBR.is_loss_in_round.
    pub(super) in_round: bool,
    /// BBR.loss_round_delivered, and if that round ends with this ACK.
    pub(super) round_end: u64,
    pub(super) round_start: bool,
    /// Ranges of transmissions lost in the round, and the transmission after the last of them.
    pub(super) ranges: u32,
    pub(super) range_end: Option<u64>,
}

impl Lost {
    pub(super) const fn new() -> Self {
        Lost { in_round: false, round_end: 0, round_start: false, ranges: 0, range_end: None }
    }
}

/// The model before losses ("Undo State").
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Undo {
    /// BBR.undo_state: the state that losses ended.
    pub(super) state: Option<State>,
    pub(super) short_rate: f64,
    pub(super) short_volume: f64,
    pub(super) long_volume: f64,
}
