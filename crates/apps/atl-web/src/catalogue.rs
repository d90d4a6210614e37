//! The scenarios that come with the program, for a list.

use atl_scenario::{Overrides, builtin, outline};
use serde::Serialize;

/// A built-in scenario.
#[derive(Clone, Debug, Serialize)]
pub struct Entry {
    /// Name, as `atl run` takes it.
    pub name: &'static str,
    /// Its title.
    pub title: String,
    /// Its text, without the first line, whose path to the schema fits this repository only.
    pub text: &'static str,
}

/// All of them, in the order of `atl list`.
pub fn all() -> Vec<Entry> {
    let entry = |scenario: &'static atl_scenario::Builtin| {
        let outline = outline(scenario, &Overrides::default());
        let title = outline.map_or_else(|_| scenario.name.to_owned(), |outline| outline.title);
        Entry { name: scenario.name, title, text: scenario.copy() }
    };
    builtin().iter().map(entry).collect()
}
