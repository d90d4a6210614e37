//! The published form of eq. 10 of the ATL paper, and the forms with its proof mended.

use super::positive;

/// Which form of eq. 10 (= 29).
///
/// The proof has two faults. (1) Eq. 26 gives the last round-trip time `E[S] R` packets; by eq. 21 it carries
/// `(E[S] - alpha) R`. (2) Eq. 24 to 25 replaces `E[N^2]` by `E[N]^2` and takes N and S for independent;
/// `N = (S' - beta S) / alpha` needs no independence, and `E[S^2] = (1 + c^2) E[S]^2` with
/// `c^2 = (1 - beta^2) / (4 (1 + beta^2))`.
///
/// Against the process that the paper itself describes the published form errs by -5.5, +9 and +46 % at
/// `alpha R p` = 0.003, 0.3 and 3 (beta = 0.5), the mended one by +1, +2 and -7 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RateForm {
    /// As printed; its inverse is eq. 13.
    #[default]
    Published,
    /// Fault 1 mended.
    LastRound,
    /// Both faults mended. Holds while `alpha R p` is at most 10.6, 22 and 43 for beta = 0.5, 0.75 and 0.85;
    /// beyond it the quadratic has no real root.
    Mended,
    /// Both mended, for a sender that loses anywhere in a round-trip time and slows down one later. Within
    /// 2 % while `alpha R p` is at most 0.03; refused from 1 on.
    HalfRound,
}

/// The larger root of `k x^2 / 2 - b x + c = 0`.
fn larger_root(k: f64, b: f64, c: f64) -> Option<f64> {
    let square = b * b - 2.0 * k * c;
    (square >= 0.0).then(|| (b + square.sqrt()) / k)
}

impl RateForm {
    /// T from alpha, beta (in range) and q = 1/(pR).
    pub(super) fn throughput(self, alpha: f64, beta: f64, q: f64) -> Option<f64> {
        let rest = 1.0 - beta;
        let one_minus_sq = 1.0 - beta * beta;
        let k = one_minus_sq * (1.0 + one_minus_sq / (4.0 * (1.0 + beta * beta)));
        let simple = |lead: f64| {
            let root = (lead * lead + 8.0 * one_minus_sq * q / alpha).sqrt();
            positive(alpha / (4.0 * rest) * (1.0 + beta + root))
        };
        match self {
            RateForm::Published => simple(3.0 - beta),
            RateForm::LastRound => simple(1.0 - 3.0 * beta),
            RateForm::Mended => {
                let x = larger_root(k, 0.5 * (3.0 - beta), 1.0 - q / alpha)?;
                positive((q + alpha * (x - 1.0)) / (rest * x))
            }
            RateForm::HalfRound => {
                if alpha >= q {
                    return None;
                }
                let x = larger_root(k, 1.0 - 0.5 * beta, 0.5 - q / alpha)?;
                positive((q + alpha * (x - 0.5)) / (rest * x + 0.5))
            }
        }
    }

    /// alpha from T by bisection: T grows with alpha, from 0 at alpha = 0. Gives `None` where the target
    /// lies beyond the form's range.
    pub(super) fn solve_alpha(self, beta: f64, target: f64, q: f64) -> Option<f64> {
        // T is above 0.6 alpha in every form, so alpha lies below 2 T.
        let (mut low, mut high) = (0.0, positive(2.0 * target)?);
        for _ in 0..200 {
            let middle = 0.5 * (low + high);
            match self.throughput(middle, beta, q) {
                Some(t) if t < target => low = middle,
                _ => high = middle,
            }
        }
        let reached = self.throughput(low, beta, q)?;
        ((reached - target).abs() <= 1e-9 * target).then_some(low).and_then(positive)
    }
}
