//! Throughput of a TCP sender under AIMD (ATL paper, eq. 7) and the alpha that reaches one (eq. 9).
//!
//! Source: ATL paper, sec. III-B; eq. 7 is Yang and Lam's form (2000) of Padhye et al. (1998,
//! 2000), whose timeout term holds `min(1, 3 sqrt(..))`. The ATL paper drops the `min`; both are
//! offered, see [`TimeoutTerm`].

use super::{Aimd, is_beta, positive};
use crate::time::Span;
use crate::units::Probability;

/// The weight of timeouts in the ATL paper's eq. 7.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum TimeoutTerm {
    /// `3 sqrt((1 - beta^2) b p / (2 alpha))`, as the ATL paper prints it: above 1 where loss is
    /// high.
    #[default]
    Published,
    /// The same, at most 1: it stands for a probability (Padhye et al.).
    Bounded,
}

/// ATL paper, eq. 7, with its parameters besides those of the path and of AIMD.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct TcpModel {
    /// b: data packets that one ACK acknowledges, at least 1.
    pub b: f64,
    /// Form of the timeout term.
    pub timeouts: TimeoutTerm,
}

impl Default for TcpModel {
    /// One ACK for each packet, and the timeout term as printed.
    fn default() -> Self {
        TcpModel { b: 1.0, timeouts: TimeoutTerm::Published }
    }
}

/// `p (1 + 32 p^2)` of the ATL paper's eq. 7.
fn backed_off(p: f64) -> f64 {
    p * (1.0 + 32.0 * p * p)
}

impl TcpModel {
    fn b(&self) -> f64 {
        // `max` turns NaN into 1.
        self.b.max(1.0)
    }

    /// ATL paper, eq. 7: packets per second, for loss `p`, round-trip time `rtt` and initial
    /// timeout `rto` (T_0).
    ///
    /// `None` where the model sets no limit (p = 0, or no round-trip time and no timeout) and for
    /// AIMD parameters out of range (alpha not positive, beta not between 0 and 1).
    pub fn throughput(&self, aimd: Aimd, p: Probability, rtt: Span, rto: Span) -> Option<f64> {
        let Aimd { alpha, beta } = aimd;
        if positive(alpha).is_none() || !is_beta(beta) {
            return None;
        }
        let (b, p) = (self.b(), p.get());
        let per_loss = rtt.secs() * (2.0 * b * (1.0 - beta) * p / (alpha * (1.0 + beta))).sqrt();
        let timeout = 3.0 * ((1.0 - beta * beta) * b * p / (2.0 * alpha)).sqrt();
        let timeout = match self.timeouts {
            TimeoutTerm::Published => timeout,
            TimeoutTerm::Bounded => timeout.min(1.0),
        };
        positive(1.0 / (per_loss + rto.secs() * timeout * backed_off(p)))
    }

    /// ATL paper, eq. 9: the alpha with which a sender under `beta` gets `target` packets per
    /// second.
    ///
    /// With the bounded timeout term eq. 8 has a second branch, for small alpha, where the term
    /// is 1. `None` at p = 0, without a round-trip time, and for a target or beta out of range.
    pub fn alpha(
        &self,
        beta: f64,
        target: f64,
        p: Probability,
        rtt: Span,
        rto: Span,
    ) -> Option<f64> {
        if positive(target).is_none() || !is_beta(beta) {
            return None;
        }
        let (b, p, r, t0) = (self.b(), p.get(), rtt.secs(), rto.secs());
        let spread = target * (2.0 * r + 3.0 * t0 * backed_off(p) * (1.0 + beta));
        let published = b * p * (1.0 - beta) / (2.0 * (1.0 + beta)) * spread * spread;
        let timeout = 9.0 * (1.0 - beta * beta) * b * p;
        if self.timeouts == TimeoutTerm::Published || timeout <= 2.0 * published {
            return positive(published);
        }
        let left = positive(1.0 / target - t0 * backed_off(p))?;
        positive(2.0 * b * (1.0 - beta) * p / (1.0 + beta) * (r / left) * (r / left))
    }
}
