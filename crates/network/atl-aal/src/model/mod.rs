//! AAL-T's analysis: equations 3 to 9 of the paper (section 4), the inverses that are needed, and
//! counts of real cells to compare them with.
//!
//! The equations take errors to be independent ("ideal interleaving"). Payload and overhead only
//! need the same unit. All results are fractions from 0 to 1 unless stated otherwise.

mod cells;
mod equations;
mod fading;

pub use cells::{ArqCounts, CellChannel, CellCounts, CellErrors, count_cells, go_back_n};
pub use equations::{
    bit_errors_from_cell_success, cell_loss_ratio, cell_success, cell_success_from_errors,
    efficiency_gain, go_back_n_attempts, go_back_n_efficiency, packet_success, pdu_efficiency,
    selective_repeat_efficiency, transmission_efficiency,
};
pub use fading::{cell_errors_over_fading, mean_snr_from_cell_errors};
