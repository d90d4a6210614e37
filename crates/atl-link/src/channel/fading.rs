//! The hazard of bits on a fading channel.
//!
//! Time is cut into steps of 1/64 of the period 1/f_D, counted from the run's beginning. The signal-to-noise ratio is
//! that of a step's middle for the whole step: it changes by a few per cent between two. A packet that is sent over
//! several steps adds up their hazards; how many errors it meets is then right, though they are spread evenly over its
//! bits.

use atl_core::model::fading::{Modulation, Rayleigh, Snr};
use atl_core::time::Time;

use super::envelope::Envelope;
use super::hazard::per_bit;
use super::walk::Walk;
use crate::random::Stream;

/// Steps in 1 / f_D.
const STEPS: f64 = 64.0;
/// A packet that spans more steps than this meets so many of them, evenly chosen.
const MOST: u64 = 4096;

/// A fading channel, and the step that it was last asked for.
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

    /// The hazard of so many bits that are sent evenly over a time.
    #[inline]
    pub(super) fn hazard(&mut self, from: Time, until: Time, bits: f64) -> f64 {
        let (from, until) = (from.nanos(), until.nanos());
        if self.begin <= from && until < self.end {
            return bits * self.hazard;
        }
        bits * self.mean(from, until)
    }

    /// The hazard of a bit that is sent at some time, any of them as likely.
    #[cold]
    fn mean(&mut self, from: u64, until: u64) -> f64 {
        let (first, last) = (from / self.step, until / self.step);
        if first == last {
            self.enter(first);
            return self.hazard;
        }
        let steps = last - first + 1;
        if steps > MOST {
            let step =
                |i: u64| first + (u128::from(i) * u128::from(steps) / u128::from(MOST)) as u64;
            let sum: f64 = (0..MOST).map(|i| self.enter(step(i))).sum();
            return sum / MOST as f64;
        }
        let sum: f64 = (first..=last)
            .map(|step| {
                let hazard = self.enter(step);
                hazard * (until.min(self.end) - from.max(self.begin)) as f64
            })
            .sum();
        sum / (until - from) as f64
    }

    /// The hazard of a bit in a step.
    fn enter(&mut self, step: u64) -> f64 {
        self.begin = step * self.step;
        self.end = self.begin.saturating_add(self.step);
        let snr = self.mean_snr.ratio() * self.walk.power(step);
        self.hazard = per_bit(self.modulation.bit_errors(Snr::from_ratio(snr)).get());
        self.hazard
    }
}
