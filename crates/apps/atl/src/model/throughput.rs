//! Throughput of an AIMD sender.

use atl_core::model::{RateForm, TcpModel, TimeoutTerm, arc_throughput, rate_throughput};
use atl_core::window::Aimd;
use serde_json::json;

use super::line::{Line, packets_per_second, print};
use crate::args::Throughput;
use crate::failure::Failure;
use crate::status::Status;

/// Evaluates `atl model throughput`.
///
/// # Errors
/// If standard output cannot be written to.
pub(super) fn throughput(args: &Throughput) -> Result<Status, Failure> {
    let Throughput { p, rtt, b, .. } = *args;
    let rto = args.rto.unwrap_or(rtt * 4);
    let window = Aimd { alpha: args.alpha, beta: args.beta };
    // In eq. 10, alpha is in packets per second.
    let rate = Aimd { alpha: args.alpha / rtt.secs(), beta: args.beta };
    let tcp = |timeouts| TcpModel { b, timeouts }.throughput(window, p, rtt, rto);
    let rcp = |form| rate_throughput(form, rate, p, rtt);
    let mut answers = vec![
        ("eq7_published", "window", tcp(TimeoutTerm::Published), "eq. 7, as printed"),
        ("eq7_bounded", "window", tcp(TimeoutTerm::Bounded), "eq. 7, timeout term at most 1"),
        ("eq10_published", "rate", rcp(RateForm::Published), "eq. 10, as printed"),
        ("eq10_last_round", "rate", rcp(RateForm::LastRound), "eq. 10, last-round"),
        ("eq10_mended", "rate", rcp(RateForm::Mended), "eq. 10, mended"),
        ("eq10_half_round", "rate", rcp(RateForm::HalfRound), "eq. 10, half-round"),
    ];
    if window == Aimd::TCP {
        let arc = arc_throughput(p, rtt);
        answers.push(("arc_eq21", "ARC's rate", arc, "ARC, eq. 21"));
    }
    let lines = answers.into_iter().map(|(key, name, value, equation)| Line {
        key,
        name,
        value,
        unit: "packets/s",
        shown: value.map_or_else(
            || "not valid: alpha R p is too large".to_owned(),
            |rate| packets_per_second(rate, args.packet_size),
        ),
        equation: equation.to_owned(),
    });
    let inputs = json!({
        "alpha": args.alpha,
        "beta": args.beta,
        "p": p.get(),
        "rtt_s": rtt.secs(),
        "rto_s": rto.secs(),
        "b": b,
        "packet_bytes": args.packet_size,
    });
    print("throughput", &inputs, &lines.collect::<Vec<_>>(), &[], args.json)
}
