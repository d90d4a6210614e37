//! Arguments of `atl model aal-t`.

use atl_core::units::Probability;
use clap::{ArgGroup, Args};

use super::values;

const AFTER: &str = "\
Examples:
  atl model aal-t --ber 1e-5                            one path
  atl model aal-t --cer 0.001                           the point quoted from Fig. 5b
  atl model aal-t --ber 1e-6,1e-5,1e-4 --payload 9132   a table, packets of 9180 bytes
  atl model aal-t --ber 1e-5 --simulate 20000           also counted on simulated cells
  atl model aal-t --table                               Table 1 compared with eq. 2

TCP over AAL5 is go-back-N: a lost packet costs a whole window (eq. 3, 4). AAL-T
retransmits only what was lost (eq. 5). Packets have m cells, all of which must
arrive (eq. 6). A cell arrives if its 384 payload bits are correct and its header
passes the HEC, which corrects a single wrong bit if the previous header was
correct (eq. 7, 8).
The equations are those of the AAL-T paper (Akyildiz, Joe). They assume independent
errors, a sender that always has data, and no timeouts; docs/errata.md lists what
else they leave out.";

/// Arguments of `atl model aal-t`.
#[derive(Args, Debug)]
#[command(
    after_help = AFTER,
    group = ArgGroup::new("what").required(true).args(["ber", "cer", "table"])
)]
pub(crate) struct AalT {
    /// P_b: bit error ratio of the path, from 0 to 0.1; a list gives a table (1e-6,1e-5).
    #[arg(long, value_name = "RATIO", value_delimiter = ',', value_parser = values::bit_errors, allow_negative_numbers = true)]
    pub ber: Vec<Probability>,
    /// CER: share of cells lost or in error, from 0 to 0.99 (or 2%); a list gives a table.
    #[arg(long, value_name = "RATIO", value_delimiter = ',', value_parser = values::loss, allow_negative_numbers = true)]
    pub cer: Vec<Probability>,
    /// Compare Table 1 with eq. 2.
    #[arg(long, conflicts_with_all = ["payload", "overhead", "window", "simulate"])]
    pub table: bool,
    /// l: user data per packet.
    #[arg(long, value_name = "BYTES", default_value = "1200", value_parser = values::packet_size)]
    pub payload: u32,
    /// h: headers and trailer per packet: TCP 20, IP 20, AAL 8.
    #[arg(long, value_name = "BYTES", default_value = "48", value_parser = values::header_size)]
    pub overhead: u32,
    /// N_w: TCP's window.
    #[arg(long, value_name = "PACKETS", default_value_t = 10, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub window: u32,
    /// Also simulate the transfer of this many packets, cell by cell (seed 1).
    #[arg(long, value_name = "PACKETS", value_parser = clap::value_parser!(u64).range(1..=100_000_000))]
    pub simulate: Option<u64>,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}
