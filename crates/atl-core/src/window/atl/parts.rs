//! What the controller splits the path by: measured, reported and believed.

use crate::model::Adaptation;
use crate::path::{LinkReport, PathSplit, SplitRules};
use crate::time::Span;
use crate::units::Probability;
use crate::window::Aimd;

/// What a split of the path is made of.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Parts {
    /// p.
    pub loss: Probability,
    /// R.
    pub rtt: Span,
    /// The link at the sender's end.
    pub own: LinkReport,
    /// The link at the receiver's end, as far as it is believed.
    pub peer: LinkReport,
    /// How far the measured values are trusted.
    pub rules: SplitRules,
    /// p_c held over a handoff.
    pub held: Option<Probability>,
}

impl Parts {
    pub(crate) fn split(&self) -> PathSplit {
        let split = PathSplit::new(self.loss, self.rtt, self.own.and(self.peer), self.rules);
        match self.held {
            None => split,
            Some(p_c) => {
                PathSplit::from_parts(p_c, split.congestion_rtt, split.rtt, split.wireless)
            }
        }
    }

    /// Holds what a claim gains to its bound; `alpha` is what a split gives at the beta in force. alpha is compared,
    /// and not T_hat: the floor of p_c raises p too where a claim explains most losses, and alpha with it.
    pub(crate) fn bounded(
        &self,
        claimed: Adaptation,
        gain: f64,
        alpha: impl Fn(PathSplit) -> Option<f64>,
    ) -> Adaptation {
        if self.peer.is_none() {
            return claimed;
        }
        let alpha = |peer| alpha(Parts { peer, ..*self }.split());
        let by_loss = alpha(LinkReport { delay: Span::ZERO, ..self.peer });
        let (Some(without), Some(by_loss)) = (alpha(LinkReport::NONE), by_loss) else {
            return claimed;
        };
        let gain = gain.max(1.0);
        let most = gain * by_loss.min(gain * without);
        if claimed.aimd.alpha <= most {
            return claimed;
        }
        // T_hat goes with the root of alpha (eq. 9; eq. 13 while alpha R p is small).
        let target = claimed.target * (most / claimed.aimd.alpha).sqrt();
        Adaptation { target, aimd: Aimd { alpha: most, ..claimed.aimd }, ..claimed }
    }
}
