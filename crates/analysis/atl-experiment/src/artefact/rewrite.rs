//! Visits to the parts of a setup that forms rewrite.

use std::sync::Arc;

use atl_core::time::Span;
use atl_engine::setup::{LinkSetup, Setup};
use atl_link::{Conditions, Config, Loss};

/// A packet of usual length, in bytes on the wire.
pub(super) const PACKET: u32 = 1500;

/// Rewrites the configuration of each link; true if that changed any.
pub(super) fn each_config(setup: &mut Setup, change: impl Fn(&mut Config) -> bool) -> bool {
    let mut changed = false;
    for link in &mut setup.links {
        changed |= change(Arc::make_mut(&mut link.config));
    }
    changed
}

/// Rewrites the conditions of each link, at the start and after each change.
pub(super) fn each_conditions(setup: &mut Setup, change: impl Fn(&mut Conditions) -> bool) -> bool {
    each_config(setup, |config| conditions_of(config, &change))
}

/// The same for one link.
pub(super) fn conditions_of(config: &mut Config, change: impl Fn(&mut Conditions) -> bool) -> bool {
    let mut changed = change(&mut config.initial);
    for later in &mut config.schedule {
        changed |= change(&mut later.to);
    }
    changed
}

/// Replaces the losses of each link by what `other` says. It gets the losses and the transmission
/// time of a packet under the same conditions, and says `None` where they stay.
pub(super) fn each_loss(
    setup: &mut Setup,
    other: impl Fn(Loss, Option<Span>) -> Option<Loss>,
) -> bool {
    each_config(setup, |config| {
        let shaper = config.shaper;
        conditions_of(config, |conditions| {
            let service = conditions.service.mean_rate().map(|rate| rate.bps());
            let slowest = match shaper {
                Some(shaper) => {
                    Some(service.map_or(shaper.rate.bps(), |s| s.min(shaper.rate.bps())))
                }
                None => service,
            };
            let packet = slowest.map(|bps| Span::from_secs_f64(8.0 * f64::from(PACKET) / bps));
            let Some(loss) = other(conditions.loss, packet) else { return false };
            let changed = loss != conditions.loss;
            conditions.loss = loss;
            changed
        })
    })
}

/// True for the reverse direction of the link with this name.
pub(super) fn is_back_of(back: &LinkSetup, link: &LinkSetup) -> bool {
    back.name.strip_suffix(".back") == Some(&link.name)
}
