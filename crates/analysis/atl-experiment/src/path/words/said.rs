//! Values found in words, for one network and for the whole path.

use atl_core::time::Span;
use atl_core::units::Rate;

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
    pub(super) stated: Stated,
    /// When it begins, and whether `after` says so.
    pub(super) at: Option<Span>,
    pub(super) after: bool,
    pub(super) lasts: Option<Span>,
}

impl Stage {
    pub(super) fn rate(&self) -> Option<Rate> {
        self.stated.down.or(self.stated.up)
    }

    pub(super) fn says_nothing(&self) -> bool {
        self.network.is_none() && self.stated == Stated::default()
    }

    /// The network with all its numbers: those said, those of its name, or those `before` it.
    pub(super) fn over(&self, before: Option<&Network>) -> Network {
        self.stated.over(self.network.as_ref().or(before))
    }

    /// Checks that stations have airtime to share.
    pub(super) fn check(&self, before: Option<&Network>) -> Result<(), String> {
        let Some(stations) = self.stated.stations else { return Ok(()) };
        let network = self.network.as_ref().or(before);
        let Some(network) = network.filter(|network| network.effects.has("wifi")) else {
            let whose = network.map_or("that of a path without a name".to_owned(), |network| {
                format!("that of `{}`", network.name)
            });
            return Err(format!(
                "`{stations} stations` share the airtime of a Wi-Fi, and the rate is {whose}: write `wifi 6 with {stations} stations` or `crowded wifi with {stations} stations`; flows in the same queue are `{stations} neighbours`"
            ));
        };
        if self.stated.down.is_some() && self.stated.up.is_some() {
            return Err(format!(
                "`{}` has its rates from the airtime that {stations} stations share: say stations or rates",
                network.name
            ));
        }
        Ok(())
    }
}
