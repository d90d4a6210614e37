//! The effect of reported losses that were not marked: eq. 7 and 9 of the ATL paper.

use super::TcpAtlRobust;
use crate::model::{Adaptation, AtlInput};
use crate::path::Estimate;
use crate::time::{Span, Time};
use crate::units::Probability;

impl TcpAtlRobust {
    /// Recomputes the adaptation: once a round trip, and after a report or a loss.
    pub(super) fn update(&mut self, now: Time) {
        let Some(rtt) = self.path.srtt() else { return };
        self.next_update = now.saturating_add(rtt.max(Span::from_nanos(1)));
        let span = rtt.mul_f64(self.config.window_srtts);
        let estimate = self.path.estimate(now, rtt, span);
        self.adaptation = estimate.and_then(|estimate| self.adapt(&estimate));
    }

    /// ATL paper, eq. 7 and 9 for the reported loss without the marked part.
    pub(super) fn adapt(&self, estimate: &Estimate) -> Option<Adaptation> {
        let split = estimate.split;
        if split.wireless.loss == Probability::ZERO {
            return None;
        }
        let input = AtlInput { beta: Some(self.beta), model: self.model, cap: self.cap };
        let adaptation = input.tcp(split)?;
        let alpha = |split| input.tcp(split).map(|a| a.aimd.alpha);
        let bound = self.path.alpha_bound(estimate, alpha);
        Some(bound.map_or(adaptation, |most| adaptation.with_alpha_at_most(most)))
    }

    /// Packets per round trip that reports justify; 0 without any.
    pub(super) fn alpha(&self) -> f64 {
        self.adaptation.map_or(0.0, |a| a.aimd.alpha)
    }
}
