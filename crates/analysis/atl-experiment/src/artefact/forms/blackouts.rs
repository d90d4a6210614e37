//! Blackouts that lose what is transmitted, or hold it.

use atl_engine::setup::Setup;

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_config;

const BLACKOUTS: Impairment = Impairment { name: "blackouts", with: "with blackouts" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "blackout-loses",
        of: &BLACKOUTS,
        words: "with blackouts that lose packets",
        about: "The link goes on transmitting, and all of it is lost: a cut wire, an emulator with a loss of 100 %.",
        is_off: false,
        rewrite: |setup| hold(setup, false),
    },
    Form {
        name: "blackout-holds",
        of: &BLACKOUTS,
        words: "with blackouts that hold packets",
        about: "Packets wait in the queue meanwhile: a modem without signal, an emulator at rate 0.",
        is_off: false,
        rewrite: |setup| hold(setup, true),
    },
    Form {
        name: "no-blackouts",
        of: &BLACKOUTS,
        words: "without blackouts",
        about: "Links are never dead.",
        is_off: true,
        rewrite: |setup| {
            each_config(setup, |config| !std::mem::take(&mut config.blackouts).is_empty())
        },
    },
];

fn hold(setup: &mut Setup, hold: bool) -> bool {
    each_config(setup, |config| {
        let mut changed = false;
        for blackout in &mut config.blackouts {
            changed |= std::mem::replace(&mut blackout.hold, hold) != hold;
        }
        changed
    })
}
