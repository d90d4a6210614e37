//! The cycle of probes for bandwidth ("ProbeBW").

use super::state::{AckPhase, State};
use super::{Acked, Bbr3, LEAST_PIPE};
use crate::time::Time;

/// BBR.Headroom: share of inflight_longterm that others may use.
const HEADROOM: f64 = 0.15;
/// Round trips after which a probe is due at the latest, where CUBIC and Reno would fill the path
/// in as many.
const RENO_ROUNDS: f64 = 63.0;
/// BBR.bw_probe_wait is from this many seconds to one more.
const PROBE_WAIT: f64 = 2.0;
/// bw_probe_up_rounds at most.
const MOST_UP_ROUNDS: u32 = 30;

impl Bbr3 {
    /// StartProbeBW_DOWN.
    pub(super) fn start_down(&mut self, now: Time) {
        self.reset_congestion();
        self.cycle.acked_per_packet = f64::INFINITY;
        // PickProbeWait.
        self.cycle.rounds_since_probe = self.draw.bit();
        self.cycle.wait = PROBE_WAIT + self.draw.share();
        self.cycle.since = now;
        self.cycle.phase = AckPhase::ProbeStopping;
        self.start_round();
        self.state = State::Down;
    }

    pub(super) fn start_cruise(&mut self) {
        self.state = State::Cruise;
    }

    /// StartProbeBW_REFILL.
    pub(super) fn start_refill(&mut self) {
        self.model.reset_short_term();
        self.cycle.up_rounds = 0;
        self.cycle.up_acked = 0.0;
        self.cycle.precautionary = false;
        self.cycle.phase = AckPhase::Refilling;
        self.start_round();
        self.state = State::Refill;
    }

    /// StartProbeBW_UP.
    fn start_up(&mut self, rs: &Acked) {
        self.cycle.phase = AckPhase::ProbeStarting;
        self.start_round();
        self.full_pipe.restart(rs.sample.rate);
        self.state = State::Up;
        self.raise_slope();
    }

    /// UpdateProbeBWCyclePhase.
    pub(super) fn update_cycle(&mut self, rs: &Acked) {
        if !self.full_pipe.reached || self.adapt_long_term(rs) {
            return;
        }
        let state = self.state;
        match state {
            State::Down | State::Cruise if self.is_time_to_probe(rs.now) => self.start_refill(),
            State::Down if self.is_time_to_cruise(rs) => self.start_cruise(),
            State::Refill if self.model.round_start => {
                self.cycle.is_probe_sample = true;
                self.start_up(rs);
            }
            State::Up if self.is_time_to_go_down(rs) => {
                self.cycle.too_high = false;
                self.start_down(rs.now);
            }
            _ => {}
        }
    }

    /// IsTimeToProbeBW with IsRenoCoexistenceProbeTime.
    fn is_time_to_probe(&self, now: Time) -> bool {
        let rounds = self.target_inflight().min(RENO_ROUNDS);
        now.since(self.cycle.since).secs() > self.cycle.wait
            || self.cycle.rounds_since_probe as f64 >= rounds
    }

    fn is_time_to_cruise(&self, rs: &Acked) -> bool {
        rs.in_flight <= self.inflight_with_headroom()
            && rs.in_flight <= self.inflight(self.model.max.get(), 1.0)
    }

    fn is_time_to_go_down(&mut self, rs: &Acked) -> bool {
        if self.cycle.too_high && rs.in_flight >= self.model.long_volume {
            self.cycle.precautionary = true;
            return true;
        }
        if rs.cwnd_limited && self.cwnd >= self.model.long_volume {
            // The limit is the model, not the path.
            self.full_pipe.restart(rs.sample.rate);
            return false;
        }
        self.full_pipe.now
    }

    pub(super) fn target_inflight(&self) -> f64 {
        self.bdp(1.0).min(self.cwnd)
    }

    pub(super) fn inflight_with_headroom(&self) -> f64 {
        let most = self.model.long_volume;
        if most.is_infinite() {
            return f64::INFINITY;
        }
        (most - (HEADROOM * most).max(1.0)).max(LEAST_PIPE)
    }

    /// RaiseInflightLongtermSlope: a packet more in this round, two in the next, four in the one
    /// after.
    pub(super) fn raise_slope(&mut self) {
        let growth = f64::from(1u32 << self.cycle.up_rounds);
        self.cycle.up_rounds = (self.cycle.up_rounds + 1).min(MOST_UP_ROUNDS);
        self.cycle.acked_per_packet = (self.cwnd / growth).max(1.0);
    }

    /// ProbeInflightLongtermUpward.
    fn probe_long_volume(&mut self, rs: &Acked) {
        if !rs.cwnd_limited || self.cwnd < self.model.long_volume {
            return;
        }
        self.cycle.up_acked += rs.packets;
        if self.cycle.up_acked >= self.cycle.acked_per_packet {
            let packets = (self.cycle.up_acked / self.cycle.acked_per_packet).floor();
            self.cycle.up_acked -= packets * self.cycle.acked_per_packet;
            self.model.long_volume += packets;
        }
        if self.model.round_start {
            self.raise_slope();
        }
    }

    /// AdaptLongTermModel. True if it chose the next state.
    fn adapt_long_term(&mut self, rs: &Acked) -> bool {
        if self.model.round_start {
            match self.cycle.phase {
                AckPhase::ProbeStarting => self.cycle.phase = AckPhase::ProbeFeedback,
                AckPhase::ProbeStopping => {
                    self.cycle.is_probe_sample = false;
                    self.cycle.phase = AckPhase::Init;
                    let probing = self.state.is_probe_bw();
                    if probing && !rs.is_app_limited() {
                        self.model.max.advance();
                    }
                    if probing && self.cycle.precautionary && !self.cycle.too_high {
                        self.start_refill();
                        return true;
                    }
                }
                AckPhase::Init | AckPhase::Refilling | AckPhase::ProbeFeedback => {}
            }
        }
        if !rs.is_too_lossy(self.config.loss_threshold) && self.model.long_volume.is_finite() {
            let volume = f64::from(rs.sample.sent.in_flight);
            self.model.long_volume = self.model.long_volume.max(volume);
            if self.state == State::Up {
                self.probe_long_volume(rs);
            }
        }
        false
    }
}
