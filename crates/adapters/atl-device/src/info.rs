//! Link information with its error.

use atl_core::path::LinkReport;
use atl_core::time::Span;
use atl_core::units::{Probability, Rate};
use atl_wire::PeerLinkReport;

/// p_w with its 95 % interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct LossEstimate {
    /// Share of the packets that the MAC gave up after its last retry.
    pub value: Probability,
    /// Lower end of the 95 % interval; at most `value`.
    pub low: Probability,
    /// Upper end of the 95 % interval; at least `value`.
    pub high: Probability,
    /// Packets that it rests on; `None` if the source did not say.
    pub packets: Option<u64>,
}

/// d_w with its range.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DelayEstimate {
    /// One-way delay that the link adds.
    pub value: Span,
    /// The least value that the assumptions allow; at most `value`.
    pub low: Span,
    /// The greatest value that they allow; at least `value`.
    pub high: Span,
}

impl DelayEstimate {
    /// A delay that is known exactly.
    pub fn exact(value: Span) -> Self {
        DelayEstimate { value, low: value, high: value }
    }
}

/// Knowledge of a wireless link at one time. An unknown value is `None`, never zero.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct LinkInfo {
    /// Loss that the link causes: packets given up after the last retry.
    pub loss: Option<LossEstimate>,
    /// Delay that the link causes.
    pub delay: Option<DelayEstimate>,
    /// Rate at which the link is expected to carry packets.
    pub rate: Option<Rate>,
    /// Rate of the physical layer in its last transmission; headers, contention and retries leave
    /// less.
    pub bitrate: Option<Rate>,
    /// Number of handoffs so far, modulo 2^32.
    pub epoch: u32,
}

impl LinkInfo {
    /// Nothing known, and no handoff yet.
    pub const UNKNOWN: LinkInfo =
        LinkInfo { loss: None, delay: None, rate: None, bitrate: None, epoch: 0 };

    /// p_w and d_w in the form that controllers take, if both are known.
    pub fn report(&self) -> Option<LinkReport> {
        Some(LinkReport { loss: self.loss?.value, delay: self.delay?.value })
    }

    /// p_w and d_w in the form that a receiver sends to its sender, if both are known.
    pub fn peer_report(&self) -> Option<PeerLinkReport> {
        Some(PeerLinkReport { epoch: self.epoch, link: self.report()? })
    }
}
