//! What the controller splits the path by: measured, reported and believed.

use crate::path::{LinkReport, PathSplit, SplitRules};
use crate::time::Span;
use crate::units::Probability;

/// What a split of the path is made of.
#[derive(Clone, Copy, Debug)]
pub(super) struct Parts {
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
    pub(super) fn split(&self) -> PathSplit {
        let split = PathSplit::new(self.loss, self.rtt, self.own.and(self.peer), self.rules);
        match self.held {
            None => split,
            Some(p_c) => {
                PathSplit::from_parts(p_c, split.congestion_rtt, split.rtt, split.wireless)
            }
        }
    }
}
