//! AIMD parameters from measurements: all of the ATL paper's Fig. 4.
//!
//! Left open by the source, and chosen:
//! - T_0 = 4 R and T_0c = 4 R_c (the paper says the second).
//! - T_hat is at most a given rate, that of the access link or of the stream (rule 4).
//! - p_w = d_w = 0 gives TCP's own (1, 0.5), as in the paper. For a link that loses packets but
//!   adds no delay the paper gives no beta; it keeps TCP's 0.5.

use super::{Aimd, RateForm, TcpModel, beta_for, is_beta, positive, rate_alpha};
use crate::path::{LinkReport, PathSplit, SplitRules};
use crate::time::Span;
use crate::units::Probability;

/// Inputs of the adaptation besides the path's split.
#[derive(Clone, Copy, Debug, PartialEq, Default)]
pub struct AtlInput {
    /// ATL paper, eq. 7: b and the form of its timeout term.
    pub model: TcpModel,
    /// beta between 0 and 1; `None`: by the link's delay ([`beta_for`]).
    pub beta: Option<f64>,
    /// Upper bound of T_hat in packets per second.
    pub cap: Option<f64>,
}

/// Result of the adaptation, with its intermediate values.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Adaptation {
    /// p, R, p_w, d_w, p_c and R_c.
    pub split: PathSplit,
    /// T_hat in packets per second.
    pub target: f64,
    /// alpha and beta for the sender; [`AtlInput::tcp`] and [`AtlInput::rcp`] give alpha's unit.
    pub aimd: Aimd,
}

impl Adaptation {
    /// The same with alpha at most `most`. T_hat goes with the root of alpha (ATL paper, eq. 9; eq.
    /// 13 while alpha R p is small).
    #[must_use]
    pub fn with_alpha_at_most(self, most: f64) -> Self {
        if self.aimd.alpha <= most {
            return self;
        }
        let target = self.target * (most / self.aimd.alpha).sqrt();
        Adaptation { target, aimd: Aimd { alpha: most, ..self.aimd }, ..self }
    }
}

/// T_0 of a round-trip time.
fn rto(rtt: Span) -> Span {
    rtt * 4
}

impl AtlInput {
    /// T_hat: the throughput of a TCP sender behind no wireless link (ATL paper, eq. 7 with p_c and
    /// R_c), capped. `None` if neither the model nor the cap limits it.
    fn target(&self, split: &PathSplit) -> Option<f64> {
        let rtt = split.congestion_rtt;
        let fair = self.model.throughput(Aimd::TCP, split.congestion_loss, rtt, rto(rtt));
        let cap = self.cap.and_then(positive);
        match (fair, cap) {
            (Some(fair), Some(cap)) => Some(fair.min(cap)),
            (fair, cap) => fair.or(cap),
        }
    }

    fn beta(&self, wireless: &LinkReport) -> f64 {
        let chosen = self.beta.filter(|&beta| is_beta(beta));
        chosen.or_else(|| beta_for(wireless.delay)).unwrap_or(Aimd::TCP.beta)
    }

    /// alpha and beta of TCP-ATL for a path that is already split: ATL paper, eq. 7 and 9. alpha is
    /// in packets per round-trip time.
    ///
    /// `None` if neither loss nor a cap limits T_hat, or if the path has no round-trip time.
    pub fn tcp(&self, split: PathSplit) -> Option<Adaptation> {
        let target = self.target(&split)?;
        if split.wireless.is_none() && self.beta.is_none() {
            return Some(Adaptation { split, target, aimd: Aimd::TCP });
        }
        let beta = self.beta(&split.wireless);
        let rtt = split.rtt;
        let alpha = self.model.alpha(beta, target, split.loss, rtt, rto(rtt))?;
        Some(Adaptation { split, target, aimd: Aimd { alpha, beta } })
    }

    /// alpha and beta of RCP-ATL for a path that is already split: ATL paper, eq. 7 and 13. alpha
    /// is in packets per second per round-trip time.
    ///
    /// `None` as for [`tcp`](Self::tcp), and if the form of eq. 13 does not hold.
    pub fn rcp(&self, split: PathSplit, form: RateForm) -> Option<Adaptation> {
        let target = self.target(&split)?;
        let beta = self.beta(&split.wireless);
        let alpha = rate_alpha(form, beta, target, split.loss, split.rtt)?;
        Some(Adaptation { split, target, aimd: Aimd { alpha, beta } })
    }
}

/// TCP-ATL's parameters from measured p and R and the wireless part (of both links where there are
/// two, [`LinkReport::and`]): ATL paper, eq. 5, 6, 7 and 9. See [`AtlInput::tcp`].
pub fn tcp_atl(
    loss: Probability,
    rtt: Span,
    wireless: LinkReport,
    rules: SplitRules,
    input: &AtlInput,
) -> Option<Adaptation> {
    input.tcp(PathSplit::new(loss, rtt, wireless, rules))
}

/// RCP-ATL's parameters from the same: ATL paper, eq. 5, 6, 7 and 13. See [`AtlInput::rcp`].
pub fn rcp_atl(
    loss: Probability,
    rtt: Span,
    wireless: LinkReport,
    rules: SplitRules,
    input: &AtlInput,
    form: RateForm,
) -> Option<Adaptation> {
    input.rcp(PathSplit::new(loss, rtt, wireless, rules), form)
}
