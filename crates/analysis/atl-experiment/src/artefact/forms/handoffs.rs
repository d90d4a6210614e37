//! Changes of network that deliver what is on the wire, or lose it.

use atl_engine::setup::Setup;
use atl_link::AtChange;

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_config;

const CHANGES: Impairment =
    Impairment { name: "changes of network", with: "with changes of network" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "change-delivers",
        of: &CHANGES,
        words: "with changes of network that deliver what is on the wire",
        about: "Packets under way arrive over the old network, as an emulator's do.",
        is_off: false,
        rewrite: |setup| at_change(setup, AtChange::Deliver),
    },
    Form {
        name: "change-loses",
        of: &CHANGES,
        words: "with changes of network that lose what is on the wire",
        about: "Packets under way are lost, as in a handoff that breaks before it makes.",
        is_off: false,
        rewrite: |setup| at_change(setup, AtChange::Lose),
    },
];

fn at_change(setup: &mut Setup, fate: AtChange) -> bool {
    each_config(setup, |config| {
        !config.schedule.is_empty() && std::mem::replace(&mut config.at_change, fate) != fate
    })
}
