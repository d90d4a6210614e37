//! Values found in words, for one network and for the whole path.

use atl_core::time::Span;
use atl_core::units::{Probability, Rate};

use crate::path::direction::Direction;
use crate::path::network::{Network, Stated};
use crate::path::queue::Queue;

/// Values for the whole path, wherever they stand.
#[derive(Debug, Default)]
pub(super) struct Said {
    pub(super) send: Option<Direction>,
    pub(super) queue: Option<Queue>,
    pub(super) neighbours: Option<u32>,
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
    /// By how much the delay varies from packet to packet; zero for not at all.
    pub(super) jitter: Option<Span>,
    /// Stations that share the airtime of a Wi-Fi.
    pub(super) stations: Option<u32>,
}

impl Stage {
    pub(super) fn rate(&self) -> Option<Rate> {
        self.down.or(self.up)
    }

    pub(super) fn says_nothing(&self) -> bool {
        let numbers = self.rtt.is_some() || self.rate().is_some() || self.loss.is_some();
        self.network.is_none() && !numbers && self.jitter.is_none() && self.stations.is_none()
    }

    /// The network with all its numbers: those said, those of its name, or those `before` it.
    pub(super) fn over(&self, before: Option<&Network>) -> Network {
        let stated = Stated {
            rtt: self.rtt,
            down: self.down,
            up: self.up,
            loss: self.loss,
            jitter: self.jitter,
            stations: self.stations,
        };
        stated.over(self.network.as_ref().or(before))
    }

    /// Checks that stations have airtime to share.
    pub(super) fn check(&self, before: Option<&Network>) -> Result<(), String> {
        let Some(stations) = self.stations else { return Ok(()) };
        let network = self.network.as_ref().or(before);
        let Some(network) = network.filter(|network| network.effects.has("wifi")) else {
            let whose = network.map_or("that of a path without a name".to_owned(), |network| {
                format!("that of `{}`", network.name)
            });
            return Err(format!(
                "`{stations} stations` share the airtime of a Wi-Fi, and the rate is {whose}: write `wifi 6 with {stations} stations` or `crowded wifi with {stations} stations`; flows in the same queue are `{stations} neighbours`"
            ));
        };
        if self.down.is_some() && self.up.is_some() {
            return Err(format!(
                "`{}` has its rates from the airtime that {stations} stations share: say stations or rates",
                network.name
            ));
        }
        Ok(())
    }
}
