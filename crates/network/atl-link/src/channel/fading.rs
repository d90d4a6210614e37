//! The hazard of bits on a fading channel.
//!
//! Time is divided into steps of 1/64 of the period 1/f_D, counted from the start of the run. The
//! signal-to-noise ratio in the middle of a step stands for the whole step; from one step to the
//! next it changes by a few per cent. A packet sent over several steps adds up their hazards. This
//! gives the right number of errors, although they are spread evenly over its bits.

use atl_core::model::fading::{Modulation, Rayleigh, Snr};
use atl_core::time::Time;

use super::envelope::Envelope;
use super::hazard::per_bit;
use super::walk::Walk;
use crate::random::Stream;

/// Steps in 1 / f_D.
const STEPS: f64 = 64.0;
/// A packet that spans more steps is evaluated at this many of them, evenly spaced.
const MAX_SAMPLES: u64 = 4096;

/// A fading channel, and the step that was evaluated last.
#[derive(Clone, Debug)]
pub(super) struct Fading {
    walk: Walk,
    mean_snr: Snr,
    modulation: Modulation,
    /// Length of a step in nanoseconds.
    step: u64,
    /// Beginning and end of the last step in nanoseconds, and the hazard of a bit in it.
    begin: u64,
    end: u64,
    hazard: f64,
}

impl Fading {
    pub(super) fn new(fading: &Rayleigh, modulation: Modulation, stream: &mut Stream) -> Self {
        let step = (1e9 / (STEPS * fading.doppler)).round().clamp(1.0, 1e18) as u64;
        Fading {
            walk: Walk::new(Envelope::new(fading.doppler, stream), step as f64 * 1e-9),
            mean_snr: fading.mean_snr,
            modulation,
            step,
            begin: 0,
            end: 0,
            hazard: 0.0,
        }
    }

    /// The hazard of `bits` bits sent evenly between two times.
    #[inline]
    pub(super) fn hazard(&mut self, from: Time, until: Time, bits: f64) -> f64 {
        let (from, until) = (from.nanos(), until.nanos());
        if self.begin <= from && until < self.end {
            return bits * self.hazard;
        }
        bits * self.mean(from, until)
    }

    /// The mean hazard per bit between two times.
    #[cold]
    fn mean(&mut self, from: u64, until: u64) -> f64 {
        let (first, last) = (from / self.step, until / self.step);
        if first == last {
            self.enter(first);
            return self.hazard;
        }
        let steps = last - first + 1;
        if steps > MAX_SAMPLES {
            let step = |i: u64| {
                first + (u128::from(i) * u128::from(steps) / u128::from(MAX_SAMPLES)) as u64
            };
            let sum: f64 = (0..MAX_SAMPLES).map(|i| self.enter(step(i))).sum();
            return sum / MAX_SAMPLES as f64;
        }
        let sum: f64 = (first..=last)
            .map(|step| {
                let hazard = self.enter(step);
                hazard * (until.min(self.end) - from.max(self.begin)) as f64
            })
            .sum();
        sum / (until - from) as f64
    }

    /// Moves to a step. Returns the hazard of a bit in it.
    fn enter(&mut self, step: u64) -> f64 {
        self.begin = step * self.step;
        self.end = self.begin.saturating_add(self.step);
        let snr = self.mean_snr.ratio() * self.walk.power(step);
        self.hazard = per_bit(self.modulation.bit_errors(Snr::from_ratio(snr)).get());
        self.hazard
    }
}
