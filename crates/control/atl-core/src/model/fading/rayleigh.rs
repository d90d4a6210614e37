//! Rayleigh fading: the frequency and the duration of fades.

use libm::{exp, expm1, j0, sqrt};

use super::{Modulation, Snr, average, block_errors};
use crate::units::Probability;

const SQRT_TAU: f64 = 2.506_628_274_631_000_5;

/// A channel with Rayleigh fading.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rayleigh {
    /// Mean signal-to-noise ratio per bit, above zero.
    pub mean_snr: Snr,
    /// Largest Doppler shift in Hz, above zero: speed times carrier frequency by the speed of
    /// light.
    pub doppler: f64,
}

impl Rayleigh {
    /// rho^2: the threshold by the mean.
    fn level(&self, threshold: Snr) -> f64 {
        threshold.ratio() / self.mean_snr.ratio()
    }

    /// The share of time for which the signal-to-noise ratio is below a threshold: 1 - exp(-rho^2).
    pub fn below(&self, threshold: Snr) -> Probability {
        Probability::clamped(-expm1(-self.level(threshold)))
    }

    /// Level crossing rate: the number of times per second that the signal-to-noise ratio falls
    /// below a threshold, sqrt(2 pi) f_D rho exp(-rho^2).
    pub fn crossings(&self, threshold: Snr) -> f64 {
        let level = self.level(threshold);
        SQRT_TAU * self.doppler * sqrt(level) * exp(-level)
    }

    /// Average fade duration: the mean time in seconds that the signal-to-noise ratio then stays
    /// below the threshold, (exp(rho^2) - 1) / (rho f_D sqrt(2 pi)). Infinite for a threshold so
    /// high that the ratio hardly ever exceeds it.
    pub fn fade(&self, threshold: Snr) -> f64 {
        let level = self.level(threshold);
        if level > 0.0 { expm1(level) / (sqrt(level) * self.doppler * SQRT_TAU) } else { 0.0 }
    }

    /// Mean time in seconds above the threshold between two fades: 1 / (rho f_D sqrt(2 pi)).
    /// Infinite at a threshold of zero.
    pub fn clear(&self, threshold: Snr) -> f64 {
        1.0 / (sqrt(self.level(threshold)) * self.doppler * SQRT_TAU)
    }

    /// Autocorrelation of the complex signal over so many seconds, 1 at zero: J_0(2 pi f_D t)
    /// (Clarke 1968).
    pub fn autocorrelation(&self, seconds: f64) -> f64 {
        j0(core::f64::consts::TAU * self.doppler * seconds)
    }

    /// The mean probability that a block of `bits` bits has an error, if the fading is slow against
    /// the block.
    pub fn block_errors(&self, modulation: Modulation, bits: u32) -> Probability {
        let at = |snr| block_errors(modulation.bit_errors(snr), bits).get();
        Probability::clamped(average(self.mean_snr, at))
    }
}
