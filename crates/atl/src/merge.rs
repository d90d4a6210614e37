//! `atl merge`: the parts of a sweep put together again.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use atl_report::Outcome;
use atl_results::Room;
use atl_scenario::Overrides;
use atl_scenario::scenario::Scenario;
use atl_shard::{Header, MergeError, Part, PartError, Whole};

use crate::args::Merge;
use crate::experiment::{self, Experiment, VERSION};
use crate::failure::Failure;
use crate::folder::{self, Folder};
use crate::status::Status;
use crate::{opening, output, run, shard};

/// Puts parts together and writes the report and the data files of the whole.
///
/// # Errors
/// If parts are missing, damaged or of different sweeps, if the scenario is not the one that was run, or if the results
/// cannot be written.
pub(crate) fn merge(args: &Merge) -> Result<Status, Failure> {
    let paths = files(&args.parts)?;
    let parts = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, Failure>>()?;
    let whole = Whole::of(parts).map_err(|error| Failure::Usage(with_names(&error, &paths)))?;
    let header = whole.header().clone();
    let scenario = Arc::new(again(&header, args.json)?);
    let dir = args.out.clone().unwrap_or_else(|| folder::default_for(&scenario.name));
    let folder = Folder::prepare(&dir, &[PathBuf::new()])?;
    let room = Arc::new(Room::default());
    let results = whole.results(scenario.seeds.len(), &room, folder.staging()).map_err(
        |(index, error)| match index.and_then(|index| paths.get(index)) {
            Some(path) => unreadable(path, &error),
            None => Failure::Runtime(format!("cannot keep the results of the runs: {error}")),
        },
    )?;
    let outcomes = header.hosts.into_iter().zip(results).map(|(host, results)| Outcome {
        results,
        scenario: Arc::clone(&scenario),
        host: host.into(),
        version: header.version.clone(),
        command: header.command.clone(),
        wall: None,
    });
    let experiment = Experiment::merged(outcomes.collect());
    experiment::write_data(folder.staging(), &experiment.outcomes, args.csv)?;
    experiment.write_page(folder.staging())?;
    let files = folder.commit()?;
    match (args.json, args.quiet) {
        (true, _) => run::json(&experiment, Vec::new(), files),
        (_, true) => Ok(Status::Success),
        _ => output::text(&run::shown(&experiment, &[], &dir, &files)),
    }
}

/// The files that were named, and those of parts in folders that were named.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Failure> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error: std::io::Error| {
            Failure::Usage(format!("cannot read {}: {error}", path.display()))
        };
        let mut inner = BTreeSet::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?.path();
            if entry.extension().is_some_and(|ending| ending == shard::ENDING) && entry.is_file() {
                inner.insert(entry);
            }
        }
        if inner.is_empty() {
            return Err(Failure::Usage(format!(
                "{} has no parts: name files or a folder that `atl run --shard` wrote into",
                path.display()
            )));
        }
        files.extend(inner);
    }
    Ok(files)
}

fn open(path: &Path) -> Result<Part<PathBuf>, Failure> {
    Part::open(path.to_path_buf()).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &PartError) -> Failure {
    let message = format!("cannot read {}: {error}", path.display());
    match error {
        PartError::Io(e) if e.kind() != ErrorKind::NotFound => Failure::Runtime(message),
        PartError::Io(_) | PartError::Unreadable(_) => Failure::Usage(message),
    }
}

/// The message, with the names of the files that it is about.
fn with_names(error: &MergeError, paths: &[PathBuf]) -> String {
    let name = |index: usize| paths.get(index).map(|path| path.display().to_string());
    match error.files() {
        Some([a, b]) => {
            let names: Vec<String> = [name(a), name(b)].into_iter().flatten().collect();
            format!("{}: {error}", names.join(" and "))
        }
        None => error.to_string(),
    }
}

/// The scenario that was run.
fn again(header: &Header, json: bool) -> Result<Scenario, Failure> {
    if header.version != VERSION {
        return Err(Failure::Usage(format!(
            "these parts were run by atl {}, and this is {VERSION}, whose results may differ: merge them with that version",
            header.version
        )));
    }
    let overrides = Overrides::from(header.changes.clone());
    let scenario = opening::open(&header.spec, &overrides)
        .map_err(|errors| Failure::Scenarios { errors: vec![errors], json })?;
    if scenario.hash != header.hash {
        return Err(Failure::Usage(format!(
            "`{}` is no longer the scenario that these parts were run with (its hash is {}, not {}): restore it, or run the parts again",
            header.spec, scenario.hash, header.hash
        )));
    }
    Ok(scenario)
}
