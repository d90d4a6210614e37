//! The file of a part of a sweep.

use std::path::{Path, PathBuf};

use crate::shard::{Changes, Header, Shard};
use atl_engine::Engine;
use atl_engine::store::Results;
use atl_report::store;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, repeat};

use crate::error::Error;
use crate::{BUILD, VERSION};

/// Extension of the files of parts.
pub const ENDING: &str = "atl";

/// Path of a part's file in a folder.
pub fn file(dir: &Path, shard: Shard) -> PathBuf {
    dir.join(format!("shard-{}-of-{}.{ENDING}", shard.number(), shard.of()))
}

/// Identity of a part's results: the scenario was opened as `spec` with these changes, and `on`
/// names the engines.
pub fn header(
    spec: &str,
    changes: &Overrides,
    on: &[String],
    scenario: &Scenario,
    engines: &[&dyn Engine],
    shard: Shard,
) -> Header {
    Header {
        version: VERSION.to_owned(),
        build: BUILD.to_owned(),
        spec: spec.to_owned(),
        command: repeat::command("run", spec, changes, on, &[]),
        changes: Changes {
            set: changes.set.clone(),
            seeds: changes.seeds.clone(),
            duration: changes.duration.clone(),
            quick: changes.quick,
        },
        scenario: scenario.name.clone(),
        hash: scenario.hash.clone(),
        runs: scenario.runs() as u64,
        engines: engines.iter().map(|engine| engine.id()).collect(),
        shard,
    }
}

/// Writes the file of a part through a temporary file, so that it is complete or absent.
///
/// # Errors
/// If it cannot be written.
pub fn write(path: &Path, header: &Header, results: &[Results]) -> Result<(), Error> {
    store::write_with(path, |out| crate::shard::write(out, header, results))
        .map_err(|error| Error::file("write", path, &error))
}
