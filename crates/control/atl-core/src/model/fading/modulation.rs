//! Error ratios of a receiver, by modulation.

use libm::{erfc, exp, expm1, log1p, sqrt};

use super::Snr;
use crate::units::Probability;

/// A modulation with its method of reception.
///
/// Of DPSK the errors of neighbouring bits are not quite independent (a symbol is the reference of
/// the next); they are taken as if they were.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Modulation {
    /// Binary phase shift keying, received coherently.
    Bpsk,
    /// Quaternary phase shift keying with Gray's mapping, received coherently: the error ratio of
    /// BPSK at the same signal-to-noise ratio per bit.
    Qpsk,
    /// Binary differential phase shift keying, each symbol compared with the one before.
    Dpsk,
    /// Binary frequency shift keying with orthogonal tones, received without their phase.
    Fsk,
}

impl Modulation {
    /// All modulations, the coherent ones first.
    pub const ALL: [Modulation; 4] =
        [Modulation::Bpsk, Modulation::Qpsk, Modulation::Dpsk, Modulation::Fsk];

    /// Its name in scenario files and on the command line.
    pub const fn name(self) -> &'static str {
        match self {
            Modulation::Bpsk => "bpsk",
            Modulation::Qpsk => "qpsk",
            Modulation::Dpsk => "dpsk",
            Modulation::Fsk => "fsk",
        }
    }

    /// The bit error ratio at this signal-to-noise ratio, 1/2 where there is no signal:
    /// erfc(sqrt(g)) / 2 of BPSK and QPSK, exp(-g) / 2 of DPSK, exp(-g / 2) / 2 of FSK.
    pub fn bit_errors(self, snr: Snr) -> Probability {
        let g = snr.ratio();
        Probability::clamped(match self.decay() {
            None => 0.5 * erfc(sqrt(g)),
            Some(a) => 0.5 * exp(-a * g),
        })
    }

    /// The mean bit error ratio over Rayleigh fading with this mean: (1 - sqrt(g / (1 + g))) / 2 of
    /// BPSK and QPSK, 1 / (2 (1 + g)) of DPSK, 1 / (2 + g) of FSK.
    pub fn mean_bit_errors(self, mean: Snr) -> Probability {
        let g = mean.ratio();
        Probability::clamped(match self.decay() {
            // 1 - root, free of cancellation.
            None => 0.5 / ((1.0 + g) * (1.0 + sqrt(g / (1.0 + g)))),
            Some(a) => 0.5 / (1.0 + a * g),
        })
    }

    /// The part of [`mean_bit_errors`](Self::mean_bit_errors) that falls on the time in which the
    /// signal-to-noise ratio is below a threshold. Two numbers near 1/2 are subtracted, so that it
    /// has 16 digits less those of the mean ratio.
    pub(super) fn bit_errors_below(self, mean: Snr, threshold: Snr) -> f64 {
        let (g, t) = (mean.ratio(), threshold.ratio());
        match self.decay() {
            None => {
                let above = 0.5 * erfc(sqrt(t)) * exp(-t / g)
                    - 0.5 * sqrt(g / (1.0 + g)) * erfc(sqrt(t * (1.0 + 1.0 / g)));
                (self.mean_bit_errors(mean).get() - above).max(0.0)
            }
            Some(a) => -0.5 / (1.0 + a * g) * expm1(-t * (a + 1.0 / g)),
        }
    }

    /// a, where the bit error ratio is exp(-a g) / 2.
    fn decay(self) -> Option<f64> {
        match self {
            Modulation::Bpsk | Modulation::Qpsk => None,
            Modulation::Dpsk => Some(1.0),
            Modulation::Fsk => Some(0.5),
        }
    }
}

/// The probability that at least one of `bits` bits is wrong.
pub fn block_errors(bit_errors: Probability, bits: u32) -> Probability {
    Probability::clamped(-expm1(f64::from(bits) * log1p(-bit_errors.get())))
}
