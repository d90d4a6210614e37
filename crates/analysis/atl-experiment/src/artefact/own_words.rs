//! The forms that a scenario has as written.

use std::collections::BTreeSet;

use atl_scenario::scenario::Scenario;

use super::form::{Form, Impairment};
use super::forms::forms;

/// The form that a scenario has as written, by impairment.
pub(super) struct OwnWords(Vec<(&'static Impairment, &'static str)>);

impl OwnWords {
    /// A form that changes nothing, although another of its impairment does, is the scenario's own.
    pub(super) fn of_scenario(scenario: &Scenario) -> OwnWords {
        let changes = |form: &Form| scenario.rewritten(form.name, form.rewrite).is_some();
        let changing: BTreeSet<&str> =
            forms().filter(|form| changes(form)).map(|form| form.of.name).collect();
        let own = forms().filter(|form| changing.contains(form.of.name) && !changes(form));
        OwnWords(own.map(|form| (form.of, form.words)).collect())
    }

    /// The scenario as written in words; those of the impairment itself if it mixes forms.
    pub(super) fn of(&self, impairment: &'static Impairment) -> &'static str {
        let found = self.0.iter().find(|(of, _)| *of == impairment);
        found.map_or(impairment.with, |(_, words)| *words)
    }

    #[cfg(test)]
    pub(super) fn new(known: &[(&'static Impairment, &'static str)]) -> OwnWords {
        OwnWords(known.to_vec())
    }
}
