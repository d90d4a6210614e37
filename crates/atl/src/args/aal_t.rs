//! Arguments of `atl model aal-t`.

use atl_core::units::Probability;
use clap::{ArgGroup, Args};

use super::values;

const AFTER: &str = "\
Examples:
  atl model aal-t --ber 1e-5                            a path
  atl model aal-t --cer 0.001                           what the paper quotes of Fig. 5b
  atl model aal-t --ber 1e-6,1e-5,1e-4 --payload 9132   a table, packets of 9180 bytes
  atl model aal-t --ber 1e-5 --simulate 20000           the same counted on real cells
  atl model aal-t --table                               Table 1 beside eq. 2

TCP over AAL5 is go-back-N: a packet that is lost costs a whole window (eq. 3, 4).
AAL-T repeats what was lost alone (eq. 5). Both send packets of m cells, and all
cells of one have to arrive (eq. 6). A cell arrives if its 384 bits of payload are
right and its header passes the HEC, which corrects one wrong bit if the cell
before was right (eq. 7, 8).
The equations are those of the AAL-T paper (Akyildiz, Joe). They have independent
errors, endless data, and no timeouts; docs/errata.md says what else they leave out.";

/// Arguments of `atl model aal-t`.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER,
    group = ArgGroup::new("what").required(true).args(["ber", "cer", "table"])
)]
pub struct AalT {
    /// P_b: bit error ratio of the path, from 0 to 0.1; several give a table (1e-6,1e-5).
    #[arg(long, value_name = "RATIO", value_delimiter = ',', value_parser = values::bit_errors, allow_negative_numbers = true)]
    pub ber: Vec<Probability>,
    /// Cell error ratio, from 0 to 0.99 (or 2%): cells lost or with errors; several give a table.
    #[arg(long, value_name = "RATIO", value_delimiter = ',', value_parser = values::loss, allow_negative_numbers = true)]
    pub cer: Vec<Probability>,
    /// Table 1, and what eq. 2 says in its place.
    #[arg(long, conflicts_with_all = ["payload", "overhead", "window", "simulate"])]
    pub table: bool,
    /// l: bytes of user data in a packet.
    #[arg(long, value_name = "BYTES", default_value = "1200", value_parser = values::packet_size)]
    pub payload: u32,
    /// h: bytes of a packet's headers and trailer: TCP 20, IP 20, AAL 8.
    #[arg(long, value_name = "BYTES", default_value = "48", value_parser = values::header_size)]
    pub overhead: u32,
    /// N_w: packets of TCP's window.
    #[arg(long, value_name = "PACKETS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub window: u32,
    /// Bring so many packets over, cell by cell, and count (seed 1).
    #[arg(long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub simulate: Option<u64>,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}
