//! Arguments of `atl model fading`.

use atl_core::model::fading::{Modulation, Snr};
use atl_core::units::{Probability, Rate};
use clap::{Args, ValueEnum};

use super::values;

const AFTER: &str = "\
Examples:
  atl model fading --modulation dpsk --snr 20dB --doppler 10Hz --rate 2Mb/s
  atl model fading --modulation bpsk --cell-errors 1e-3 --doppler 100Hz --rate 2Mb/s

Rayleigh fading with white Gaussian noise. A cell of 53 bytes is in error if it is
lost (two wrong bits in the header) or its payload is wrong: eq. 8 of the AAL-T
paper, averaged over fading that is slow compared with a cell. In the two-state
approximation the channel is bad for a share of time equal to the share of cells
with a wrong bit. A link of a scenario is such a channel with
  loss = { fading = { doppler = \"10Hz\", modulation = \"dpsk\", snr = \"20dB\" } }";

/// Arguments of `atl model fading`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Fading {
    /// Modulation of the radio.
    #[arg(long, value_enum)]
    pub modulation: Keying,
    /// Mean signal-to-noise ratio per bit, E_b/N_0, from -20dB to 100dB.
    #[arg(long, value_name = "RATIO", value_parser = values::snr, required_unless_present = "cell_errors", allow_negative_numbers = true)]
    pub snr: Option<Snr>,
    /// Mean cell error ratio, greater than 0 (or 0.1%), from which the signal-to-noise ratio is
    /// computed.
    #[arg(long, value_name = "SHARE", value_parser = values::share, conflicts_with = "snr", allow_negative_numbers = true)]
    pub cell_errors: Option<Probability>,
    /// f_D: maximum Doppler shift, from 0.001Hz to 100kHz.
    #[arg(long, value_name = "FREQUENCY", value_parser = values::doppler, allow_negative_numbers = true)]
    pub doppler: f64,
    /// Rate of the link (2Mb/s).
    #[arg(long, value_name = "RATE", value_parser = values::rate)]
    pub rate: Rate,
    /// Signal-to-noise ratio below which the state is bad [default: by the share of cells with a
    /// wrong bit].
    #[arg(long, value_name = "RATIO", value_parser = values::snr, allow_negative_numbers = true)]
    pub threshold: Option<Snr>,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}

/// Modulations (see [`Modulation`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Keying {
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
