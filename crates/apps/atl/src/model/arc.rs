//! ARC's path model, and ARC's rate on such a path.

use atl_core::model::{Gilbert, PathChain, arc_throughput, congestion_share};
use atl_core::units::Probability;
use serde_json::json;

use super::line::{Line, print};
use crate::args::Arc;
use crate::failure::Failure;
use crate::status::Status;

/// Evaluates `atl model arc`.
///
/// # Errors
/// If there is no congestion loss, so that eq. 21 sets no limit, or standard output cannot be
/// written to.
pub(super) fn arc(args: &Arc) -> Result<Status, Failure> {
    let chain = chain(args);
    let (pi, omega) = match &chain {
        Some(chain) => (chain.loss(), chain.wireless_loss()),
        None => (args.pi.unwrap_or_default(), args.omega.unwrap_or_default()),
    };
    // The chain computes P(I1) directly; eq. 16 would lose digits.
    let p_i1 = match &chain {
        Some(chain) => chain.congestion_loss(),
        None => congestion_share(pi, omega),
    };
    let rate = arc_throughput(p_i1, args.rtt).ok_or_else(|| {
        Failure::Usage(
            "P(I1) = 0: without congestion loss eq. 21 sets no limit; give --q greater than 0, or --pi greater than \
             --omega"
                .to_owned(),
        )
    })?;
    let mut lines = Vec::new();
    let (from_omega, from_pi, from_p_i1) = match &chain {
        Some(chain) => {
            lines.extend(states(chain));
            ("eq. 6", "eq. 4", "eq. 7")
        }
        None => ("--omega", "--pi", "eq. 16"),
    };
    lines.extend([
        Line::bare("omega", "omega = P(S1): loss of the wireless link", omega.get(), from_omega),
        Line::bare("p_i1", "P(I1): congestion loss", p_i1.get(), from_p_i1),
        Line::bare("pi", "pi: end-to-end loss", pi.get(), from_pi),
        Line::rate("rate", "S: ARC's rate", rate, args.packet_size, "eq. 21"),
    ]);
    if let Some(rate) = arc_throughput(pi, args.rtt) {
        let name = "S if all losses were congestion losses";
        lines.push(Line::rate("rate_unsplit", name, rate, args.packet_size, "eq. 21, omega = 0"));
    }
    let value = |p: Option<Probability>| p.map(Probability::get);
    let inputs = json!({
        "p": chain.map(|c| c.wireless.to_bad.get()),
        "r": chain.map(|c| c.wireless.to_good.get()),
        "q": chain.map(|c| c.congestion.to_bad.get()),
        "s": chain.map(|c| c.congestion.to_good.get()),
        "pi": value(args.pi),
        "omega": value(args.omega),
        "rtt_s": args.rtt.secs(),
        "packet_bytes": args.packet_size,
    });
    print("arc", &inputs, &lines, &[], args.json)
}

/// The chains, if their probabilities are given.
fn chain(args: &Arc) -> Option<PathChain> {
    let gilbert = |to_bad: Probability, to_good: Option<Probability>| match to_good {
        Some(to_good) => Gilbert { to_bad, to_good },
        None => Gilbert::independent(to_bad),
    };
    Some(PathChain { wireless: gilbert(args.p?, args.r), congestion: gilbert(args.q?, args.s) })
}

/// Probabilities of the chains' states.
fn states(chain: &PathChain) -> Vec<Line> {
    let keys = [
        ("p_s0_i0", "P(S0 I0): a packet arrives"),
        ("p_s1_i0", "P(S1 I0): the wireless link is bad"),
        ("p_s0_i1", "P(S0 I1): the path is congested"),
        ("p_s1_i1", "P(S1 I1): both"),
    ];
    let states = keys.into_iter().zip(chain.stationary());
    let mut lines: Vec<Line> =
        states.map(|((key, name), value)| Line::bare(key, name, value, "eq. 3, steady")).collect();
    let bursts = [
        ("wireless_burst", "1/r: mean burst of wireless losses, in packets", chain.wireless),
        ("congestion_burst", "1/s: mean burst of congestion losses, in packets", chain.congestion),
    ];
    lines.extend(
        bursts.map(|(key, name, part)| Line::bare(key, name, part.mean_burst(), "eq. 1, 2")),
    );
    lines
}
