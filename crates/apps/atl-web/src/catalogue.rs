//! The built-in scenarios, for a list.

use atl_scenario::{Overrides, builtin, outline};
use serde::Serialize;

/// A built-in scenario with its text.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name for `atl run`.
    pub name: &'static str,
    /// Title of the scenario.
    pub title: String,
    /// Text of the file without its first line, whose path to the schema is only right in this
    /// repository.
    pub text: &'static str,
}

/// All built-in scenarios, in the order of `atl list`.
pub fn all() -> Vec<Entry> {
    let entry = |scenario: &'static atl_scenario::Builtin| {
        let outline = outline(scenario, &Overrides::default());
        let title = outline.map_or_else(|_| scenario.name.to_owned(), |outline| outline.title);
        Entry { name: scenario.name, title, text: scenario.copy() }
    };
    builtin().iter().map(entry).collect()
}
