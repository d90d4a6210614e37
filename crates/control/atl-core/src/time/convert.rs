//! Conversions between this crate's time and `std::time`, for programs with a real clock.

use std::time::{Duration, Instant};

use super::{Span, Time};

impl From<Span> for Duration {
    fn from(span: Span) -> Duration {
        Duration::from_nanos(span.nanos())
    }
}

impl From<Duration> for Span {
    /// Durations longer than [`Span::MAX`] (584 years) give [`Span::MAX`].
    fn from(duration: Duration) -> Span {
        Span::from_nanos(u64::try_from(duration.as_nanos()).unwrap_or(u64::MAX))
    }
}

/// The instant of a monotonic clock that is [`Time::ZERO`].
///
/// It reads no clock: the caller passes in every instant.
///
/// ```
/// use std::time::{Duration, Instant};
///
/// use atl_core::time::{Epoch, Time};
///
/// let start = Instant::now();
/// let epoch = Epoch::new(start);
/// let later = start + Duration::from_millis(250);
/// assert_eq!(epoch.time(later), Time::from_millis(250));
/// assert_eq!(epoch.instant(Time::from_millis(250)), Some(later));
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Epoch(Instant);

impl Epoch {
    /// An epoch whose [`Time::ZERO`] is `start`.
    pub const fn new(start: Instant) -> Self {
        Epoch(start)
    }

    /// The time at `instant`; [`Time::ZERO`] for every instant before the epoch.
    pub fn time(self, instant: Instant) -> Time {
        Time::ZERO + Span::from(instant.saturating_duration_since(self.0))
    }

    /// The instant at `time`; `None` if the clock cannot represent it.
    pub fn instant(self, time: Time) -> Option<Instant> {
        self.0.checked_add(time.since(Time::ZERO).into())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_and_spans_convert_without_loss() {
        for nanos in [0, 1, 999_999_999, 1_000_000_000, u64::MAX] {
            let span = Span::from_nanos(nanos);
            assert_eq!(Span::from(Duration::from(span)), span);
        }
        assert_eq!(Duration::from(Span::from_millis(1500)), Duration::from_millis(1500));
    }

    #[test]
    fn a_duration_beyond_the_range_saturates() {
        assert_eq!(Span::from(Duration::MAX), Span::MAX);
    }

    #[test]
    #[allow(clippy::disallowed_methods)]
    fn instants_before_the_epoch_are_time_zero() {
        let start = Instant::now() + Duration::from_secs(10);
        let epoch = Epoch::new(start);
        assert_eq!(epoch.time(start - Duration::from_secs(3)), Time::ZERO);
        assert_eq!(epoch.time(start + Duration::from_secs(3)), Time::from_millis(3000));
        assert_eq!(epoch.instant(Time::ZERO), Some(start));
    }
}
