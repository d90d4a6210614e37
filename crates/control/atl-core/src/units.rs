//! Quantities with their unit in the type.

use core::fmt;

use crate::time::Span;

/// A data rate in bits per second, finite and not negative.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Rate(f64);

impl Rate {
    /// No data at all.
    pub const ZERO: Rate = Rate(0.0);

    /// A rate from bits per second. Values that are not finite and positive give zero.
    #[inline]
    pub const fn from_bps(bps: f64) -> Self {
        if bps.is_finite() && bps > 0.0 { Rate(bps) } else { Rate(0.0) }
    }

    /// A rate from megabits (10^6 bits) per second.
    pub const fn from_mbps(mbps: f64) -> Self {
        Rate::from_bps(mbps * 1e6)
    }

    /// This rate in bits per second.
    #[inline]
    pub const fn bps(self) -> f64 {
        self.0
    }

    /// A rate from bytes per second. Values that are not finite and positive give zero.
    pub const fn from_bytes_per_sec(bytes: f64) -> Self {
        Rate::from_bps(bytes * 8.0)
    }

    /// This rate in bytes per second.
    pub const fn bytes_per_sec(self) -> f64 {
        self.0 / 8.0
    }

    /// Megabits (10^6 bits) per second.
    pub const fn mbps(self) -> f64 {
        self.0 / 1e6
    }

    /// Time to transmit `bytes` bytes at this rate; [`Span::MAX`] at rate zero.
    #[inline]
    pub fn time_for(self, bytes: u64) -> Span {
        if self.0 > 0.0 { Span::from_secs_f64(bytes as f64 * 8.0 / self.0) } else { Span::MAX }
    }

    /// Packets of `bytes` bytes per second at this rate.
    pub fn packets_per_sec(self, bytes: u32) -> f64 {
        self.0 / (8.0 * f64::from(bytes))
    }
}

impl fmt::Display for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0 {
            r if r >= 1e9 => write!(f, "{} Gb/s", r / 1e9),
            r if r >= 1e6 => write!(f, "{} Mb/s", r / 1e6),
            r if r >= 1e3 => write!(f, "{} kb/s", r / 1e3),
            r => write!(f, "{r} b/s"),
        }
    }
}

impl fmt::Debug for Rate {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// A probability from 0 to 1, both included, never NaN.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default, Debug)]
pub struct Probability(f64);

impl Probability {
    /// The probability of what never happens.
    pub const ZERO: Probability = Probability(0.0);
    /// The probability of what always happens.
    pub const ONE: Probability = Probability(1.0);

    /// A probability, or `None` if `p` is not between 0 and 1.
    pub fn new(p: f64) -> Option<Self> {
        (0.0..=1.0).contains(&p).then_some(Probability(p))
    }

    /// The nearest probability to `p`; NaN gives 0.
    pub const fn clamped(p: f64) -> Self {
        if p > 0.0 { Probability(p.min(1.0)) } else { Probability(0.0) }
    }

    /// The value, from 0 to 1.
    #[inline]
    pub const fn get(self) -> f64 {
        self.0
    }

    /// The share `part / whole`, at most 1; 0 if `whole` is 0.
    pub fn share(part: u64, whole: u64) -> Self {
        if whole == 0 {
            Probability::ZERO
        } else {
            Probability::clamped(part as f64 / whole as f64)
        }
    }
}

impl fmt::Display for Probability {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.0, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn time_for_bytes_at_a_rate() {
        assert_eq!(Rate::from_mbps(2.0).time_for(1000), Span::from_millis(4));
        assert_eq!(Rate::ZERO.time_for(1), Span::MAX);
        assert_eq!(Rate::from_bps(f64::NAN), Rate::ZERO);
        assert_eq!(Rate::from_bps(-1.0), Rate::ZERO);
        assert_eq!(Rate::from_bytes_per_sec(125_000.0), Rate::from_mbps(1.0));
        assert!((Rate::from_mbps(1.0).bytes_per_sec() - 125_000.0).abs() < 1e-9);
    }

    #[test]
    fn a_probability_stays_within_zero_and_one() {
        assert_eq!(Probability::new(1.5), None);
        assert_eq!(Probability::new(f64::NAN), None);
        assert_eq!(Probability::clamped(7.0), Probability::ONE);
        assert_eq!(Probability::clamped(f64::NAN), Probability::ZERO);
        assert_eq!(Probability::share(1, 0), Probability::ZERO);
        assert_eq!(Probability::share(1, 4), Probability::clamped(0.25));
    }
}
