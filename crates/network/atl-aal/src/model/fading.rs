//! Cells over a fading channel: the mean of eq. 8 over Rayleigh fading, and its inverse.
//!
//! The paper describes its simulated wireless link only by its cell error ratio; these functions
//! relate that ratio to a fading channel. Fading is assumed to be slow compared with a cell.

use atl_core::model::fading::{Modulation, Snr, average, mean_snr_for};
use atl_core::units::Probability;

use super::equations::cell_success;

/// The probability that a cell is lost or arrives with a wrong payload at a given signal-to-noise
/// ratio.
fn errors(modulation: Modulation, snr: Snr) -> f64 {
    1.0 - cell_success(modulation.bit_errors(snr)).get()
}

/// The mean cell error ratio (errored and lost cells) over Rayleigh fading with mean
/// signal-to-noise ratio `mean`.
pub fn cell_errors_over_fading(modulation: Modulation, mean: Snr) -> Probability {
    Probability::clamped(average(mean, |snr| errors(modulation, snr)))
}

/// The inverse: the mean signal-to-noise ratio that gives this mean cell error ratio. `None` for
/// ratios of 0 and 1, and if the result would be below -130 dB or above 260 dB.
pub fn mean_snr_from_cell_errors(modulation: Modulation, cell_errors: Probability) -> Option<Snr> {
    let some_arrive = cell_errors < Probability::ONE;
    some_arrive.then(|| mean_snr_for(cell_errors, |snr| errors(modulation, snr))).flatten()
}
