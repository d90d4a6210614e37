//! A fading channel: its errors, fades and two states.

use atl_aal::model::{cell_errors_over_fading, mean_snr_from_cell_errors};
use atl_core::model::fading::{Modulation, Rayleigh, Snr, TwoState};
use atl_report::quantity::number;
use serde_json::json;

use super::line::{Line, print};
use crate::args::Fading;
use crate::failure::Failure;
use crate::status::Status;

/// Size of a cell in bytes and in bits.
const CELL: (u64, u32) = (53, 424);

/// Evaluates `atl model fading`.
///
/// # Errors
/// If no mean ratio gives the cell error ratio, the channel never leaves one state, or standard
/// output cannot be written to.
pub(super) fn fading(args: &Fading) -> Result<Status, Failure> {
    let modulation = Modulation::from(args.modulation);
    let solved = args.cell_errors.map(|errors| mean_snr_from_cell_errors(modulation, errors));
    let mean_snr = args.snr.or(solved.flatten()).ok_or_else(|| {
        Failure::Usage(
            "no mean signal-to-noise ratio gives this --cell-errors; give another ratio".to_owned(),
        )
    })?;
    let channel = Rayleigh { mean_snr, doppler: args.doppler };
    let threshold =
        args.threshold.unwrap_or_else(|| TwoState::threshold(&channel, modulation, CELL.1));
    let states = TwoState::new(&channel, modulation, threshold).ok_or_else(|| {
        Failure::Usage(
            "the channel never crosses the threshold; give another --threshold or another --snr"
                .to_owned(),
        )
    })?;
    let mut lines = errors(&channel, modulation, solved.is_some());
    lines.extend(fades(&channel, threshold, args.threshold.is_some()));
    lines.extend(chain(&states, args.rate.time_for(CELL.0).secs()));
    let inputs = json!({
        "modulation": modulation.name(),
        "snr_db": args.snr.map(Snr::db),
        "cell_errors": args.cell_errors.map(|p| p.get()),
        "doppler_hz": args.doppler,
        "rate_bps": args.rate.bps(),
        "threshold_db": args.threshold.map(Snr::db),
    });
    print("fading", &inputs, &lines, &[], args.json)
}

fn decibels(key: &'static str, name: &'static str, snr: Snr, equation: &str) -> Line {
    Line::of(key, name, snr.db(), "dB", format!("{} dB", number(snr.db())), equation)
}

/// Error ratios of bits and cells.
fn errors(channel: &Rayleigh, modulation: Modulation, solved: bool) -> Vec<Line> {
    let mean = channel.mean_snr;
    let bits = modulation.mean_bit_errors(mean).get();
    let cells = cell_errors_over_fading(modulation, mean).get();
    let struck = channel.block_errors(modulation, CELL.1).get();
    let from = if solved { "--cell-errors" } else { "--snr" };
    vec![
        decibels("snr_db", "mean signal-to-noise ratio per bit", mean, from),
        Line::bare("bit_errors", "mean bit error ratio", bits, "Proakis, sec. 14.3"),
        Line::bare("cell_errors", "mean cell error ratio", cells, "AAL-T, eq. 8, mean"),
        Line::bare("struck_cells", "cells with a wrong bit, header included", struck, "integral"),
    ]
}

/// Rate and length of fades.
fn fades(channel: &Rayleigh, threshold: Snr, given: bool) -> Vec<Line> {
    let from = if given { "--threshold" } else { "Zorzi et al." };
    let crossings = channel.crossings(threshold);
    let shown = format!("{} /s", number(crossings));
    let name = "level crossing rate: fades per second";
    vec![
        decibels("threshold_db", "threshold of a fade", threshold, from),
        Line::of("crossings", name, crossings, "1/s", shown, "Rice, Jakes"),
        Line::time("fade", "average fade duration", channel.fade(threshold), "Rice, Jakes"),
        Line::time("clear", "mean time between fades", channel.clear(threshold), "Rice, Jakes"),
    ]
}

/// The two states as seen by back-to-back cells.
fn chain(states: &TwoState, cell: f64) -> Vec<Line> {
    let chain = states.chain(cell);
    let (good, bad) = (states.good.bit_errors.get(), states.bad.bit_errors.get());
    let per_cell = "transitions per cell time";
    vec![
        Line::bare(
            "bad_share",
            "share of time in the bad state",
            states.bad_share().get(),
            "1 - exp(-rho^2)",
        ),
        Line::bare("bit_errors_good", "mean bit error ratio in the good state", good, "integral"),
        Line::bare("bit_errors_bad", "mean bit error ratio in the bad state", bad, "integral"),
        Line::bare("good_to_bad", "p: from good to bad, per cell", chain.to_bad.get(), per_cell),
        Line::bare("bad_to_good", "r: from bad to good, per cell", chain.to_good.get(), per_cell),
        Line::bare(
            "fade_cells",
            "average fade duration, in cells",
            states.bad.mean / cell,
            "fade / cell",
        ),
    ]
}
