//! The library's time and ours.

use core::time::Duration;

use s2n_quic_core::time::{Clock as _, NoopClock, Timestamp};

use atl_core::time::{Span, Time};

/// The longest step of the library's clock. Everything that the library remembers for a time it
/// forgets within 10 s (BBR's least RTT); an idle hour is to it as good as an idle year, and its
/// products of a rate and an interval, which overflow at some 45 days, stay far from that.
const LONGEST_STEP: Span = Span::from_secs(3600);

/// Turns [`Time`] into the library's timestamps (whole microseconds, never zero) and back. It never
/// runs backwards, which the library takes for granted.
#[derive(Clone, Debug)]
pub(super) struct Clock {
    epoch: Timestamp,
    last: Time,
    skipped: Span,
}

impl Clock {
    pub(super) fn new() -> Self {
        // The library cannot subtract a span that leads before its own time zero.
        Clock {
            epoch: NoopClock.get_time() + Duration::from_secs(60),
            last: Time::ZERO,
            skipped: Span::ZERO,
        }
    }

    /// The library's time at `now`, or at the latest time seen if that was later.
    pub(super) fn at(&mut self, now: Time) -> Timestamp {
        let step = now.since(self.last);
        self.skipped += step.saturating_sub(LONGEST_STEP);
        self.last = self.last.max(now);
        self.epoch + Duration::from_nanos((self.last - self.skipped).nanos())
    }

    /// The time of `at`.
    pub(super) fn time_of(&self, at: Timestamp) -> Time {
        let since_epoch = at.saturating_duration_since(self.epoch).as_nanos();
        let since_epoch = Span::from_nanos(u64::try_from(since_epoch).unwrap_or(u64::MAX));
        Time::ZERO.saturating_add(since_epoch).saturating_add(self.skipped)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_time_comes_back_in_whole_microseconds() {
        let mut clock = Clock::new();
        let at = clock.at(Time::from_nanos(1_234_567));
        assert_eq!(clock.time_of(at), Time::from_nanos(1_234_000));
    }

    #[test]
    fn it_never_runs_backwards() {
        let mut clock = Clock::new();
        let late = clock.at(Time::from_millis(5));
        assert_eq!(clock.at(Time::from_millis(3)), late);
    }

    #[test]
    fn an_idle_month_counts_as_an_hour_and_our_time_goes_on() {
        let mut clock = Clock::new();
        let before = clock.at(Time::from_millis(1_000));
        let month = Time::from_millis(30 * 24 * 3_600_000);
        let after = clock.at(month);
        assert_eq!(after - before, Duration::from_secs(3600));
        assert_eq!(clock.time_of(after), month);
    }

    #[test]
    fn the_end_of_time_is_no_overflow() {
        let mut clock = Clock::new();
        let end = clock.at(Time::MAX);
        assert!(Time::MAX.since(clock.time_of(end)) < Span::from_micros(1));
    }
}
