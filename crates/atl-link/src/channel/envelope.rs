//! The envelope of a Rayleigh fading signal, as a sum of sinusoids.
//!
//! Source: Xiao, Zheng and Beaulieu, "Novel sum-of-sinusoids simulation models for Rayleigh and Rician fading channels"
//! (IEEE Trans. Wireless Commun. 5(12), 2006), the improved Clarke model: N waves of equal power that come from all
//! around, one from a random angle within each N-th of the circle, each with a random phase,
//!
//!   Y(t) = sqrt(1/N) sum exp(j (2 pi f_D t cos a_n + phi_n)), a_n = (2 pi n + theta_n) / N.
//!
//! Why this one. The signal is a function of time: it can be asked at any moment, so that a link that is idle costs
//! nothing and one that is polled late sees the same. (Filtered noise would have to be computed from the run's
//! beginning on.) Its autocorrelation is J_0 for any N over the random angles, and close to it in every single run, as
//! angles do not cluster; Jakes's own simulator, with fixed angles, is not stationary.
//!
//! Left open by the source, and chosen: N = 64. The power of N equal waves is not quite exponential; the probability of
//! a deep fade is too small by the share 1 / 2N, here 0.8 % (the second term of the expansion in Laguerre polynomials).

use core::f64::consts::TAU;

use crate::random::Stream;

/// N.
pub(super) const WAVES: usize = 64;

/// The waves of one fading signal of mean power 1.
#[derive(Clone, Debug)]
pub(super) struct Envelope {
    /// Doppler shift in Hz, and phase in turns, of each.
    waves: Vec<(f64, f64)>,
}

impl Envelope {
    /// A signal with this largest Doppler shift, in Hz.
    pub(super) fn new(doppler: f64, stream: &mut Stream) -> Self {
        let wave = |n| {
            // theta is from -pi to pi: the angle in turns is (n +- 1/2) / N.
            let angle = (n as f64 + stream.uniform() - 0.5) / WAVES as f64;
            (doppler * libm::cos(TAU * angle), stream.uniform())
        };
        Envelope { waves: (1..=WAVES).map(wave).collect() }
    }

    /// Doppler shift in Hz, and phase in turns, of each wave.
    pub(super) fn waves(&self) -> &[(f64, f64)] {
        &self.waves
    }

    /// Real and imaginary part at so many seconds.
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

    /// The power at so many seconds.
    #[cfg(test)]
    pub(super) fn power(&self, seconds: f64) -> f64 {
        let [real, imaginary] = self.at(seconds);
        real * real + imaginary * imaginary
    }
}
