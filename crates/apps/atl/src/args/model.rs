//! Arguments of `atl model`.

use atl_core::model::{RateForm, TimeoutTerm};
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use clap::{Args, Subcommand, ValueEnum};

use super::aal_t::AalT;
use super::battery::Battery;
use super::fading::Fading;
use super::values;

#[derive(Debug, Subcommand)]
pub(crate) enum ModelOf {
    /// TCP-ATL on a path: split of loss and RTT, target T, alpha and beta (eq. 5, 6, 7, 9).
    TcpAtl(TcpAtl),
    /// RCP-ATL on a path: as TCP-ATL, with alpha by eq. 13.
    RcpAtl(RcpAtl),
    /// Throughput of an AIMD sender: eq. 7 (window) and eq. 10 (rate) in all their forms.
    Throughput(Throughput),
    /// ARC's path model and rate: pi, omega and P(I1) of two chains (eq. 1 to 7, 16), and the rate
    /// by eq. 21.
    Arc(Arc),
    /// All forms of eq. 10 and its inverse, eq. 13, and how far each is off.
    Rate(RateModel),
    /// AAL-T compared with TCP over AAL5: payload length, cell loss, efficiencies (eq. 2 to 9).
    AalT(AalT),
    /// A fading channel: error ratios, fades, two-state approximation.
    Fading(Fading),
    /// Battery charge that probing a new network takes from a mobile host (Taleb et al., eq. 3 to
    /// 6).
    Battery(Battery),
}

const AFTER_TCP: &str = "\
Examples:
  atl model tcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms
  atl model tcp-atl --p 1% --pw 1% --rtt 400ms --dw 150ms --packets 500
  atl model tcp-atl --p 2% --pw 2% --rtt 120ms --dw 50ms --access-rate 2Mb/s

--p and --pw are shares of packets, not of loss events. Without --packets they
are taken as exact. With --packets they are taken as measured over that many
packets, and p_c is at least 1/(n+1), as in the protocol. T_hat is the throughput
of a TCP sender on the wired part of the path.
The equations are those of the ATL paper (Akan, Akyildiz).";

/// Arguments of `atl model tcp-atl`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_TCP)]
pub(crate) struct TcpAtl {
    #[command(flatten)]
    pub path: PathArgs,
}

const AFTER_RCP: &str = "\
Examples:
  atl model rcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms
  atl model rcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms --form mended

alpha is in packets per second that the rate gains in each RTT.

Forms of eq. 10 and 13 (see docs/errata.md):
  published   as printed
  last-round  the RTT before a loss carries (E[S] - alpha) R packets, not E[S] R
  mended      as last-round, and E[N^2] is not taken as E[N]^2
  half-round  as mended, for losses anywhere in an RTT; alpha R p up to about 0.03";

/// Arguments of `atl model rcp-atl`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RCP)]
pub(crate) struct RcpAtl {
    #[command(flatten)]
    pub path: PathArgs,
    /// Form of eq. 13.
    #[arg(long, value_enum, default_value_t = Form::Published)]
    pub form: Form,
}

/// A path, and parameters of the adaptation.
#[derive(Args, Debug)]
pub(crate) struct PathArgs {
    /// p: end-to-end loss, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// p_w: loss of the wireless link, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, allow_negative_numbers = true)]
    pub pw: Probability,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// d_w: one-way delay of the wireless link (50ms).
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub dw: Span,
    /// beta, between 0 and 1 [default: by d_w: 0.75 below 50ms, 0.80 below 150ms, else 0.85].
    #[arg(long, value_name = "SHARE", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: Option<f64>,
    /// b: data packets per ACK.
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::packets_per_ack, allow_negative_numbers = true)]
    pub b: f64,
    /// n: packets over which p was measured [default: p is exact].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub packets: Option<u64>,
    /// Rate of the access link, an upper bound of T_hat (2Mb/s) [default: no bound].
    #[arg(long, value_name = "RATE", value_parser = values::rate)]
    pub access_rate: Option<Rate>,
    /// Packet size on the wire, headers included; converts packets/s to Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Form of the timeout term of eq. 7.
    #[arg(long, value_enum, default_value_t = Timeouts::Published)]
    pub timeouts: Timeouts,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_THROUGHPUT: &str = "\
Examples:
  atl model throughput --p 0.01 --rtt 100ms                  plain TCP
  atl model throughput --alpha 2.4 --beta 0.8 --p 2% --rtt 120ms

Eq. 7 gives the throughput of a window, eq. 10 that of a rate, both with the same
alpha: eq. 10 uses alpha/R packets per second per RTT.";

/// Arguments of `atl model throughput`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_THROUGHPUT)]
pub(crate) struct Throughput {
    /// alpha: packets added to the window per RTT.
    #[arg(long, value_name = "PACKETS", default_value = "1", value_parser = values::alpha, allow_negative_numbers = true)]
    pub alpha: f64,
    /// beta: share of the window kept after a loss, between 0 and 1.
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: f64,
    /// p: loss, greater than 0, at most 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::some_loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// T_0: initial retransmission timeout [default: 4 R].
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub rto: Option<Span>,
    /// b: data packets per ACK.
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::packets_per_ack, allow_negative_numbers = true)]
    pub b: f64,
    /// Packet size on the wire, headers included; converts packets/s to Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_ARC: &str = "\
Examples:
  atl model arc --p 0.0025 --r 0.25 --q 0.001 --rtt 220ms    bursts of 4 on the wireless link
  atl model arc --p 1% --q 0.1% --rtt 220ms                  independent losses
  atl model arc --pi 1.1% --omega 1% --rtt 220ms             from what was measured

A path has a wireless part (p, r) and a wired part (q, s). Each is in a good or a
bad state, with a transition before every packet, and a packet is lost if either
is bad. Without --r wireless losses are independent (r = 1 - p), and likewise
without --s. A link of a scenario loses packets in this way with
  loss = { wireless = { good-to-bad = 0.0025, bad-to-good = 0.25 }, congestion = 0.001 }
The equations are those of the ARC paper (Akan, Akyildiz).";

/// Arguments of `atl model arc`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_ARC)]
pub(crate) struct Arc {
    /// p: probability per packet that the wireless part turns bad, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "SHARE", value_parser = values::loss, required_unless_present = "pi", conflicts_with_all = ["pi", "omega"], allow_negative_numbers = true)]
    pub p: Option<Probability>,
    /// r: probability per packet that it turns good again [default: 1 - p].
    #[arg(long, value_name = "SHARE", value_parser = values::share, requires = "p", allow_negative_numbers = true)]
    pub r: Option<Probability>,
    /// q: probability per packet that the wired part turns bad.
    #[arg(long, value_name = "SHARE", value_parser = values::loss, required_unless_present = "pi", conflicts_with_all = ["pi", "omega"], allow_negative_numbers = true)]
    pub q: Option<Probability>,
    /// s: probability per packet that it turns good again [default: 1 - q].
    #[arg(long, value_name = "SHARE", value_parser = values::share, requires = "q", allow_negative_numbers = true)]
    pub s: Option<Probability>,
    /// pi: measured end-to-end loss, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, requires = "omega", allow_negative_numbers = true)]
    pub pi: Option<Probability>,
    /// omega: measured loss of the wireless link, at most pi.
    #[arg(long, value_name = "LOSS", value_parser = values::loss, requires = "pi", allow_negative_numbers = true)]
    pub omega: Option<Probability>,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// Packet size on the wire, headers included; converts packets/s to Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_RATE: &str = "\
Examples:
  atl model rate --alpha 30 --beta 0.75 --p 1% --rtt 100ms        eq. 10
  atl model rate --target 2Mb/s --beta 0.75 --p 1% --rtt 100ms    eq. 13

The proof of eq. 10 has two errors (see docs/errata.md). Its forms:
  published   as printed
  last-round  the RTT before a loss carries (E[S] - alpha) R packets, not E[S] R
  mended      as last-round, and E[N^2] is not taken as E[N]^2
  half-round  as mended, for losses anywhere in an RTT
Which form is accurate depends on alpha R p, the expected losses among the
packets by which the rate grows in one RTT (alpha in packets/s per RTT).";

/// Arguments of `atl model rate`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RATE)]
pub(crate) struct RateModel {
    /// alpha R: packets per RTT added to the rate in each RTT.
    #[arg(long, value_name = "PACKETS", default_value = "1", value_parser = values::alpha, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Target throughput: gives the alpha for it by each form of eq. 13.
    #[arg(long, value_name = "RATE", value_parser = values::rate, conflicts_with = "alpha")]
    pub target: Option<Rate>,
    /// beta: share of the rate kept after a loss, between 0 and 1.
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: f64,
    /// p: loss, greater than 0, at most 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::some_loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// Packet size on the wire, headers included; converts packets/s to Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Loss cycles to simulate.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub cycles: u32,
    /// Print one JSON document, with values in base units.
    #[arg(long)]
    pub json: bool,
}

/// Forms of eq. 10 and 13 (see [`RateForm`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Form {
    /// As printed.
    Published,
    /// With the packets of the last RTT corrected.
    LastRound,
    /// With both errors of the proof corrected.
    Mended,
    /// With both corrected, for losses anywhere in an RTT.
    HalfRound,
}

impl From<Form> for RateForm {
    fn from(form: Form) -> RateForm {
        match form {
            Form::Published => RateForm::Published,
            Form::LastRound => RateForm::LastRound,
            Form::Mended => RateForm::Mended,
            Form::HalfRound => RateForm::HalfRound,
        }
    }
}

/// Forms of the timeout term of eq. 7 (see [`TimeoutTerm`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Timeouts {
    /// As printed in the ATL paper; exceeds 1 at high loss.
    Published,
    /// At most 1, as in its source (Padhye et al.).
    Bounded,
}

impl From<Timeouts> for TimeoutTerm {
    fn from(timeouts: Timeouts) -> TimeoutTerm {
        match timeouts {
            Timeouts::Published => TimeoutTerm::Published,
            Timeouts::Bounded => TimeoutTerm::Bounded,
        }
    }
}
