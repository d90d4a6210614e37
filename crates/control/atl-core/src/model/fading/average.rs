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
    let at = |x: f64| average(Snr::from_ratio(exp(x)), &f);
    let (mut low, mut high) = RANGE;
    if !(at(high) <= wanted.get() && wanted.get() <= at(low)) {
        return None;
    }
    // Each step halves 90 nepers: 50 leave less than 1e-13.
    for _ in 0..50 {
        let middle = 0.5 * (low + high);
        if at(middle) > wanted.get() { low = middle } else { high = middle }
    }
    Some(Snr::from_ratio(exp(0.5 * (low + high))))
}
