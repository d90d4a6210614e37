//! The least round-trip time, and the pause that shows it ("ProbeRTT", "Restarting From Idle").

use super::state::{AckPhase, State};
use super::{Acked, Bbr3, LEAST_PIPE};
use crate::time::{Span, Time};

/// BBR.MinRTTFilterLen in seconds; at least twice the interval between two tests.
const FILTER: f64 = 10.0;
/// BBR.ProbeRTTDuration.
const DURATION: Span = Span::from_millis(200);

impl Bbr3 {
    /// UpdateMinRTT.
    pub(super) fn update_least_rtt(&mut self, rs: &Acked) {
        let interval = self.config.probe_rtt_interval;
        let least = &mut self.least_rtt;
        least.expired = rs.now.since(least.recent_at).secs() > interval;
        if let Some(rtt) = rs.rtt
            && (rtt < least.recent || least.expired)
        {
            least.recent = rtt;
            least.recent_at = rs.now;
        }
        let old = rs.now.since(least.at).secs() > FILTER.max(2.0 * interval);
        if least.recent < least.secs || old {
            least.secs = least.recent;
            least.at = least.recent_at;
        }
    }

    pub(super) fn check_probe_rtt(&mut self, rs: &Acked) {
        if self.state != State::ProbeRtt && self.least_rtt.expired && !self.idle_restart {
            // Before the state changes, or an older window would be restored.
            self.save_cwnd();
            self.state = State::ProbeRtt;
            self.least_rtt.done_at = None;
            self.cycle.phase = AckPhase::ProbeStopping;
            self.start_round();
        }
        if self.state == State::ProbeRtt {
            self.handle_probe_rtt(rs);
        }
        if rs.sample.delivered > 0 {
            self.idle_restart = false;
        }
    }

    fn handle_probe_rtt(&mut self, rs: &Acked) {
        // Its low rates say nothing of the path.
        self.delivery.limit(self.in_flight);
        if self.least_rtt.done_at.is_some() {
            self.least_rtt.round_done |= self.model.round_start;
            if self.least_rtt.round_done {
                self.check_probe_rtt_done(rs.now);
            }
        } else if rs.in_flight <= self.probe_rtt_cwnd() {
            self.least_rtt.done_at = Some(rs.now.saturating_add(DURATION));
            self.least_rtt.round_done = false;
            self.start_round();
        }
    }

    /// CheckProbeRTTDone with ExitProbeRTT.
    fn check_probe_rtt_done(&mut self, now: Time) {
        if self.least_rtt.done_at.is_none_or(|at| now <= at) {
            return;
        }
        self.least_rtt.recent_at = now;
        self.restore_cwnd();
        self.model.reset_short_term();
        if self.full_pipe.reached {
            self.start_down(now);
            self.start_cruise();
        } else {
            self.enter_startup();
        }
    }

    pub(super) fn probe_rtt_cwnd(&self) -> f64 {
        self.bdp(State::ProbeRtt.cwnd_gain()).max(LEAST_PIPE)
    }

    /// HandleRestartFromIdle.
    pub(super) fn restart_from_idle(&mut self, now: Time) {
        self.idle_restart = true;
        self.model.begin(now);
        if self.state.is_probe_bw() {
            self.set_pacing_rate(1.0);
        } else if self.state == State::ProbeRtt {
            self.check_probe_rtt_done(now);
        }
    }
}
