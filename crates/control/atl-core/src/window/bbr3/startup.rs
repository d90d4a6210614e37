//! Startup and Drain ("Startup", "Drain").

use super::state::State;
use super::{Acked, Bbr3};

/// Growth of the delivery rate below which a round trip counts as a plateau, and how many end the
/// search.
const GROWTH: f64 = 1.25;
const PLATEAU: u32 = 3;
/// BBRStartupFullLossCnt: separate ranges of losses in a round.
const LOSS_RANGES: u32 = 6;
/// Rounds after which Drain ends, drained or not.
const DRAIN_ROUNDS: u64 = 3;

impl Bbr3 {
    pub(super) fn enter_startup(&mut self) {
        self.state = State::Startup;
    }

    /// CheckFullBWReached.
    pub(super) fn check_full_bandwidth(&mut self, rs: &Acked) {
        if self.full_pipe.now || !self.model.round_start || rs.is_app_limited() {
            return;
        }
        if rs.sample.rate >= self.full_pipe.rate * GROWTH {
            self.full_pipe.restart(rs.sample.rate);
            return;
        }
        self.full_pipe.rounds += 1;
        self.full_pipe.now = self.full_pipe.rounds >= PLATEAU;
        self.full_pipe.reached |= self.full_pipe.now;
    }

    /// CheckStartupDone with CheckStartupHighLoss.
    pub(super) fn check_startup_done(&mut self, rs: &Acked) {
        if self.state != State::Startup {
            return;
        }
        // The round began with its first loss, so the repair has lasted for all of it.
        let lossy = self.lost.round_start
            && self.lost.ranges >= LOSS_RANGES
            && rs.is_too_lossy(self.config.loss_threshold);
        if lossy && !self.full_pipe.reached {
            self.undo.state = Some(State::Startup);
            self.full_pipe.reached = true;
            self.model.long_volume = self.bdp(1.0).max(self.model.latest_volume);
        }
        if self.full_pipe.reached {
            self.state = State::Drain;
            self.drain_start = self.model.round;
        }
    }

    pub(super) fn check_drain_done(&mut self, rs: &Acked) {
        if self.state == State::Drain
            && (rs.in_flight <= self.inflight(self.model.rate, 1.0)
                || self.model.round > self.drain_start + DRAIN_ROUNDS)
        {
            self.start_down(rs.now);
        }
    }
}
