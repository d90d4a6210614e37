//! Paths described in a few words, recorded links, forms of impairments, and sweeps in parts.

use std::path::Path;

use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;

mod artefact;
mod attack;
mod lies;
mod path;
mod paths;
mod recording;
mod shard;

/// The scenario of a text that needs no other file.
fn parsed(name: &str, text: &str) -> Scenario {
    atl_scenario::parse(name, text, Path::new(name), &atl_scenario::no_files, &Overrides::default())
        .unwrap_or_else(|errors| panic!("{errors}\n{text}"))
}
