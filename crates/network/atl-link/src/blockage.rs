//! A line of sight that is blocked at times.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use crate::random::Stream;

/// A link of millimetre waves whose line of sight people and vehicles block: it has one rate while
/// that is clear, and another, over reflections, while it is not. Both last for exponentially
/// distributed times (a Markov chain in continuous time, as in the two-state models of human
/// blockage; it begins clear).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Blockage {
    /// The rate in a clear line of sight, above 0.
    pub clear: Rate,
    /// The rate while it is blocked, above 0.
    pub blocked: Rate,
    /// Mean time without a blockage, above zero.
    pub clear_for: Span,
    /// Mean time of a blockage, above zero.
    pub blocked_for: Span,
}

impl Blockage {
    /// The rate on average.
    pub fn mean(&self) -> Rate {
        let [clear, blocked] = [self.clear_for, self.blocked_for].map(Span::secs);
        let share = blocked / (clear + blocked);
        Rate::from_bps(self.clear.bps() * (1.0 - share) + self.blocked.bps() * share)
    }
}

/// A blockage at work: bytes carried as a function of time.
#[derive(Clone, Debug)]
pub(crate) struct Sight {
    pub(crate) config: Blockage,
    /// True if the time before the first of `flips` is a blocked one.
    blocked: bool,
    /// Ends of states, in order, as far as they were needed and may be again.
    flips: VecDeque<Time>,
    /// A stream of its own: the states come at the same times whatever is sent.
    stream: Stream,
}

impl Sight {
    /// A line of sight that is clear at `begins`.
    pub(crate) fn new(config: Blockage, begins: Time, stream: Stream) -> Self {
        let mut sight = Sight { config, blocked: false, flips: VecDeque::new(), stream };
        sight.extend(begins);
        sight
    }

    fn extend(&mut self, begins: Time) {
        let blocked = self.blocked ^ (self.flips.len() % 2 == 1);
        let mean = if blocked { self.config.blocked_for } else { self.config.clear_for };
        let lasts = Span::from_secs_f64(self.stream.exponential(mean.secs()));
        // At least 1 ns, so that time passes.
        self.flips.push_back(begins.saturating_add(lasts.max(Span::from_nanos(1))));
    }

    /// Bytes a second in a state.
    fn rate(&self, blocked: bool) -> f64 {
        (if blocked { self.config.blocked } else { self.config.clear }).bps() / 8.0
    }

    /// The end of a transmission of `bytes` that begins at `from`, which never decreases.
    pub(crate) fn end(&mut self, from: Time, bytes: f64) -> Time {
        while self.flips.front().is_some_and(|flip| *flip <= from) {
            if self.flips.len() == 1 {
                self.extend(self.flips[0]);
            }
            self.flips.pop_front();
            self.blocked = !self.blocked;
        }
        let (mut at, mut left, mut blocked) = (from, bytes, self.blocked);
        for place in 0.. {
            if place == self.flips.len() {
                let last = self.flips.back().copied().unwrap_or(at);
                self.extend(last);
            }
            let (flip, rate) = (self.flips[place], self.rate(blocked));
            let carries = flip.since(at).secs() * rate;
            if carries >= left || flip == Time::MAX {
                break;
            }
            (at, left, blocked) = (flip, left - carries, !blocked);
        }
        at.saturating_add(Span::from_secs_f64(left / self.rate(blocked)))
    }

    /// Bytes carried between two times, no earlier than the last [beginning](Self::end), nor later
    /// than that end.
    pub(crate) fn between(&self, from: Time, to: Time) -> f64 {
        let (mut at, mut sum, mut blocked) = (from, 0.0, self.blocked);
        for flip in &self.flips {
            if *flip > from {
                sum += to.min(*flip).since(at).secs() * self.rate(blocked);
                at = to.min(*flip);
            }
            blocked = !blocked;
        }
        sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 8 Mb/s, and 0.8 Mb/s while blocked: 1 MB and 0.1 MB a second.
    const SIGHT: Blockage = Blockage {
        clear: Rate::from_mbps(8.0),
        blocked: Rate::from_mbps(0.8),
        clear_for: Span::from_millis(300),
        blocked_for: Span::from_millis(100),
    };

    #[test]
    fn bytes_and_times_are_those_of_both_rates() {
        let mut sight = Sight::new(SIGHT, Time::ZERO, Stream::new(1, "t"));
        sight.flips = [100, 300].map(Time::from_millis).into();
        // 100 kB while it is clear, then 20 kB in 200 ms, then the rest.
        assert_eq!(sight.end(Time::ZERO, 50_000.0), Time::from_millis(50));
        assert_eq!(sight.end(Time::ZERO, 110_000.0), Time::from_millis(200));
        assert_eq!(sight.end(Time::ZERO, 121_000.0), Time::from_millis(301));
        let between = |from, to| sight.between(Time::from_millis(from), Time::from_millis(to));
        assert!((between(0, 301) - 121_000.0).abs() < 1e-3);
        assert!((between(50, 200) - 60_000.0).abs() < 1e-3);
        assert_eq!(sight.end(Time::from_millis(250), 5_000.0), Time::from_millis(300));
        assert!((SIGHT.mean().mbps() - 6.2).abs() < 1e-9);
    }

    #[test]
    fn over_a_long_time_it_carries_the_mean() {
        let mut sight = Sight::new(SIGHT, Time::ZERO, Stream::new(3, "t"));
        let (mut end, packets) = (Time::ZERO, 1_000_000);
        for _ in 0..packets {
            end = sight.end(end, 1000.0);
        }
        let mbps = f64::from(packets) * 8e-3 / end.secs();
        // 1300 s, 3200 cycles: the share of blocked time, a quarter, is within 3 %.
        assert!((mbps / 6.2 - 1.0).abs() < 0.03, "{mbps}");
        assert!(sight.flips.len() < 10);
    }
}
