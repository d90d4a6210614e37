//! The forms, a file for each impairment.

mod blackouts;
mod handoffs;
mod hosts;
mod jitter;
mod loss_pattern;
mod loss_ways;
mod queues;
mod reconfigurations;
mod reordering;
mod traces;
mod ways;

use super::form::Form;

/// All forms, in the order in which they are shown.
pub fn forms() -> impl Iterator<Item = &'static Form> {
    [
        jitter::FORMS,
        reordering::FORMS,
        reconfigurations::FORMS,
        loss_pattern::FORMS,
        loss_ways::FORMS,
        ways::FORMS,
        queues::FORMS,
        traces::FORMS,
        blackouts::FORMS,
        handoffs::FORMS,
        hosts::FORMS,
    ]
    .into_iter()
    .flatten()
}

/// The form with this name.
///
/// # Errors
/// A message with all names.
pub fn form_named(name: &str) -> Result<&'static Form, String> {
    let found = forms().find(|form| form.name == name);
    found.ok_or_else(|| {
        let names: Vec<&str> = forms().map(|form| form.name).collect();
        let near = names.iter().find(|known| strsim::damerau_levenshtein(name, known) <= 2);
        let near = near.map(|near| format!("; did you mean `{near}`?")).unwrap_or_default();
        format!("there is no form `{name}`: choose from {}{near}", names.join(", "))
    })
}
