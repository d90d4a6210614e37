//! Reordering that a link is told to do, apart from what jitter does.

use super::super::form::{Form, Impairment};
use super::super::rewrite::each_conditions;

const REORDERING: Impairment =
    Impairment { name: "reordering", with: "with packets that come late" };

pub(super) const FORMS: &[Form] = &[Form {
    name: "no-reordering",
    of: &REORDERING,
    words: "without reordering",
    about: "No packet comes late by itself.",
    is_off: true,
    rewrite: |setup| each_conditions(setup, |conditions| conditions.reorder.take().is_some()),
}];
