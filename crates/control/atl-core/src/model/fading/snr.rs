//! Signal-to-noise ratios per bit.

use core::fmt;

/// A signal-to-noise ratio per bit, E_b/N_0, finite and not negative.
#[derive(Clone, Copy, PartialEq, PartialOrd, Default)]
pub struct Snr(f64);

impl Snr {
    /// No signal at all.
    pub const ZERO: Snr = Snr(0.0);

    /// From the ratio itself; anything that is not finite and positive gives zero.
    pub const fn from_ratio(ratio: f64) -> Self {
        if ratio.is_finite() && ratio > 0.0 { Snr(ratio) } else { Snr(0.0) }
    }

    /// From decibels, below 3000; minus infinity is no signal.
    pub fn from_db(db: f64) -> Self {
        Snr::from_ratio(libm::pow(10.0, db / 10.0))
    }

    /// The ratio of energy per bit to noise density, 0 or more.
    #[inline]
    pub const fn ratio(self) -> f64 {
        self.0
    }

    /// The ratio in decibels; minus infinity without a signal.
    pub fn db(self) -> f64 {
        10.0 * libm::log10(self.0)
    }
}

impl fmt::Display for Snr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(&self.db(), f)?;
        f.write_str(" dB")
    }
}

impl fmt::Debug for Snr {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn decibels_and_ratios_are_one_thing() {
        assert!((Snr::from_db(20.0).ratio() - 100.0).abs() < 1e-12);
        assert!((Snr::from_ratio(0.5).db() + 3.0103).abs() < 1e-5);
        assert_eq!(Snr::from_db(f64::NEG_INFINITY), Snr::ZERO);
        assert_eq!(Snr::from_ratio(-1.0), Snr::ZERO);
        assert_eq!(Snr::from_ratio(f64::NAN), Snr::ZERO);
        assert_eq!(format!("{:.1}", Snr::from_ratio(10.0)), "10.0 dB");
    }
}
