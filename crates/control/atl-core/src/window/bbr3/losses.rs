//! The reaction of the model to losses ("Updating the Model Upon Packet Loss"), and its return if
//! they were spurious.

use super::memory::Undo;
use super::state::State;
use super::{Acked, Bbr3, is_too_lossy};
use crate::measure::SentState;
use crate::time::Time;

/// BBR.Beta: what a round with losses leaves at least.
const BETA: f64 = 0.7;

impl Bbr3 {
    /// HandleLostPacket for a run of `packets` that ends with transmission `tx`.
    pub(super) fn on_lost_packets(&mut self, now: Time, tx: u64, packets: u32) {
        if packets == 0 {
            return;
        }
        self.note_loss();
        let first = tx.saturating_sub(u64::from(packets - 1));
        if self.lost.range_end != Some(first) {
            self.lost.ranges = self.lost.ranges.saturating_add(1);
        }
        self.lost.range_end = Some(tx.saturating_add(1));
        if !self.cycle.is_probe_sample {
            return;
        }
        let Some(sent) = self.delivery.sent(tx) else { return };
        let lost = (self.delivery.lost() - sent.lost) as f64;
        if self.lost.ranges >= self.config.loss_ranges
            && is_too_lossy(lost, &sent, self.config.loss_threshold)
        {
            self.on_inflight_too_high(now, &sent, lost, f64::from(packets));
        }
    }

    /// NoteLoss, but for the state to restore: a second loss after DOWN has begun would replace it.
    fn note_loss(&mut self) {
        if !self.lost.in_round {
            self.lost.round_end = self.delivery.delivered();
        }
        self.lost.in_round = true;
    }

    /// HandleInflightTooHigh at what InflightAtLoss finds, where `sent` ends a run of `packets`.
    fn on_inflight_too_high(&mut self, now: Time, sent: &SentState, lost: f64, packets: f64) {
        self.cycle.too_high = true;
        self.cycle.is_probe_sample = false;
        if !sent.app_limited {
            let volume = inflight_at_loss(
                f64::from(sent.in_flight) - packets,
                lost - packets,
                self.config.loss_threshold,
            );
            self.model.long_volume = volume.max(BETA * self.target_inflight());
        }
        if self.state == State::Up {
            self.undo.state = Some(State::Up);
            self.start_down(now);
        }
    }

    /// UpdateLatestDeliverySignals.
    pub(super) fn update_latest(&mut self, rs: &Acked) {
        let model = &mut self.model;
        model.latest_rate = model.latest_rate.max(rs.sample.rate);
        model.latest_volume = model.latest_volume.max(rs.sample.delivered as f64);
        self.lost.round_start = rs.sample.sent.delivered >= self.lost.round_end;
        if self.lost.round_start {
            self.lost.round_end = self.delivery.delivered();
        }
    }

    /// UpdateCongestionSignals.
    pub(super) fn update_congestion(&mut self, rs: &Acked) {
        self.update_bandwidth(rs);
        if !self.lost.round_start {
            return;
        }
        if self.lost.in_round && !self.state.is_probing() {
            self.lower_bounds();
        }
        self.lost.in_round = false;
    }

    /// InitLowerBounds and LossLowerBounds.
    fn lower_bounds(&mut self) {
        let model = &mut self.model;
        if model.short_rate.is_infinite() {
            model.short_rate = model.max.get();
        }
        if model.short_volume.is_infinite() {
            model.short_volume = self.cwnd;
        }
        model.short_rate = model.latest_rate.max(BETA * model.short_rate);
        model.short_volume = model.latest_volume.max(BETA * model.short_volume);
    }

    /// AdvanceLatestDeliverySignals.
    pub(super) fn advance_latest(&mut self, rs: &Acked) {
        if self.lost.round_start {
            self.model.latest_rate = rs.sample.rate;
            self.model.latest_volume = rs.sample.delivered as f64;
            self.lost.ranges = 0;
        }
    }

    /// ResetCongestionSignals.
    pub(super) fn reset_congestion(&mut self) {
        self.lost.in_round = false;
        self.model.latest_rate = 0.0;
        self.model.latest_volume = 0.0;
    }

    /// OnEnterFastRecovery, and OnEnterRTO without its window; with SaveStateUponLoss.
    pub(super) fn enter_recovery(&mut self) {
        self.save_cwnd();
        self.in_recovery = true;
        self.undo = Undo {
            state: None,
            short_rate: self.model.short_rate,
            short_volume: self.model.short_volume,
            long_volume: self.model.long_volume,
        };
    }

    pub(super) fn save_cwnd(&mut self) {
        let good = !self.in_recovery && self.state != State::ProbeRtt;
        self.prior = if good { self.cwnd } else { self.prior.max(self.cwnd) };
    }

    pub(super) fn restore_cwnd(&mut self) {
        self.cwnd = self.cwnd.max(self.prior);
    }

    /// HandleSpuriousLossDetection.
    pub(super) fn undo_losses(&mut self) {
        self.in_recovery = false;
        self.restore_cwnd();
        self.lost.in_round = false;
        self.full_pipe.restart(0.0);
        let (model, undo) = (&mut self.model, self.undo);
        model.short_rate = model.short_rate.max(undo.short_rate);
        model.short_volume = model.short_volume.max(undo.short_volume);
        model.long_volume = model.long_volume.max(undo.long_volume);
        match undo.state {
            Some(State::Startup) => {
                self.full_pipe.reached = false;
                if self.state != State::ProbeRtt {
                    self.enter_startup();
                }
            }
            Some(State::Up) if !matches!(self.state, State::Up | State::ProbeRtt) => {
                self.start_refill();
            }
            _ => {}
        }
        self.undo.state = None;
    }
}

/// InflightAtLoss: the volume in flight at which losses crossed `threshold`, where `before` were in
/// flight ahead of a run of lost packets and `lost` had been lost.
fn inflight_at_loss(before: f64, lost: f64, threshold: f64) -> f64 {
    before + (threshold * before - lost) / (1.0 - threshold)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By hand: 100 in flight ahead of a burst of 10, of which one had been lost: 2 % of 101.0204
    /// is 2.0204, one and as much of the burst.
    #[test]
    fn losses_cross_the_threshold_within_a_burst() {
        let volume = inflight_at_loss(100.0, 1.0, 0.02);
        assert!((volume - 101.020_408).abs() < 1e-6, "{volume}");
        let share = (1.0 + volume - 100.0) / volume;
        assert!((share - 0.02).abs() < 1e-12, "{share}");
    }
}
