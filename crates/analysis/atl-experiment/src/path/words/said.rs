//! Values found in words, for one network and for the whole path.

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use crate::path::direction::Direction;
use crate::path::network::{Network, Stated};

/// Values for the whole path, wherever they stand.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) send: Option<Direction>,
    pub(super) queue: Option<u32>,
    pub(super) protocols: Vec<String>,
}

/// Values for one network.
#[derive(Clone, Debug, Default)]
pub(super) struct Stage {
    pub(super) network: Option<Network>,
    pub(super) rtt: Option<Span>,
    pub(super) down: Option<Rate>,
    pub(super) up: Option<Rate>,
    pub(super) loss: Option<Probability>,
    /// When it begins, and whether `after` says so.
    pub(super) at: Option<Span>,
    pub(super) after: bool,
    pub(super) lasts: Option<Span>,
    /// True if the delay does not vary from packet to packet.
    pub(super) no_jitter: bool,
}

impl Stage {
    pub(super) fn rate(&self) -> Option<Rate> {
        self.down.or(self.up)
    }

    pub(super) fn says_nothing(&self) -> bool {
        let numbers = self.rtt.is_some() || self.rate().is_some() || self.loss.is_some();
        self.network.is_none() && !numbers && !self.no_jitter
    }

    /// The network with all its numbers: those said, those of its name, or those `before` it.
    pub(super) fn over(&self, before: Option<&Network>) -> Network {
        let stated = Stated { rtt: self.rtt, down: self.down, up: self.up, loss: self.loss };
        let mut network = stated.over(self.network.as_ref().or(before));
        if self.no_jitter {
            network.effects.take("jitter");
        }
        network
    }
}
