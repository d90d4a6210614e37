//! Reports of wireless links.

use crate::time::Span;
use crate::units::Probability;

/// A report of a wireless link's MAC layer to the transport above it (ATL paper, sec. IV-A).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LinkReport {
    /// p_w: share of the link's transmissions that were lost on it, over the link's own sliding
    /// window.
    pub loss: Probability,
    /// d_w: one-way delay that the link adds.
    pub delay: Span,
}

impl LinkReport {
    /// The report of a path without a wireless link: p_w = 0, d_w = 0.
    pub const NONE: LinkReport = LinkReport { loss: Probability::ZERO, delay: Span::ZERO };

    /// Two wireless links in a row, one at each end of the path, as one (ATL paper, eq. 14 and 15).
    pub fn and(self, other: LinkReport) -> LinkReport {
        let through = (1.0 - self.loss.get()) * (1.0 - other.loss.get());
        let delay = self.delay.nanos().saturating_add(other.delay.nanos());
        LinkReport { loss: Probability::clamped(1.0 - through), delay: Span::from_nanos(delay) }
    }

    /// True if the path has no wireless link, or one that neither loses packets nor delays them.
    pub fn is_none(&self) -> bool {
        *self == LinkReport::NONE
    }
}

/// The source of the p_w of the sender's own link.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WirelessLoss {
    /// The link's report until the MAC first marks a packet as failed, its marks from then on.
    #[default]
    Auto,
    /// The packets that the MAC marked as failed
    /// ([`Loss::link_failures`](crate::window::Loss::link_failures),
    /// [`Lost::link_failure`](crate::rate::Lost::link_failure)).
    Marks,
    /// The loss in the link's report, measured over the link's own window.
    Report,
}

impl WirelessLoss {
    /// True if p_w comes from the MAC's marks. `marked`: it has marked a packet.
    pub(crate) fn by_marks(self, marked: bool) -> bool {
        match self {
            WirelessLoss::Auto => marked,
            WirelessLoss::Marks => true,
            WirelessLoss::Report => false,
        }
    }
}
