//! Arguments of `atl model fading`.

use atl_core::model::fading::{Modulation, Snr};
use atl_core::units::{Probability, Rate};
use clap::{Args, ValueEnum};

use super::values;

const AFTER: &str = "\
Examples:
  atl model fading --modulation dpsk --snr 20dB --doppler 10Hz --rate 2Mb/s
  atl model fading --modulation bpsk --cell-errors 1e-3 --doppler 100Hz --rate 2Mb/s

Rayleigh fading with white Gaussian noise. Cells have 53 bytes; one is in error
if it is lost (two wrong bits in the header) or has a wrong payload: eq. 8 of the
AAL-T paper, in the mean over fading that is slow against a cell.
The two states are a cell's: bad for a share of time that is the ratio of cells
with a wrong bit. A scenario's link is such a channel with
  loss = { fading = { doppler = \"10Hz\", modulation = \"dpsk\", snr = \"20dB\" } }";

/// Arguments of `atl model fading`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub struct Fading {
    /// Modulation.
    #[arg(long, value_enum)]
    pub modulation: Keying,
    /// Mean signal-to-noise ratio per bit, E_b/N_0, from -20dB to 100dB.
    #[arg(long, value_name = "RATIO", value_parser = values::snr, required_unless_present = "cell_errors", allow_negative_numbers = true)]
    pub snr: Option<Snr>,
    /// Mean cell error ratio that the mean signal-to-noise ratio is solved for, above 0 (or 0.1%).
    #[arg(long, value_name = "SHARE", value_parser = values::share, conflicts_with = "snr", allow_negative_numbers = true)]
    pub cell_errors: Option<Probability>,
    /// f_D: largest Doppler shift, from 0.001Hz to 100kHz.
    #[arg(long, value_name = "FREQUENCY", value_parser = values::doppler, allow_negative_numbers = true)]
    pub doppler: f64,
    /// Rate at which cells are sent (2Mb/s).
    #[arg(long, value_name = "RATE", value_parser = values::rate)]
    pub rate: Rate,
    /// Signal-to-noise ratio below which the two states are bad [default: by the cells with a wrong bit].
    #[arg(long, value_name = "RATIO", value_parser = values::snr, allow_negative_numbers = true)]
    pub threshold: Option<Snr>,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}

/// Modulations (see [`Modulation`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Keying {
    /// Binary phase shift keying, coherent.
    Bpsk,
    /// Quaternary phase shift keying, coherent.
    Qpsk,
    /// Binary differential phase shift keying.
    Dpsk,
    /// Binary frequency shift keying, non-coherent.
    Fsk,
}

impl From<Keying> for Modulation {
    fn from(keying: Keying) -> Modulation {
        match keying {
            Keying::Bpsk => Modulation::Bpsk,
            Keying::Qpsk => Modulation::Qpsk,
            Keying::Dpsk => Modulation::Dpsk,
            Keying::Fsk => Modulation::Fsk,
        }
    }
}
