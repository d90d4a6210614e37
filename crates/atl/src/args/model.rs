//! Arguments of `atl model`.

use atl_core::model::{RateForm, TimeoutTerm};
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use clap::{Args, Subcommand, ValueEnum};

use super::{AalT, Fading, values};

/// What to evaluate.
#[derive(Debug, Subcommand)]
pub enum ModelOf {
    /// What TCP-ATL decides on a path: its loss and RTT split, T, alpha and beta (eq. 5, 6, 7, 9).
    TcpAtl(TcpAtl),
    /// What RCP-ATL decides on a path: the same with eq. 13 for alpha.
    RcpAtl(RcpAtl),
    /// What an AIMD sender gets: eq. 7 (a window) and eq. 10 (a rate), in all their forms.
    Throughput(Throughput),
    /// ARC's path model and rate: pi, omega and P(I1) from the two chains (eq. 1 to 7, 16), the rate by eq. 21.
    Arc(Arc),
    /// The forms of eq. 10 and of its inverse, eq. 13, side by side, with their errors.
    Rate(RateModel),
    /// AAL-T against TCP over AAL5: payload length, cells that arrive, both efficiencies (eq. 2 to 9).
    AalT(AalT),
    /// A fading channel: its error ratios, its fades, and its two-state approximation.
    Fading(Fading),
}

const AFTER_TCP: &str = "\
Examples:
  atl model tcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms
  atl model tcp-atl --p 1% --pw 1% --rtt 400ms --dw 150ms --packets 500
  atl model tcp-atl --p 2% --pw 2% --rtt 120ms --dw 50ms --access-rate 2Mb/s

--p and --pw count packets, not loss events. Measured values scatter: with
--packets, the number of packets that they were measured over, p_c does not fall
below 1/(n+1), as in the protocol itself; without it p and p_w are exact.
T_hat is what a TCP sender on the wired part of the path gets.
The equations are those of the ATL paper (Akan, Akyildiz).";

/// Arguments of `atl model tcp-atl`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_TCP)]
pub struct TcpAtl {
    #[command(flatten)]
    pub path: PathArgs,
}

const AFTER_RCP: &str = "\
Examples:
  atl model rcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms
  atl model rcp-atl --p 0.02 --pw 0.015 --rtt 120ms --dw 50ms --form mended

alpha is in packets per second that the rate gains in each RTT.

Forms of eq. 10 and 13:
  published   as printed
  last-round  the RTT before a loss carries (E[S] - alpha) R packets, not E[S] R
  mended      that, and E[N^2] is not taken for E[N]^2
  half-round  both, for losses anywhere in an RTT; for alpha R p up to about 0.03";

/// Arguments of `atl model rcp-atl`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RCP)]
pub struct RcpAtl {
    #[command(flatten)]
    pub path: PathArgs,
    /// Form of eq. 13.
    #[arg(long, value_enum, default_value_t = Form::Published)]
    pub form: Form,
}

/// A path, and what the adaptation is told beside it.
#[derive(Args, Debug)]
pub struct PathArgs {
    /// p: loss from end to end, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// p_w: loss of the wireless link, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, allow_negative_numbers = true)]
    pub pw: Probability,
    /// R: round-trip time from end to end (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// d_w: one-way delay of the wireless link (50ms).
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub dw: Span,
    /// beta, between 0 and 1 [default: by d_w: 0.75 below 50ms, 0.80 below 150ms, 0.85 from there on].
    #[arg(long, value_name = "SHARE", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: Option<f64>,
    /// b: data packets that one ACK acknowledges.
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::packets_per_ack, allow_negative_numbers = true)]
    pub b: f64,
    /// n: packets that p was measured over [default: p is exact].
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..))]
    pub packets: Option<u64>,
    /// Rate of the access link, the most that T_hat may be (2Mb/s) [default: no limit].
    #[arg(long, value_name = "RATE", value_parser = values::rate)]
    pub access_rate: Option<Rate>,
    /// Bytes of a packet on the wire, headers included: how packets/s become Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Timeout term of eq. 7.
    #[arg(long, value_enum, default_value_t = Timeouts::Published)]
    pub timeouts: Timeouts,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_THROUGHPUT: &str = "\
Examples:
  atl model throughput --p 0.01 --rtt 100ms                  plain TCP
  atl model throughput --alpha 2.4 --beta 0.8 --p 2% --rtt 120ms

Eq. 7 is a window's throughput, eq. 10 a rate's, both with the same alpha: in
eq. 10 it is alpha/R packets per second per RTT.";

/// Arguments of `atl model throughput`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_THROUGHPUT)]
pub struct Throughput {
    /// alpha: packets that the window gains in an RTT.
    #[arg(long, value_name = "PACKETS", default_value = "1", value_parser = values::alpha, allow_negative_numbers = true)]
    pub alpha: f64,
    /// beta: share of the window that stays after a loss, between 0 and 1.
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: f64,
    /// p: loss, above 0, up to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::some_loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// T_0: first retransmission timeout [default: 4 R].
    #[arg(long, value_name = "TIME", value_parser = values::time)]
    pub rto: Option<Span>,
    /// b: data packets that one ACK acknowledges.
    #[arg(long, value_name = "N", default_value = "1", value_parser = values::packets_per_ack, allow_negative_numbers = true)]
    pub b: f64,
    /// Bytes of a packet on the wire, headers included: how packets/s become Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_ARC: &str = "\
Examples:
  atl model arc --p 0.0025 --r 0.25 --q 0.001 --rtt 220ms    bursts of 4 on the wireless link
  atl model arc --p 1% --q 0.1% --rtt 220ms                  independent losses
  atl model arc --pi 1.1% --omega 1% --rtt 220ms             from what was measured

A path has a wireless part (p, r) and a wired one (q, s); each is good or bad,
with a transition before every packet, and a packet is lost where one is bad.
Without --r the wireless losses are independent: r = 1 - p; so for --s and q.
A scenario's link loses packets so with
  loss = { wireless = { good-to-bad = 0.0025, bad-to-good = 0.25 }, congestion = 0.001 }
The equations are those of the ARC paper (Akan, Akyildiz).";

/// Arguments of `atl model arc`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_ARC)]
pub struct Arc {
    /// p: probability that the wireless link goes from good to bad at a packet, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "SHARE", value_parser = values::loss, required_unless_present = "pi", conflicts_with_all = ["pi", "omega"], allow_negative_numbers = true)]
    pub p: Option<Probability>,
    /// r: probability that it goes from bad to good [default: 1 - p].
    #[arg(long, value_name = "SHARE", value_parser = values::share, requires = "p", allow_negative_numbers = true)]
    pub r: Option<Probability>,
    /// q: probability that the wired part goes from good to bad.
    #[arg(long, value_name = "SHARE", value_parser = values::loss, required_unless_present = "pi", conflicts_with_all = ["pi", "omega"], allow_negative_numbers = true)]
    pub q: Option<Probability>,
    /// s: probability that it goes from bad to good [default: 1 - q].
    #[arg(long, value_name = "SHARE", value_parser = values::share, requires = "q", allow_negative_numbers = true)]
    pub s: Option<Probability>,
    /// pi: measured loss of the whole path, from 0 to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::loss, requires = "omega", allow_negative_numbers = true)]
    pub pi: Option<Probability>,
    /// omega: measured loss of the wireless link, at most pi.
    #[arg(long, value_name = "LOSS", value_parser = values::loss, requires = "pi", allow_negative_numbers = true)]
    pub omega: Option<Probability>,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// Bytes of a packet on the wire, headers included: how packets/s become Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}

const AFTER_RATE: &str = "\
Examples:
  atl model rate --alpha 30 --beta 0.75 --p 1% --rtt 100ms        eq. 10
  atl model rate --target 2Mb/s --beta 0.75 --p 1% --rtt 100ms    eq. 13

The proof of eq. 10 has two faults. Its forms:
  published   as printed
  last-round  the RTT before a loss carries (E[S] - alpha) R packets, not E[S] R
  mended      that, and E[N^2] is not taken for E[N]^2
  half-round  both, for a sender that loses anywhere in an RTT
Which is near depends on alpha R p, with alpha in packets/s per RTT: the losses
in the packets that a rate gains in an RTT.";

/// Arguments of `atl model rate`.
#[derive(Args, Debug)]
#[command(after_help = AFTER_RATE)]
pub struct RateModel {
    /// alpha R: packets per RTT that the rate gains in one.
    #[arg(long, value_name = "PACKETS", default_value = "1", value_parser = values::alpha, allow_negative_numbers = true)]
    pub alpha: f64,
    /// Throughput to be reached: gives the alpha that each form of eq. 13 takes for it.
    #[arg(long, value_name = "RATE", value_parser = values::rate, conflicts_with = "alpha")]
    pub target: Option<Rate>,
    /// beta: share of the rate that stays after a loss, between 0 and 1.
    #[arg(long, value_name = "SHARE", default_value = "0.5", value_parser = values::beta, allow_negative_numbers = true)]
    pub beta: f64,
    /// p: loss, above 0, up to 0.99 (or 2%).
    #[arg(long, value_name = "LOSS", value_parser = values::some_loss, allow_negative_numbers = true)]
    pub p: Probability,
    /// R: round-trip time (120ms).
    #[arg(long, value_name = "TIME", value_parser = values::some_time)]
    pub rtt: Span,
    /// Bytes of a packet on the wire, headers included: how packets/s become Mb/s.
    #[arg(long, value_name = "BYTES", default_value = "1040", value_parser = values::packet_size)]
    pub packet_size: u32,
    /// Loss cycles to simulate.
    #[arg(long, value_name = "N", default_value_t = 200_000, value_parser = clap::value_parser!(u32).range(1..=100_000_000))]
    pub cycles: u32,
    /// Print one JSON document, values in base units.
    #[arg(long)]
    pub json: bool,
}

/// Forms of eq. 10 and 13 (see [`RateForm`]).
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Form {
    /// As printed.
    Published,
    /// The packets of the last RTT mended.
    LastRound,
    /// Both faults of the proof mended.
    Mended,
    /// Both mended, for losses anywhere in an RTT.
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
pub enum Timeouts {
    /// As the ATL paper prints it: above 1 where loss is high.
    Published,
    /// At most 1, as in the paper that it comes from.
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
