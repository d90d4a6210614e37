//! Values found in words, for one network and for the whole path.

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use crate::path::network::Network;
use crate::path::stages::Direction;

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
}

impl Stage {
    pub(super) fn rate(&self) -> Option<Rate> {
        self.down.or(self.up)
    }

    pub(super) fn says_nothing(&self) -> bool {
        self.network.is_none() && self.rtt.is_none() && self.rate().is_none() && self.loss.is_none()
    }

    /// The network with all its numbers: those said, those of its name, or those `before` it.
    pub(super) fn over(&self, before: Option<&Network>) -> Network {
        let base = self.network.as_ref().or(before);
        let none = Rate::from_bps(0.0);
        let rate = |own: Option<Rate>, base: Option<Rate>| own.or(base).or(self.rate());
        Network {
            name: base.map_or("path".into(), |base| base.name.clone()),
            down: rate(self.down, base.map(|base| base.down)).unwrap_or(none),
            up: rate(self.up, base.map(|base| base.up)).unwrap_or(none),
            rtt: self.rtt.or(base.map(|base| base.rtt)).unwrap_or(Span::ZERO),
            loss: self.loss.or(base.map(|base| base.loss)).unwrap_or(Probability::ZERO),
        }
    }
}
