//! A fading channel approximated by two states.

use libm::{expm1, log1p};

use super::{Modulation, Rayleigh, Snr};
use crate::model::Gilbert;
use crate::units::Probability;

/// One of the two states: its error ratio and its mean duration.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct State {
    /// Bit error ratio in it, 0 to 1/2; errors are independent.
    pub bit_errors: Probability,
    /// Mean duration in seconds; durations are exponentially distributed.
    pub mean: f64,
}

/// The two-state approximation of a fading channel: bad while the signal-to-noise ratio is below a
/// threshold, good while it is above, in continuous time.
///
/// As Wang and Moayeri make a chain of a fading channel (for any number of states): a state's bit
/// error ratio is the mean over the time that is spent in it, and it is left as often as the level
/// crossing rate says. They take a step a packet and thresholds that give each state the same share
/// of time; here the sojourns are exponential, with the mean of the average fade duration and of
/// the time between fades, so that the chain does not depend on the length of packets. The
/// [threshold](TwoState::threshold) is Zorzi, Rao and Milstein's: blocks fail in the bad state.
///
/// The mean bit error ratio is that of the channel, exactly. Block errors are not: an error ratio
/// that is averaged over a state spreads the errors over more blocks. And sojourns of a fading
/// channel are less variable than exponential ones.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TwoState {
    /// Above the threshold of the signal-to-noise ratio.
    pub good: State,
    /// Below the threshold of the signal-to-noise ratio.
    pub bad: State,
}

impl TwoState {
    /// The two states of a fading channel; `None` unless both have a share of the time that differs
    /// from zero in `f64`.
    pub fn new(fading: &Rayleigh, modulation: Modulation, threshold: Snr) -> Option<Self> {
        let share = fading.below(threshold).get();
        let all = modulation.mean_bit_errors(fading.mean_snr).get();
        let below = modulation.bit_errors_below(fading.mean_snr, threshold).min(all);
        let state = |errors: f64, share: f64, mean: f64| {
            let state = State { bit_errors: Probability::clamped(errors / share), mean };
            (share > 0.0 && mean.is_finite() && mean > 0.0).then_some(state)
        };
        Some(TwoState {
            good: state(all - below, 1.0 - share, fading.clear(threshold))?,
            bad: state(below, share, fading.fade(threshold))?,
        })
    }

    /// The threshold for blocks of `bits` bits: the signal-to-noise ratio is below it for a share
    /// of time that is the mean block error ratio.
    pub fn threshold(fading: &Rayleigh, modulation: Modulation, bits: u32) -> Snr {
        let errors = fading.block_errors(modulation, bits).get();
        Snr::from_ratio(-fading.mean_snr.ratio() * log1p(-errors))
    }

    /// Share of time in the bad state.
    pub fn bad_share(&self) -> Probability {
        Probability::clamped(self.bad.mean / (self.good.mean + self.bad.mean))
    }

    /// Mean bit error ratio over both states, which is that of the channel.
    pub fn mean_bit_errors(&self) -> Probability {
        let bad = self.bad_share().get();
        let (good, worse) = (self.good.bit_errors.get(), self.bad.bit_errors.get());
        Probability::clamped((1.0 - bad) * good + bad * worse)
    }

    /// The chain observed at intervals of this many seconds: the probabilities to find the other
    /// state one interval after a state was found.
    pub fn chain(&self, interval: f64) -> Gilbert {
        let (leave_good, leave_bad) = (1.0 / self.good.mean, 1.0 / self.bad.mean);
        let forgotten = -expm1(-interval * (leave_good + leave_bad));
        let bad = self.bad_share().get();
        Gilbert {
            to_bad: Probability::clamped(bad * forgotten),
            to_good: Probability::clamped((1.0 - bad) * forgotten),
        }
    }
}
