//! Paths that a network assigns anew.

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_conditions;

const RECONFIGURATIONS: Impairment =
    Impairment { name: "reconfigurations", with: "with paths that are assigned anew" };

pub(super) const FORMS: &[Form] = &[Form {
    name: "no-reconfiguration",
    of: &RECONFIGURATIONS,
    words: "without reconfigurations",
    about: "The network never assigns another path: the delay has no steps, and there is no outage at them.",
    is_off: true,
    rewrite: |setup| {
        each_conditions(setup, |conditions| conditions.reconfiguration.take().is_some())
    },
}];
