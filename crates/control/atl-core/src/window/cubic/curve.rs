//! The window's growth in congestion avoidance (RFC 9438, sec. 4.1 to 4.5).

use crate::time::{Span, Time};

/// A target is at most this multiple of the window (RFC 9438, sec. 4.2).
const MOST_TARGET: f64 = 1.5;

/// One stage of congestion avoidance.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    /// `t_epoch`: its beginning, later by the time in which the application was the limit.
    since: Time,
    /// `W_max` in packets.
    top: f64,
    /// K in seconds.
    k: f64,
    /// `W_est` in packets.
    reno: f64,
    /// `cwnd_prior`: where Reno's growth becomes that of (1, 0.5).
    prior: f64,
}

impl Stage {
    /// After a reduction to `window` from `prior`: back to `top` by the curve.
    pub(super) fn towards(now: Time, window: f64, top: f64, prior: f64, c: f64) -> Self {
        let k = libm::cbrt((top - window).max(0.0) / c);
        Stage { since: now, top, k, reno: window, prior }
    }

    /// Without a maximum to return to: after a timeout (sec. 4.8), or a slow start that no loss
    /// ended (sec. 4.10).
    pub(super) fn beyond(now: Time, window: f64) -> Self {
        Stage { since: now, top: window, k: 0.0, reno: window, prior: window }
    }

    /// `W_cubic` after `t` seconds, in packets (eq. 1).
    fn cubic(&self, t: f64, c: f64) -> f64 {
        let x = t - self.k;
        c * x * x * x + self.top
    }

    /// `span` passed in which the window was not used, and does not count (sec. 5.8).
    pub(super) fn exclude(&mut self, span: Span) {
        self.since = self.since.saturating_add(span);
    }

    /// `W_max` in packets.
    pub(super) fn top(&self) -> f64 {
        self.top
    }

    /// The window after `packets` of it were acknowledged at `now`; `rtt` in seconds.
    pub(super) fn grow(
        &mut self,
        now: Time,
        window: f64,
        packets: f64,
        rtt: f64,
        (c, beta): (f64, f64),
    ) -> f64 {
        let t = now.since(self.since).secs();
        // The same mean window as (1, 0.5) for a loss of 1 - beta, until the old window is back.
        let alpha = if self.reno < self.prior { 3.0 * (1.0 - beta) / (1.0 + beta) } else { 1.0 };
        let share = (packets / window).min(1.0);
        self.reno += alpha * share;
        let grown = if self.cubic(t, c) < self.reno {
            self.reno
        } else {
            let target = self.cubic(t + rtt, c).clamp(window, MOST_TARGET * window);
            window + (target - window) * share
        };
        grown.clamp(window, window + packets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const RFC: (f64, f64) = (0.4, 0.7);

    fn secs(secs: f64) -> Time {
        Time::ZERO.saturating_add(Span::from_secs_f64(secs))
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-6 * expected, "{found} instead of {expected}");
    }

    /// By hand: from 1000 packets to 700, K = cbrt(300 / 0.4) = 9.08560 s; W(0) = 700, W(K) = 1000,
    /// W(K + 5 s) = 1000 + 0.4 * 125.
    #[test]
    fn it_returns_to_the_maximum_after_k() {
        let stage = Stage::towards(Time::ZERO, 700.0, 1000.0, 1000.0, 0.4);
        near(stage.k, 9.085_602_964);
        near(stage.cubic(0.0, 0.4), 700.0);
        near(stage.cubic(stage.k, 0.4), 1000.0);
        near(stage.cubic(stage.k + 5.0, 0.4), 1050.0);
        let there = Stage::towards(Time::ZERO, 700.0, 700.0, 1000.0, 0.4);
        assert!(there.k.abs() < 1e-12, "{there:?}");
    }

    /// 100 ms into the stage the curve is at 1000 - 0.4 * 8.985603^3 = 709.797; a round trip of
    /// 0.1 s later at 1000 - 0.4 * 8.885603^3 = 719.379. Of the difference to 700 each packet adds
    /// 1/700.
    #[test]
    fn a_packet_adds_its_share_of_the_way_to_the_curve_of_a_round_trip_later() {
        let mut stage = Stage::towards(Time::ZERO, 700.0, 1000.0, 1000.0, 0.4);
        let target = 1000.0 - 0.4 * libm::pow(9.085_602_964 - 0.2, 3.0);
        near(target, 719.378_654);
        let window = stage.grow(secs(0.1), 700.0, 1.0, 0.1, RFC);
        near(window, 700.0 + (target - 700.0) / 700.0);
        let mut other = Stage::towards(Time::ZERO, 700.0, 1000.0, 1000.0, 0.4);
        near(other.grow(secs(0.1), 700.0, 7.0, 0.1, RFC), 700.0 + (target - 700.0) / 100.0);
    }

    /// Long after K the curve would triple the window in a round trip: half as much again at most.
    #[test]
    fn a_target_is_half_as_much_again_at_most() {
        let mut stage = Stage::beyond(Time::ZERO, 100.0);
        near(stage.grow(secs(30.0), 100.0, 10.0, 0.1, RFC), 105.0);
    }

    /// A short round trip: after 10 ms W_cubic(0.01) is 7.0 + little, and Reno's estimate is
    /// 7 + 0.9 / 1.7 * 1/7.
    #[test]
    fn a_short_path_grows_as_reno_does() {
        let mut stage = Stage::towards(Time::ZERO, 7.0, 10.0, 10.0, 0.4);
        let alpha = 3.0 * 0.3 / 1.7;
        let window = stage.grow(Time::ZERO, 7.0, 1.0, 0.001, RFC);
        near(window, 7.0 + alpha / 7.0);
        // At the old window the growth becomes that of (1, 0.5).
        stage.reno = 10.0;
        near(stage.grow(Time::ZERO, 10.0, 1.0, 0.001, RFC), 10.1);
    }

    #[test]
    fn an_acknowledgment_never_adds_more_than_it_acknowledges() {
        let mut stage = Stage::beyond(Time::ZERO, 10.0);
        stage.reno = 40.0;
        near(stage.grow(secs(1.0), 10.0, 2.0, 0.1, RFC), 12.0);
    }
}
