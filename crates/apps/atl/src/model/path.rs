//! Adaptation of TCP-ATL and RCP-ATL to a path.

use atl_core::model::{Adaptation, AtlInput, RateForm, TcpModel, TimeoutTerm};
use atl_core::path::{LinkReport, PathSplit, SplitRules};
use atl_core::units::Probability;
use atl_core::window::Aimd;
use atl_report::quantity::number;
use serde_json::{Value, json};

use super::line::{Line, print};
use crate::args::{PathArgs, RcpAtl, TcpAtl};
use crate::failure::Failure;
use crate::status::Status;

/// Evaluates `atl model tcp-atl`.
///
/// # Errors
/// If the values contradict each other, or the equations have no solution for them.
pub(super) fn tcp_atl(args: &TcpAtl) -> Result<Status, Failure> {
    let path = &args.path;
    let split = split(path)?;
    let decided = input(path).tcp(split).ok_or_else(|| unlimited(path, &split, "eq. 9"))?;
    let mut lines = steps(path, &decided);
    let plain = decided.aimd == Aimd::TCP && split.wireless.is_none() && path.beta.is_none();
    let alpha = decided.aimd.alpha;
    let from = if plain { "sec. IV-A: no wireless link" } else { "eq. 9" };
    let shown = format!("{} packets per RTT", number(alpha));
    lines.push(Line::of(
        "alpha",
        "alpha: increase of the window",
        alpha,
        "packets/RTT",
        shown,
        from,
    ));
    print("tcp-atl", &inputs(path), &lines, &notes(path, &split), path.json)
}

/// Evaluates `atl model rcp-atl`.
///
/// # Errors
/// If the values contradict each other, or the equations have no solution for them.
pub(super) fn rcp_atl(args: &RcpAtl) -> Result<Status, Failure> {
    let path = &args.path;
    let form = RateForm::from(args.form);
    let split = split(path)?;
    let decided = input(path).rcp(split, form).ok_or_else(|| {
        let answered = form != RateForm::Published && input(path).rcp(split, RateForm::Published).is_some();
        if answered {
            let name = form.name();
            Failure::Usage(format!(
                "--form {name} is not valid on this path: alpha R p is outside its range; use --form published"
            ))
        } else {
            unlimited(path, &split, "eq. 13")
        }
    })?;
    let mut lines = steps(path, &decided);
    let alpha = decided.aimd.alpha;
    let shown = format!("{} packets/s per RTT", number(alpha));
    let from = format!("eq. 13, form {}", form.name());
    lines.push(Line::of(
        "alpha",
        "alpha: increase of the rate",
        alpha,
        "packets/s/RTT",
        shown,
        &from,
    ));
    let per_rtt = alpha * split.rtt.secs();
    let name = "alpha R: increase per RTT, as of a window";
    let shown = format!("{} packets per RTT", number(per_rtt));
    lines.push(Line::of("alpha_window", name, per_rtt, "packets/RTT", shown, "eq. 10"));
    let mut inputs = inputs(path);
    inputs["form"] = json!(form.name());
    print("rcp-atl", &inputs, &lines, &notes(path, &split), path.json)
}

fn input(args: &PathArgs) -> AtlInput {
    AtlInput {
        model: TcpModel { b: args.b, timeouts: TimeoutTerm::from(args.timeouts) },
        beta: args.beta,
        cap: cap(args),
    }
}

/// Rate of the access link in packets per second.
fn cap(args: &PathArgs) -> Option<f64> {
    args.access_rate.map(|rate| rate.packets_per_sec(args.packet_size))
}

/// Splits the path. Exact values that contradict each other are an error; measured ones are bounded
/// as in the protocol.
fn split(args: &PathArgs) -> Result<PathSplit, Failure> {
    if args.dw * 2 >= args.rtt {
        return Err(Failure::Usage(format!(
            "--dw {} does not fit --rtt {}: the RTT includes d_w twice, so d_w must be smaller than {}",
            args.dw,
            args.rtt,
            args.rtt / 2
        )));
    }
    if args.pw > args.p && args.packets.is_none() {
        return Err(Failure::Usage(format!(
            "--pw {} is larger than --p {}: end-to-end loss includes the loss of the wireless link; for measured values, \
             which scatter, give --packets, the number of packets measured",
            args.pw, args.p
        )));
    }
    let wireless = LinkReport { loss: args.pw, delay: args.dw };
    let rules = SplitRules { packets: args.packets, ..SplitRules::default() };
    Ok(PathSplit::new(args.p, args.rtt, wireless, rules))
}

/// The message for values without a solution.
fn unlimited(args: &PathArgs, split: &PathSplit, equation: &str) -> Failure {
    let packets =
        "--packets (the number of packets over which p was measured; p_c is then at least 1/(n+1))";
    Failure::Usage(if split.loss == Probability::ZERO {
        format!("--p 0: {equation} has no alpha without losses; give a loss, or {packets}")
    } else if split.congestion_loss == Probability::ZERO && args.access_rate.is_none() {
        format!(
            "with --p {} and --pw {}, p_c = 0 and eq. 7 sets no limit; give --access-rate, or {packets}",
            args.p, args.pw
        )
    } else {
        format!("{equation} has no finite solution for these values")
    })
}

/// All steps up to beta.
fn steps(args: &PathArgs, decided: &Adaptation) -> Vec<Line> {
    let split = &decided.split;
    let floored =
        args.packets.is_some_and(|n| split.congestion_loss.get() <= 1.0 / (n as f64 + 1.0));
    let bytes = args.packet_size;
    let from_p_c = if floored { "eq. 5, at least 1/(n+1)" } else { "eq. 5" };
    let mut lines = vec![
        Line::bare("p_c", "p_c: congestion loss", split.congestion_loss.get(), from_p_c),
        Line::bare("p", "p: end-to-end loss", split.loss.get(), "eq. 2, from p_w and p_c"),
        Line::time(
            "r_c_s",
            "R_c: RTT without the wireless link",
            split.congestion_rtt.secs(),
            "eq. 6",
        ),
    ];
    let model = input(args).model;
    let rto = split.congestion_rtt * 4;
    let fair = model.throughput(Aimd::TCP, split.congestion_loss, split.congestion_rtt, rto);
    if let Some(fair) = fair {
        let name = "T: TCP throughput on the wired part";
        lines.push(Line::rate("t", name, fair, bytes, "eq. 7 with p_c, R_c, T_0c = 4 R_c"));
    }
    if let Some(cap) = cap(args) {
        let name = "T_hat: T, at most the access link's rate";
        let from = if decided.target < cap { "T" } else { "--access-rate" };
        lines.push(Line::rate("t_hat", name, decided.target, bytes, from));
    }
    let now = model.throughput(Aimd::TCP, split.loss, split.rtt, split.rtt * 4);
    if let Some(now) = now {
        let name = "TCP throughput on the whole path, for comparison";
        lines.push(Line::rate("t_tcp", name, now, bytes, "eq. 7 with p, R, T_0 = 4 R"));
    }
    let from = match args.beta {
        Some(_) => "--beta",
        None if split.wireless.is_none() => "sec. IV-A: no wireless link",
        None if args.dw.is_zero() => "as TCP: no class for d_w = 0",
        None => "sec. IV-A, by d_w",
    };
    let beta = decided.aimd.beta;
    lines.push(Line::bare("beta", "beta: share kept after a loss", beta, from));
    lines
}

fn notes(args: &PathArgs, split: &PathSplit) -> Vec<&'static str> {
    let mut notes = Vec::new();
    if split.congestion_rtt.secs() < 0.005 {
        notes.push("R_c is below 5 ms. T grows with 1/R_c, so it means little here.");
    }
    if args.pw.get() > 0.0 && args.dw.is_zero() && args.beta.is_none() {
        notes.push(
            "The paper's classes of beta start above d_w = 0, so beta is TCP's. Use --beta to set another.",
        );
    }
    notes
}

fn inputs(args: &PathArgs) -> Value {
    json!({
        "p": args.p.get(),
        "p_w": args.pw.get(),
        "rtt_s": args.rtt.secs(),
        "d_w_s": args.dw.secs(),
        "beta": args.beta,
        "b": args.b,
        "packets": args.packets,
        "access_rate_bps": args.access_rate.map(|r| r.bps()),
        "packet_bytes": args.packet_size,
    })
}
