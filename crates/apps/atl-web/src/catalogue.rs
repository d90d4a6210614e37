//! The built-in scenarios, for a list.

use atl_scenario::{Builtin, Outline, builtin, outlines};
use serde::Serialize;

/// A built-in scenario with its text.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name for `atl run`.
    pub name: &'static str,
    /// Title of the scenario.
    pub title: &'static str,
    /// Text of the file without its first line, whose path to the schema is only right in this
    /// repository.
    pub text: &'static str,
}

/// All built-in scenarios, in the order of `atl list`.
pub fn all() -> Vec<Entry> {
    let entry = |(scenario, outline): (&'static Builtin, &'static Outline)| Entry {
        name: scenario.name,
        title: &outline.title,
        text: scenario.copy(),
    };
    builtin().iter().zip(outlines()).map(entry).collect()
}
