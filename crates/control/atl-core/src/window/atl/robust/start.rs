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

#[cfg(test)]
mod tests {
    use super::super::Config;
    use super::*;
    use crate::window::{Ack, Sent, Start, WindowController};

    /// A path that has delivered 100 packets in each round trip of 10 ms, to an application that
    /// uses a window of ten no more than that.
    #[test]
    fn a_slow_start_ends_at_the_window_if_the_path_holds_more() {
        let ms = Time::from_millis;
        let mut sender = TcpAtlRobust::new(&Config::default(), &Start::default());
        for tx in 0..30 {
            sender.on_sent(&Sent::new(ms(10 * tx), tx, 1500, 10));
            let ack = Ack::new(ms(10 * tx + 10)).delivered(100).newest(Some((tx, ms(10 * tx))));
            let ack = ack.rtt(Some(Span::from_millis(10))).srtt(Span::from_millis(10));
            sender.on_ack(&ack.window_limited(false));
            sender.full_rounds = 0;
        }
        let pipe = sender.pipe().expect("measured");
        assert!((90.0..=110.0).contains(&pipe), "{pipe}");
        sender.leave_slow_start(ms(400));
        assert!((sender.ssthresh() - 10.0).abs() < 1e-9, "{}", sender.ssthresh());
        assert!((sender.window() - 10.0).abs() < 1e-9, "{}", sender.window());
    }
}
