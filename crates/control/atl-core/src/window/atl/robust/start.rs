//! Slow start and its end.

use super::TcpAtlRobust;
use super::rounds::Round;
use crate::time::{Span, Time};

/// Rounds of slow start in which the rate did not grow by a quarter, after which it is the path's.
const FULL_ROUNDS: u32 = 3;

impl TcpAtlRobust {
    /// True while the window is below ssthresh.
    pub(super) fn in_slow_start(&self) -> bool {
        self.cwnd < self.ssthresh
    }

    /// The path's capacity without a queue, in packets.
    pub(super) fn pipe(&self) -> Option<f64> {
        let rate = self.rounds.rate();
        let base = self.path.rtt_min()?;
        (rate > 0.0).then(|| rate * base.secs())
    }

    /// Slow start ends when eight packets in a row waited in a queue. The window stays: the queue
    /// shows one round trip late, and the packets of that round trip are twice as many.
    pub(super) fn on_start_rtt(&mut self, now: Time, rtt: Span) {
        let Some(least) = self.rounds.block(rtt) else { return };
        let Some(base) = self.path.rtt_min() else { return };
        let Some(most) = self.longest_queue(base) else { return };
        if least.saturating_sub(base) > most {
            self.curve.restart();
            self.set_window(now, self.cwnd);
        }
    }

    /// Without a noticeable queue, a path shows its rate when the rate stops growing.
    pub(super) fn judge_start(&mut self, now: Time, round: &Round) {
        if round.rate >= 1.25 * self.full_rate {
            self.full_rate = round.rate;
            self.full_rounds = 0;
        } else if self.ssthresh.is_infinite() {
            self.full_rounds += 1;
            if self.full_rounds >= FULL_ROUNDS {
                self.leave_slow_start(now);
            }
        }
    }

    /// Ends slow start at the path's rate.
    pub(super) fn leave_slow_start(&mut self, now: Time) {
        let pipe = self.pipe().unwrap_or(0.0);
        let window = pipe.min(self.cwnd);
        self.curve.restart();
        self.set_window(now, window);
    }
}
