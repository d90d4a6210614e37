//! The envelope of a Rayleigh fading signal, as a sum of sinusoids.
//!
//! Source: Xiao, Zheng and Beaulieu, "Novel sum-of-sinusoids simulation models for Rayleigh and
//! Rician fading channels" (IEEE Trans. Wireless Commun. 5(12), 2006), the improved Clarke model: N
//! waves of equal power, one from a random angle within each N-th of the circle, each with a random
//! phase,
//!
//!   Y(t) = sqrt(1/N) sum exp(j (2 pi f_D t cos a_n + phi_n)), a_n = (2 pi n + theta_n) / N.
//!
//! Why this model: the signal is a function of time that can be evaluated anywhere, so an idle link
//! costs nothing and one that is polled late sees the same signal. (Filtered noise would have to be
//! computed from the start of the run.) Averaged over the random angles its autocorrelation is J_0
//! for any N, and it is close to J_0 in every single run because the angles do not cluster. Jakes's
//! own simulator, with fixed angles, is not stationary.
//!
//! The source leaves N open; N = 64 is chosen here. The power of N equal waves is not quite
//! exponential: the probability of a deep fade is too small by the fraction 1 / 2N, here 0.8 % (the
//! second term of the expansion in Laguerre polynomials).

use core::f64::consts::TAU;

use crate::random::Stream;

/// N.
pub(super) const WAVES: usize = 64;

/// The waves of one fading signal with mean power 1.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// Doppler shift in Hz and phase in turns of each wave.
    waves: Vec<(f64, f64)>,
}

impl Envelope {
    /// A signal with this maximum Doppler shift, in Hz.
    pub(super) fn new(doppler: f64, stream: &mut Stream) -> Self {
        let wave = |n| {
            // theta lies between -pi and pi: the angle in turns is (n +- 1/2) / N.
            let angle = (n as f64 + stream.uniform() - 0.5) / WAVES as f64;
            (doppler * libm::cos(TAU * angle), stream.uniform())
        };
        Envelope { waves: (1..=WAVES).map(wave).collect() }
    }

    /// Doppler shift in Hz and phase in turns of each wave.
    pub(super) fn waves(&self) -> &[(f64, f64)] {
        &self.waves
    }

    /// Real and imaginary part at a time in seconds.
    #[cfg(test)]
    pub(super) fn at(&self, seconds: f64) -> [f64; 2] {
        let (mut real, mut imaginary) = (0.0, 0.0);
        for (doppler, phase) in &self.waves {
            let turns = doppler * seconds + phase;
            let (sin, cos) = libm::sincos(TAU * (turns - libm::floor(turns)));
            real += cos;
            imaginary += sin;
        }
        let scale = 1.0 / (WAVES as f64).sqrt();
        [real * scale, imaginary * scale]
    }

    /// Power at a time in seconds.
    #[cfg(test)]
    pub(super) fn power(&self, seconds: f64) -> f64 {
        let [real, imaginary] = self.at(seconds);
        real * real + imaginary * imaginary
    }
}
