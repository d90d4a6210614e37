//! Losses on the way into a link, and copies on the way out.

use atl_core::units::Probability;
use atl_link::Loss;

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_conditions;

const INGRESS: Impairment =
    Impairment { name: "losses ahead of queues", with: "with losses ahead of queues" };
const COPIES: Impairment =
    Impairment { name: "duplication", with: "with packets that arrive twice" };

pub(super) const FORMS: &[Form] = &[
    Form {
        name: "no-ingress-loss",
        of: &INGRESS,
        words: "without losses ahead of queues",
        about: "No packet is lost before it reaches a queue.",
        is_off: true,
        rewrite: |setup| {
            each_conditions(setup, |conditions| {
                std::mem::replace(&mut conditions.ingress, Loss::None) != Loss::None
            })
        },
    },
    Form {
        name: "no-duplication",
        of: &COPIES,
        words: "without duplication",
        about: "No packet arrives twice.",
        is_off: true,
        rewrite: |setup| {
            each_conditions(setup, |conditions| {
                let none = Probability::ZERO;
                std::mem::replace(&mut conditions.duplicate, none) != none
            })
        },
    },
];
