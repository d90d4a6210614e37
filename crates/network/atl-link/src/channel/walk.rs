//! The power of a fading signal from step to step.
//!
//! Each wave turns by the same angle from one step to the next: a complex product instead of a sine
//! and a cosine. Every 64th step is computed from the waves themselves, and the steps after it one
//! by one from there, so that the power of a step does not depend on which steps were evaluated
//! before.

use core::f64::consts::TAU;

use super::envelope::{Envelope, WAVES};

/// Interval, in steps, at which the waves are computed anew. Over this many turns the rounding
/// error is below 10^-14.
const BLOCK: u64 = 64;
/// Number of partial sums, which vectorise. Their order is fixed, so the result is the same on
/// every processor.
const LANES: usize = 8;

/// One complex number per wave.
#[derive(Clone, Debug)]
struct Phasors {
    real: [f64; WAVES],
    imaginary: [f64; WAVES],
}

impl Phasors {
    fn new(turns: impl Iterator<Item = f64>) -> Self {
        let mut phasors = Phasors { real: [0.0; WAVES], imaginary: [0.0; WAVES] };
        for (i, turns) in turns.take(WAVES).enumerate() {
            let (sin, cos) = libm::sincos(TAU * (turns - libm::floor(turns)));
            (phasors.real[i], phasors.imaginary[i]) = (cos, sin);
        }
        phasors
    }

    /// Multiplies each by its counterpart.
    fn turn(&mut self, by: &Phasors) {
        for i in 0..WAVES {
            let (a, b, c, d) = (self.real[i], self.imaginary[i], by.real[i], by.imaginary[i]);
            (self.real[i], self.imaginary[i]) = (a * c - b * d, a * d + b * c);
        }
    }

    fn sum(part: &[f64; WAVES]) -> f64 {
        let mut lanes = [0.0; LANES];
        for chunk in part.chunks_exact(LANES) {
            for (lane, x) in lanes.iter_mut().zip(chunk) {
                *lane += x;
            }
        }
        lanes.iter().sum()
    }

    fn power(&self) -> f64 {
        let (real, imaginary) = (Phasors::sum(&self.real), Phasors::sum(&self.imaginary));
        (real * real + imaginary * imaginary) / WAVES as f64
    }
}

/// The current phases of the waves.
#[derive(Clone, Debug)]
pub(super) struct Walk {
    envelope: Envelope,
    /// Length of a step in seconds.
    step: f64,
    /// The rotation of each wave per step.
    turn: Phasors,
    /// The waves at step `at`.
    waves: Phasors,
    at: u64,
}

impl Walk {
    /// Walks along a signal in steps of `step` seconds.
    pub(super) fn new(envelope: Envelope, step: f64) -> Self {
        let turn = Phasors::new(envelope.waves().iter().map(|(doppler, _)| doppler * step));
        let mut walk = Walk { envelope, step, waves: turn.clone(), turn, at: 0 };
        walk.begin(0);
        walk
    }

    /// Computes the waves at a step from scratch.
    fn begin(&mut self, step: u64) {
        let seconds = self.middle(step);
        let turns = self.envelope.waves().iter().map(|(doppler, phase)| doppler * seconds + phase);
        self.waves = Phasors::new(turns);
        self.at = step;
    }

    /// The middle of a step, in seconds.
    fn middle(&self, step: u64) -> f64 {
        (step as f64 + 0.5) * self.step
    }

    /// The power in the middle of a step.
    pub(super) fn power(&mut self, step: u64) -> f64 {
        let block = step - step % BLOCK;
        if !(block..=step).contains(&self.at) {
            self.begin(block);
        }
        for _ in self.at..step {
            self.waves.turn(&self.turn);
        }
        self.at = step;
        self.waves.power()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Stream;

    #[test]
    fn the_power_of_a_step_does_not_depend_on_the_steps_evaluated_before() {
        let envelope = Envelope::new(10.0, &mut Stream::new(5, "walk"));
        let step = 1.0 / 640.0;
        let mut walk = Walk::new(envelope.clone(), step);
        let powers: Vec<f64> = (0..1000).map(|n| walk.power(n)).collect();
        for (n, power) in powers.iter().enumerate() {
            let direct = envelope.power((n as f64 + 0.5) * step);
            assert!((power - direct).abs() < 1e-12, "{n}: {power} and {direct}");
        }
        let mut other = Walk::new(envelope, step);
        for n in [999, 0, 1, 64, 63, 128, 127, 500, 130, 500, 501, 499] {
            assert_eq!(other.power(n).to_bits(), powers[n as usize].to_bits(), "{n}");
        }
    }
}
