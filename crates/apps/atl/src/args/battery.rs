//! Arguments of `atl model battery`.

use atl_core::time::Span;
use atl_core::units::Rate;
use clap::Args;

use super::values;

const AFTER: &str = "\
Examples:
  atl model battery --dummies 100                                          TCP, as in the paper
  atl model battery --stream 10Mb/s --over 500ms --packet 500B             RTP, as in the paper
  atl model battery --dummies 1000 --rate 54Mb/s --receiving 200mA --transmitting 300mA --battery 4Ah

TCP answers each dummy, RTP none (--ack 0B). The paper (Taleb et al., eq. 3 to 6)
prints 0.67 mA min for 100 dummies of TCP, with the two currents the wrong way
round, and 150 mA min for half a second of RTP, which are mA s. The card draws
the currents for the time of the packets in the air; preambles, contention and
what it draws while it waits are left out.";

/// Arguments of `atl model battery`.
#[derive(Args, Debug)]
#[command(after_help = AFTER)]
pub(crate) struct Battery {
    /// N: dummies that the host receives.
    #[arg(long, value_name = "N", value_parser = values::dummies, required_unless_present = "stream")]
    pub dummies: Option<u64>,
    /// Or the rate at which dummies come, with --over.
    #[arg(long, value_name = "RATE", value_parser = values::rate, conflicts_with = "dummies", requires = "over")]
    pub stream: Option<Rate>,
    /// Time over which they come.
    #[arg(long, value_name = "TIME", value_parser = values::some_time, requires = "stream")]
    pub over: Option<Span>,
    /// Size of a dummy, headers included.
    #[arg(long, value_name = "BYTES", value_parser = values::packet_size, default_value = "1000")]
    pub packet: u32,
    /// Size of the answer to a dummy, 0B: none [default: 32B, with --stream 0B].
    #[arg(long, value_name = "BYTES", value_parser = values::header_size)]
    pub ack: Option<u32>,
    /// Rate of the radio link while it transmits.
    #[arg(long, value_name = "RATE", value_parser = values::rate, default_value = "11Mb/s")]
    pub rate: Rate,
    /// I_r: current of the card while it receives.
    #[arg(long, value_name = "CURRENT", value_parser = values::current, default_value = "327mA")]
    pub receiving: f64,
    /// I_t: current of the card while it transmits.
    #[arg(long, value_name = "CURRENT", value_parser = values::current, default_value = "539mA")]
    pub transmitting: f64,
    /// Charge of the full battery.
    #[arg(long, value_name = "CHARGE", value_parser = values::charge, default_value = "730mAh")]
    pub battery: f64,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}
