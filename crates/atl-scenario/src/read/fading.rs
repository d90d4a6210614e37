//! A fading channel.

use atl_aal::model::mean_snr_from_cell_errors;
use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_link::Channel;

use crate::keys;
use crate::table::{Field, Table};

/// Bits of an ATM cell: the blocks by which the two-state approximation is made.
const CELL: u32 = 424;
/// Least and largest Doppler shift in Hz.
const DOPPLER: (f64, f64) = (1e-3, 1e5);
/// Least and largest mean signal-to-noise ratio in dB.
const SNR: (f64, f64) = (-20.0, 100.0);

/// How a fading channel is simulated.
#[derive(Clone, Copy)]
enum Model {
    Rayleigh,
    TwoState,
}

/// Doppler shift, modulation and signal-to-noise ratio.
pub(super) fn read(field: &Field<'_>) -> Option<Channel> {
    let table = field.table(&keys::FADING)?;
    let doppler = table.need("doppler").and_then(|f| f.frequency(DOPPLER.0, DOPPLER.1));
    let modulation = table
        .need("modulation")
        .and_then(|f| f.one_of(&Modulation::ALL.map(|modulation| (modulation.name(), modulation))));
    let models = [("rayleigh", Model::Rayleigh), ("two-state", Model::TwoState)];
    let model = match table.get("model") {
        Some(field) => field.one_of(&models),
        None => Some(Model::Rayleigh),
    };
    let mean_snr = mean_snr(&table, modulation);
    let (doppler, modulation, model, mean_snr) = (doppler?, modulation?, model?, mean_snr?);
    let fading = Rayleigh { mean_snr, doppler };
    match model {
        Model::Rayleigh => Some(Channel::Fading { fading, modulation }),
        Model::TwoState => {
            let threshold = TwoState::threshold(&fading, modulation, CELL);
            let states = TwoState::new(&fading, modulation, threshold).map(Channel::TwoState);
            if states.is_none() {
                let message = "the channel has no two states that can be told apart";
                table.report(message, format!("at {mean_snr:.1} all cells fail, or none does"));
            }
            states
        }
    }
}

/// The mean signal-to-noise ratio: given, or that of a cell error ratio.
fn mean_snr(table: &Table<'_>, modulation: Option<Modulation>) -> Option<Snr> {
    match (table.get("snr"), table.get("cell-errors")) {
        (Some(field), None) => field.decibels(SNR.0, SNR.1).map(Snr::from_db),
        (None, Some(field)) => for_cell_errors(&field, modulation?),
        (snr, _) => {
            let label = if snr.is_some() { "has both" } else { "has neither" };
            table.report(
                "fading has a mean `snr`, or the `cell-errors` that it follows from",
                label,
            );
            None
        }
    }
}

/// The mean at which this share of cells is lost or arrives with a wrong payload: the mean over the fading of the AAL-T
/// paper's eq. 8, which corrects one wrong bit of the header.
fn for_cell_errors(field: &Field<'_>, modulation: Modulation) -> Option<Snr> {
    let wanted = field.probability()?;
    let snr = mean_snr_from_cell_errors(modulation, wanted)
        .filter(|snr| (SNR.0..=SNR.1).contains(&snr.db()));
    if snr.is_none() {
        let label = format!("no mean ratio from {} to {} dB gives that", SNR.0, SNR.1);
        return field.bad(label);
    }
    snr
}
