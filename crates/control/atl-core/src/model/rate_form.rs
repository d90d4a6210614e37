//! The published form of eq. 10 of the ATL paper, and the forms with its proof mended.

use super::positive;

/// A form of the ATL paper's eq. 10 (= 29).
///
/// The proof has two faults. (1) Eq. 26 gives the last round-trip time `E[S] R` packets; by eq. 21
/// it carries `(E[S] - alpha) R`. (2) Eq. 24 to 25 replaces `E[N^2]` by `E[N]^2` and takes N and S
/// for independent; `N = (S' - beta S) / alpha` needs no independence, and `E[S^2] = (1 + c^2)
/// E[S]^2` with `c^2 = (1 - beta^2) / (4 (1 + beta^2))`.
///
/// Against the process that the paper itself describes ([`LossCycles`](super::LossCycles)) the
/// published form errs by -5.5, +9 and +46 % at `alpha R p` = 0.003, 0.3 and 3 (beta = 0.5), the
/// mended one by +1, +2 and -7 %.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum RateForm {
    /// As printed; its inverse is the ATL paper's eq. 13.
    #[default]
    Published,
    /// Fault 1 mended. Within 1 % where losses are many, `alpha R p` at least 1; 2 to 6 % too low
    /// where they are few.
    LastRound,
    /// Both faults mended. Within 3 % while `alpha R p` is at most 1. For beta below 0.595 the
    /// quadratic has no real root from a certain `alpha R p` on, 10.6 for beta = 0.5
    /// ([`limit`](RateForm::limit)).
    Mended,
    /// Both mended, for a sender that loses anywhere in a round-trip time and slows down one later.
    /// Within 2 % while `alpha R p` is at most 0.03; refused from 1 on.
    HalfRound,
}

/// K = (1 - beta^2)(1 + c^2).
fn k(beta: f64) -> f64 {
    let one_minus_sq = 1.0 - beta * beta;
    one_minus_sq * (1.0 + one_minus_sq / (4.0 * (1.0 + beta * beta)))
}

/// The larger root of `k x^2 / 2 - b x + c = 0`.
fn larger_root(k: f64, b: f64, c: f64) -> Option<f64> {
    let square = b * b - 2.0 * k * c;
    (square >= 0.0).then(|| (b + square.sqrt()) / k)
}

impl RateForm {
    /// All forms, the published one first.
    pub const ALL: [RateForm; 4] =
        [RateForm::Published, RateForm::LastRound, RateForm::Mended, RateForm::HalfRound];

    /// Name, as it is serialized: `half-round`.
    pub const fn name(self) -> &'static str {
        match self {
            RateForm::Published => "published",
            RateForm::LastRound => "last-round",
            RateForm::Mended => "mended",
            RateForm::HalfRound => "half-round",
        }
    }

    /// The `alpha R p` from which on the form has no answer; infinite where it always has one.
    pub fn limit(self, beta: f64) -> f64 {
        match self {
            RateForm::Published | RateForm::LastRound => f64::INFINITY,
            RateForm::Mended => {
                // Where the root's square is 0: (3 - beta)^2 / 4 = 2 K (1 - 1 / (alpha R p)).
                let square = 0.25 * (3.0 - beta) * (3.0 - beta);
                let twice_k = 2.0 * k(beta);
                if twice_k > square { twice_k / (twice_k - square) } else { f64::INFINITY }
            }
            RateForm::HalfRound => 1.0,
        }
    }

    /// T from alpha, beta (in range) and q = 1/(pR).
    pub(super) fn throughput(self, alpha: f64, beta: f64, q: f64) -> Option<f64> {
        let rest = 1.0 - beta;
        let one_minus_sq = 1.0 - beta * beta;
        let k = k(beta);
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

    /// alpha from T by bisection: the smaller one where two have the same T. Gives `None` where the
    /// target lies beyond the form's range.
    pub(super) fn solve_alpha(self, beta: f64, target: f64, q: f64) -> Option<f64> {
        // Where the form has no peak T is above 0.6 alpha, so alpha lies below 2 T.
        let (mut low, mut high) = (0.0, self.peak(beta, q).unwrap_or(positive(2.0 * target)?));
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

    /// The alpha up to which T grows with alpha, from 0 at alpha = 0. Close to its
    /// [`limit`](RateForm::limit), above 0.84 to 1 of it, the mended form falls again. `None` where
    /// T grows throughout, as in the other forms.
    fn peak(self, beta: f64, q: f64) -> Option<f64> {
        /// The golden ratio less 1.
        const GOLDEN: f64 = 0.618_033_988_749_894_8;
        let limit = self.limit(beta) * q;
        if self != RateForm::Mended || !limit.is_finite() {
            return None;
        }
        // Golden-section search for the only maximum; at the limit itself rounding may leave no
        // root.
        let t = |alpha: f64| self.throughput(alpha, beta, q).unwrap_or(0.0);
        let (mut low, mut high) = (0.0, limit);
        for _ in 0..100 {
            let (left, right) = (high - GOLDEN * (high - low), low + GOLDEN * (high - low));
            if t(left) < t(right) {
                low = left;
            } else {
                high = right;
            }
        }
        Some(0.5 * (low + high))
    }
}
