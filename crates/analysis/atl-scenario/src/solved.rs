//! Equations that many points of a sweep have in common.

use std::cell::RefCell;
use std::collections::BTreeMap;

use atl_aal::model::mean_snr_from_cell_errors;
use atl_core::model::fading::{Modulation, Snr};
use atl_core::units::Probability;

/// Signal-to-noise ratios found so far: each takes milliseconds.
#[derive(Debug, Default)]
pub(crate) struct Solved(RefCell<BTreeMap<(&'static str, u64), Option<Snr>>>);

impl Solved {
    /// The mean ratio at which this share of cells has errors.
    pub(crate) fn mean_snr(&self, modulation: Modulation, cell_errors: Probability) -> Option<Snr> {
        let key = (modulation.name(), cell_errors.get().to_bits());
        let mut known = self.0.borrow_mut();
        *known.entry(key).or_insert_with(|| mean_snr_from_cell_errors(modulation, cell_errors))
    }
}
