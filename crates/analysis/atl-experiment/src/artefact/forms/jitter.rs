//! Jitter: packets wait for those ahead of them, or overtake.

use atl_engine::setup::Setup;
use atl_link::{Conditions, Delay};

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_conditions;

const JITTER: Impairment = Impairment { name: "jitter", with: "with jitter" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "jitter-in-order",
        of: &JITTER,
        words: "with jitter in order",
        about: "A packet with a short delay waits for those ahead of it, as behind any queue or radio link. The delays drawn are the same.",
        is_off: false,
        rewrite: |setup| order(setup, true),
    },
    Form {
        name: "jitter-overtaking",
        of: &JITTER,
        words: "with jitter that overtakes",
        about: "Each packet comes when its own delay is over, as in netem without a rate. The delays drawn are the same.",
        is_off: false,
        rewrite: |setup| order(setup, false),
    },
    Form {
        name: "no-jitter",
        of: &JITTER,
        words: "without jitter",
        about: "Each packet has the mean delay.",
        is_off: true,
        rewrite: |setup| each_conditions(setup, constant),
    },
];

fn order(setup: &mut Setup, kept: bool) -> bool {
    each_conditions(setup, |conditions| match &mut conditions.jitter {
        Some(jitter) if jitter.in_order != kept => {
            jitter.in_order = kept;
            true
        }
        _ => false,
    })
}

/// Some jitters come on top of the delay, which then takes their mean; the others lie evenly about
/// it.
fn constant(conditions: &mut Conditions) -> bool {
    let Some(jitter) = conditions.jitter.take() else { return false };
    if let Delay::Constant(delay) = &mut conditions.delay {
        *delay += jitter.mean();
    }
    true
}
