//! Means over Rayleigh fading, and the mean signal-to-noise ratio that gives one.

use libm::{exp, log};

use super::Snr;
use crate::units::Probability;

/// Step of the integration, in nepers. The integrand is smooth and falls off on both sides, where
/// the trapezoidal rule converges faster than any power of the step. At 1/32 block error ratios of
/// 10^5 bits are right to ten digits.
const STEP: f64 = 1.0 / 32.0;
/// Probability left out on either side, in nepers: e^-40 is 4e-18.
const TAIL: f64 = 40.0;
/// The range that [`mean_snr_for`] searches, in nepers: -130 to 260 dB.
const RANGE: (f64, f64) = (-30.0, 60.0);

/// The mean over Rayleigh fading with this mean signal-to-noise ratio: the integral over all g of
/// f(g) exp(-g / mean) / mean. `f` is smooth, and from 0 to 1.
pub fn average(mean: Snr, f: impl Fn(Snr) -> f64) -> f64 {
    if mean == Snr::ZERO {
        return f(Snr::ZERO);
    }
    let mean = mean.ratio();
    // With g = e^x. `f` may change at g near 1, however large the mean is.
    let from = log(mean).min(0.0) - TAIL;
    let to = log(mean * TAIL);
    let steps = libm::ceil((to - from) / STEP) as u32;
    let sum: f64 = (0..=steps)
        .map(|i| {
            let g = exp(from + f64::from(i) * STEP);
            f(Snr::from_ratio(g)) * g / mean * exp(-g / mean)
        })
        .sum();
    sum * STEP
}

/// The mean signal-to-noise ratio at which the [`average`] of `f`, which falls with its argument,
/// is `wanted`. `None` where no ratio from -130 to 260 dB gives that.
pub fn mean_snr_for(wanted: Probability, f: impl Fn(Snr) -> f64) -> Option<Snr> {
    let wanted = wanted.get();
    let at = |x: f64| average(Snr::from_ratio(exp(x)), &f);
    let (mut low, mut high) = RANGE;
    let mut known = Between { left: (low, at(low)), right: (high, at(high)) };
    if !(known.right.1 <= wanted && wanted <= known.left.1) {
        return None;
    }
    // Each step halves 90 nepers: 50 leave less than 1e-13.
    for step in 0..50 {
        if step == COARSE {
            known.narrow(wanted, at);
        }
        let middle = 0.5 * (low + high);
        // A mean costs thousands of evaluations, and `f` falls: outside of what is known there is
        // nothing to ask.
        if middle > known.left.0 && middle < known.right.0 {
            let _ = known.note(wanted, (middle, at(middle)));
        }
        if middle <= known.left.0 { low = middle } else { high = middle }
    }
    Some(Snr::from_ratio(exp(0.5 * (low + high))))
}

/// Steps of the bisection after which the mean is smooth enough between its ends for a chord.
const COARSE: u32 = 8;

/// Two places, in nepers, with the means there: the wanted mean is between them.
struct Between {
    left: (f64, f64),
    right: (f64, f64),
}

impl Between {
    /// Notes a mean between the two, and tells whether it is above the wanted one.
    fn note(&mut self, wanted: f64, place: (f64, f64)) -> bool {
        let above = place.1 > wanted;
        *(if above { &mut self.left } else { &mut self.right }) = place;
        above
    }

    /// Comes closer, a thousandfold in each round: to where the chord of the logarithm has the
    /// wanted mean, and to the place that is a little beyond.
    fn narrow(&mut self, wanted: f64, at: impl Fn(f64) -> f64) {
        for _ in 0..4 {
            let ((from, above), (to, below)) = (self.left, self.right);
            let beside = (to - from) / 1000.0;
            let mut x = from + (to - from) * log(above / wanted) / log(above / below);
            for _ in 0..2 {
                if !(x > self.left.0 && x < self.right.0) {
                    return;
                }
                let above = self.note(wanted, (x, at(x)));
                x += if above { beside } else { -beside };
            }
        }
    }
}
