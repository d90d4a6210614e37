//! Points in time and spans of time, in whole nanoseconds.
//!
//! Nothing in this crate reads a clock. The caller passes the time in: virtual time in a simulator,
//! a monotonic clock in a real sender. [`Epoch`] converts `Instant`s; [`Span`] converts to and from
//! `std::time::Duration`.

mod convert;

pub use convert::Epoch;

use core::fmt;
use core::ops::{Add, AddAssign, Div, Mul, Sub, SubAssign};

/// A point in time, in nanoseconds since the run began. Covers 584 years.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Time(u64);

/// A length of time in nanoseconds. Never negative.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Span(u64);

const NANOS: f64 = 1e9;

/// The nearest whole nanosecond. Negative values and NaN give 0, too large ones the maximum (`as`
/// saturates).
fn nanos_of(secs: f64) -> u64 {
    (secs * NANOS + 0.5) as u64
}

impl Time {
    /// The start of the run.
    pub const ZERO: Time = Time(0);
    /// Later than any event: "never" in comparisons of a hot loop.
    pub const MAX: Time = Time(u64::MAX);

    /// A time from nanoseconds since the run began.
    #[inline]
    pub const fn from_nanos(ns: u64) -> Self {
        Time(ns)
    }

    /// A time from milliseconds since the run began.
    pub const fn from_millis(ms: u64) -> Self {
        Time(ms * 1_000_000)
    }

    /// A time from seconds since the run began, rounded to the nearest nanosecond. Negative values
    /// and NaN give 0.
    pub fn from_secs_f64(secs: f64) -> Self {
        Time(nanos_of(secs))
    }

    /// Nanoseconds since the run began.
    #[inline]
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Seconds since the run began.
    #[inline]
    pub fn secs(self) -> f64 {
        self.0 as f64 / NANOS
    }

    /// The span from `earlier` to `self`; zero if `earlier` is the later one.
    #[inline]
    pub const fn since(self, earlier: Time) -> Span {
        Span(self.0.saturating_sub(earlier.0))
    }

    /// `self + span`, at most [`Time::MAX`].
    #[inline]
    pub const fn saturating_add(self, span: Span) -> Time {
        Time(self.0.saturating_add(span.0))
    }
}

impl Span {
    /// No time at all.
    pub const ZERO: Span = Span(0);
    /// The longest span, 584 years.
    pub const MAX: Span = Span(u64::MAX);

    /// A span of this many nanoseconds.
    #[inline]
    pub const fn from_nanos(ns: u64) -> Self {
        Span(ns)
    }

    /// A span of this many microseconds.
    pub const fn from_micros(us: u64) -> Self {
        Span(us * 1_000)
    }

    /// A span of this many milliseconds.
    pub const fn from_millis(ms: u64) -> Self {
        Span(ms * 1_000_000)
    }

    /// A span from whole seconds.
    pub const fn from_secs(secs: u64) -> Self {
        Span(secs * 1_000_000_000)
    }

    /// A span from seconds, rounded to the nearest nanosecond. Negative values and NaN give 0.
    #[inline]
    pub fn from_secs_f64(secs: f64) -> Self {
        Span(nanos_of(secs))
    }

    /// Its length in nanoseconds.
    #[inline]
    pub const fn nanos(self) -> u64 {
        self.0
    }

    /// Its length in seconds.
    #[inline]
    pub fn secs(self) -> f64 {
        self.0 as f64 / NANOS
    }

    /// Its length in milliseconds.
    pub fn millis(self) -> f64 {
        self.0 as f64 / 1e6
    }

    /// True if the span is zero.
    pub const fn is_zero(self) -> bool {
        self.0 == 0
    }

    /// `self - other`, or zero if `other` is longer.
    #[inline]
    pub const fn saturating_sub(self, other: Span) -> Span {
        Span(self.0.saturating_sub(other.0))
    }

    /// `self * factor`, rounded to the nearest nanosecond. A negative or NaN factor gives zero.
    pub fn mul_f64(self, factor: f64) -> Span {
        Span((self.0 as f64 * factor + 0.5) as u64)
    }

    /// The absolute difference between two spans.
    pub const fn abs_diff(self, other: Span) -> Span {
        Span(self.0.abs_diff(other.0))
    }
}

impl Add<Span> for Time {
    type Output = Time;
    #[inline]
    fn add(self, span: Span) -> Time {
        Time(self.0 + span.0)
    }
}

impl AddAssign<Span> for Time {
    #[inline]
    fn add_assign(&mut self, span: Span) {
        self.0 += span.0;
    }
}

impl Sub<Span> for Time {
    type Output = Time;
    /// Never before the start of the run: an earlier time gives [`Time::ZERO`].
    #[inline]
    fn sub(self, span: Span) -> Time {
        Time(self.0.saturating_sub(span.0))
    }
}

impl Add for Span {
    type Output = Span;
    #[inline]
    fn add(self, other: Span) -> Span {
        Span(self.0 + other.0)
    }
}

impl AddAssign for Span {
    #[inline]
    fn add_assign(&mut self, other: Span) {
        self.0 += other.0;
    }
}

impl Sub for Span {
    type Output = Span;
    /// Panics in debug builds if `other` is longer; use [`Span::saturating_sub`] if it can be.
    #[inline]
    fn sub(self, other: Span) -> Span {
        Span(self.0 - other.0)
    }
}

impl SubAssign for Span {
    #[inline]
    fn sub_assign(&mut self, other: Span) {
        self.0 -= other.0;
    }
}

impl Mul<u64> for Span {
    type Output = Span;
    #[inline]
    fn mul(self, n: u64) -> Span {
        Span(self.0.saturating_mul(n))
    }
}

impl Div<u64> for Span {
    type Output = Span;
    #[inline]
    fn div(self, n: u64) -> Span {
        Span(self.0 / n)
    }
}

impl fmt::Debug for Time {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:.9}s", self.secs())
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            0 => f.write_str("0s"),
            n if n < 1_000_000 => write!(f, "{}us", n as f64 / 1e3),
            n if n < 1_000_000_000 => write!(f, "{}ms", n as f64 / 1e6),
            n => write!(f, "{}s", n as f64 / 1e9),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn seconds_round_to_the_nearest_nanosecond_and_never_below_zero() {
        assert_eq!(Span::from_secs_f64(1.000_000_000_4), Span::from_secs(1));
        assert_eq!(Span::from_secs_f64(1e-9), Span::from_nanos(1));
        assert_eq!(Span::from_secs_f64(-3.0), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::NAN), Span::ZERO);
        assert_eq!(Span::from_secs_f64(f64::INFINITY), Span::MAX);
    }

    #[test]
    fn a_span_prints_in_the_largest_unit_that_fits() {
        assert_eq!(Span::from_micros(15).to_string(), "15us");
        assert_eq!(Span::from_millis(120).to_string(), "120ms");
        assert_eq!(Span::from_secs(600).to_string(), "600s");
    }

    #[test]
    fn time_saturates_at_both_ends() {
        assert_eq!(Time::from_millis(1) - Span::from_secs(1), Time::ZERO);
        assert_eq!(Time::MAX.saturating_add(Span::from_secs(1)), Time::MAX);
        assert_eq!(Time::ZERO.since(Time::from_millis(5)), Span::ZERO);
    }
}
