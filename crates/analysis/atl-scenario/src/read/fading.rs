//! Reading a fading channel.

use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_link::Channel;

use crate::keys::MEAN_SNR;
use crate::keys::words::{self, FadingModel};
use crate::table::{Field, Table};

/// Bits of an ATM cell, the block length of the two-state approximation.
const CELL: u32 = 424;
/// Reads the Doppler shift, modulation and signal-to-noise ratio.
pub(super) fn read(field: &Field<'_>) -> Option<Channel> {
    let table = field.table()?;
    let doppler = table.read("doppler", Field::frequency);
    let modulation = table.read("modulation", |f| f.one_of(&words::modulations()));
    let model = table.value("model", |f| f.one_of(words::FADING_MODELS));
    let mean_snr = mean_snr(&table, modulation);
    let (doppler, modulation, model, mean_snr) = (doppler?, modulation?, model?, mean_snr?);
    let fading = Rayleigh { mean_snr, doppler };
    match model {
        FadingModel::Rayleigh => Some(Channel::Fading { fading, modulation }),
        FadingModel::TwoState => {
            let threshold = TwoState::threshold(&fading, modulation, CELL);
            let states = TwoState::new(&fading, modulation, threshold).map(Channel::TwoState);
            if states.is_none() {
                let message = "the channel has no two distinct states";
                table.report(message, format!("at {mean_snr:.1} all cells fail, or none do"));
            }
            states
        }
    }
}

/// Mean signal-to-noise ratio as given, or derived from a cell error ratio.
fn mean_snr(table: &Table<'_>, modulation: Option<Modulation>) -> Option<Snr> {
    match (table.get("snr"), table.get("cell-errors")) {
        (Some(field), None) => field.decibels().map(Snr::from_db),
        (None, Some(field)) => for_cell_errors(&field, modulation?),
        _ => None,
    }
}

/// The mean at which this share of cells is lost or has a wrong payload: the average over the
/// fading of the AAL-T paper's eq. 8, in which one wrong bit of the header is corrected.
fn for_cell_errors(field: &Field<'_>, modulation: Modulation) -> Option<Snr> {
    let wanted = field.probability()?;
    let snr = field.cx.solved.mean_snr(modulation, wanted);
    let snr = snr.filter(|snr| MEAN_SNR.contains(snr.db()));
    snr.or_else(|| field.bad(format!("no mean ratio {MEAN_SNR} dB gives that")))
}
