//! Throughput of a rate-based AIMD sender and the alpha that reaches one.
//!
//! Source: ATL paper, sec. III-C and appendix: eq. 10 (= 29), 13 and 28. alpha is in packets per
//! second that the rate gains in each round-trip time: "alpha = 1 packet" is alpha = 1/R here. The
//! proof of eq. 10 has two faults; [`RateForm`] has the forms with one or both mended.

use super::rate_form::RateForm;
use super::{Aimd, is_beta, positive, sqrt_1p_m1};
use crate::time::Span;
use crate::units::Probability;

/// q = 1/(p R): packets per second that pass while one packet in a round-trip time is lost.
fn q(p: Probability, rtt: Span) -> Option<f64> {
    positive(1.0 / (p.get() * rtt.secs()))
}

/// ATL paper, eq. 10 (= 29) in the chosen form: packets per second under loss `p` and round-trip
/// time `rtt`.
///
/// `None` where the model sets no limit (p = 0 or R = 0), where the form does not hold (see
/// [`RateForm`]) and for AIMD parameters out of range.
pub fn rate_throughput(form: RateForm, aimd: Aimd, p: Probability, rtt: Span) -> Option<f64> {
    let Aimd { alpha, beta } = aimd;
    if positive(alpha).is_none() || !is_beta(beta) {
        return None;
    }
    form.throughput(alpha, beta, q(p, rtt)?)
}

/// ATL paper, eq. 13 in the chosen form: the alpha, in packets per second per round-trip time, with
/// which a sender under `beta` gets `target` packets per second.
///
/// `None` at p = 0, R = 0, for inputs out of range and where the form holds for no such alpha.
pub fn rate_alpha(
    form: RateForm,
    beta: f64,
    target: f64,
    p: Probability,
    rtt: Span,
) -> Option<f64> {
    if positive(target).is_none() || !is_beta(beta) {
        return None;
    }
    let q = q(p, rtt)?;
    let sum = positive(target + q)?;
    // A share of the sum instead of squares of rates, which overflow first.
    let share = target / sum;
    match form {
        RateForm::Published => {
            let x = 8.0 * (1.0 - beta) * share * share / ((1.0 + beta) * (1.0 + beta));
            positive(0.5 * (1.0 + beta) * sum * sqrt_1p_m1(x))
        }
        RateForm::LastRound => {
            // The smaller root of beta a^2 - (1 + beta)(T + q) a + 2 (1 - beta) T^2 = 0.
            let root = (1.0 + beta) * (1.0 + beta) - 8.0 * beta * (1.0 - beta) * share * share;
            let root = root.max(0.0).sqrt();
            positive(4.0 * (1.0 - beta) * share * target / (1.0 + beta + root))
        }
        RateForm::Mended | RateForm::HalfRound => form.solve_alpha(beta, target, q),
    }
}

/// ATL paper, eq. 28: E\[N\], round-trip times from one loss to the next, of the published model.
/// `None` as in [`rate_throughput`].
pub fn rate_loss_cycle(aimd: Aimd, p: Probability, rtt: Span) -> Option<f64> {
    let Aimd { alpha, beta } = aimd;
    if positive(alpha).is_none() || !is_beta(beta) {
        return None;
    }
    let lead = 3.0 - beta;
    let x = 8.0 * (1.0 - beta * beta) * q(p, rtt)? / (alpha * lead * lead);
    positive(lead / (2.0 * (1.0 + beta)) * (1.0 + (1.0 + x).sqrt()))
}
