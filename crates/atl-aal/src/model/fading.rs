//! Cells over a fading channel: eq. 8 in the mean over Rayleigh fading, and its inverse.
//!
//! The paper simulates its wireless link and says of it no more than its cell error ratio; this is how a channel with
//! fading gets one. Fading is taken as slow against a cell.

use atl_core::model::fading::{Modulation, Snr, average, mean_snr_for};
use atl_core::units::Probability;

use super::equations::cell_success;

/// The probability that a cell is lost or arrives with a wrong payload, at one signal-to-noise ratio.
fn errors(modulation: Modulation, snr: Snr) -> f64 {
    1.0 - cell_success(modulation.bit_errors(snr)).get()
}

/// The mean cell error ratio (errored and lost cells) over Rayleigh fading with this mean signal-to-noise ratio.
pub fn cell_errors_over_fading(modulation: Modulation, mean: Snr) -> Probability {
    Probability::clamped(average(mean, |snr| errors(modulation, snr)))
}

/// The inverse: the mean signal-to-noise ratio that gives this mean cell error ratio. `None` at 0 and at 1, and where
/// it would be below -130 or above 260 dB.
pub fn mean_snr_from_cell_errors(modulation: Modulation, cell_errors: Probability) -> Option<Snr> {
    let some_arrive = cell_errors < Probability::ONE;
    some_arrive.then(|| mean_snr_for(cell_errors, |snr| errors(modulation, snr))).flatten()
}
