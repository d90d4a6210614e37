//! Merging the parts of a sweep, and reopening its scenario.

use std::collections::BTreeSet;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use crate::shard::{Builds, Header, MergeError, Part, PartError, Whole};
use atl_engine::result::EngineId;
use atl_engine::store::Room;
use atl_report::Outcome;
use atl_scenario::Overrides;
use atl_scenario::repeat::quoted;
use atl_scenario::scenario::Scenario;

use crate::VERSION;
use crate::error::Error;
use crate::folder::default_for;
use crate::part::ENDING;

/// All parts of a sweep, and its scenario.
#[derive(Debug)]
pub struct Merging {
    paths: Vec<PathBuf>,
    whole: Whole<PathBuf>,
    scenario: Arc<Scenario>,
}

impl Merging {
    /// Opens the named parts, which are files or folders with such files, and reads the scenario
    /// again.
    ///
    /// # Errors
    /// If parts are missing, damaged, of different sweeps or by builds that `builds` does not
    /// allow, or if the scenario has changed since the runs.
    pub fn open(named: &[PathBuf], builds: Builds) -> Result<Merging, Error> {
        Merging::of(named, builds, |header| {
            let overrides = Overrides::from(header.changes.clone());
            atl_scenario::open(&header.spec, &overrides).map(Arc::new).map_err(Error::Scenario)
        })
    }

    /// As [`Merging::open`], with a scenario that is already open.
    ///
    /// # Errors
    /// As [`Merging::open`].
    pub fn with(named: &[PathBuf], scenario: Arc<Scenario>) -> Result<Merging, Error> {
        Merging::of(named, Builds::Same, |_| Ok(scenario))
    }

    fn of(
        named: &[PathBuf],
        builds: Builds,
        read: impl FnOnce(&Header) -> Result<Arc<Scenario>, Error>,
    ) -> Result<Merging, Error> {
        let paths = files(named)?;
        let parts = paths.iter().map(|path| open(path)).collect::<Result<Vec<_>, Error>>()?;
        let whole =
            Whole::of(parts, builds).map_err(|error| Error::Usage(with_names(&error, &paths)))?;
        let header = whole.header();
        if builds == Builds::Same {
            check_version(header)?;
        }
        let scenario = read(header)?;
        check_hash(header, &scenario)?;
        Ok(Merging { paths, whole, scenario })
    }

    /// The scenario of the sweep.
    pub fn scenario(&self) -> &Scenario {
        &self.scenario
    }

    /// The default directory for the results of the whole: that of `atl run`.
    pub fn folder(&self) -> PathBuf {
        let header = self.whole.header();
        let on: Vec<String> = header.engines.iter().map(|engine| engine.name.clone()).collect();
        default_for(&self.scenario.name, &header.changes.clone().into(), &on, &[])
    }

    /// The outcome on each engine. Results that do not fit in memory go to a file without a name on
    /// the file system of the directory `spill`.
    ///
    /// # Errors
    /// If a part cannot be read, or results cannot be kept.
    pub fn outcomes(self, spill: &Path) -> Result<Vec<Outcome>, Error> {
        let Merging { paths, whole, scenario } = self;
        let room = Arc::new(Room::default());
        let results = whole.results(scenario.seeds.len(), &room, spill);
        let results =
            results.map_err(|(index, error)| match index.and_then(|index| paths.get(index)) {
                Some(path) => unreadable(path, &error),
                None => Error::Failed(format!("cannot keep the results of the runs: {error}")),
            })?;
        let header = whole.header();
        let version = whole.version();
        let outcome = |(engine, results): (&EngineId, _)| Outcome {
            results,
            scenario: Arc::clone(&scenario),
            engine: engine.clone(),
            version: version.clone(),
            command: header.command.clone(),
        };
        Ok(header.engines.iter().zip(results).map(outcome).collect())
    }
}

/// The named files, and the files of parts in the named folders.
fn files(named: &[PathBuf]) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    for path in named {
        if !path.is_dir() {
            files.push(path.clone());
            continue;
        }
        let unreadable = |error: std::io::Error| {
            Error::Usage(format!("cannot read {}: {error}", path.display()))
        };
        let mut inner = BTreeSet::new();
        for entry in fs::read_dir(path).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?.path();
            if entry.extension().is_some_and(|ending| ending == ENDING) && entry.is_file() {
                inner.insert(entry);
            }
        }
        if inner.is_empty() {
            return Err(Error::Usage(format!(
                "{} has no parts: name files or a folder that `atl run --shard` wrote into",
                path.display()
            )));
        }
        files.extend(inner);
    }
    Ok(files)
}

fn open(path: &Path) -> Result<Part<PathBuf>, Error> {
    Part::open(path.to_path_buf()).map_err(|error| unreadable(path, &error))
}

fn unreadable(path: &Path, error: &PartError) -> Error {
    let message = format!("cannot read {}: {error}", path.display());
    match error {
        PartError::Io(e) if e.kind() != ErrorKind::NotFound => Error::Failed(message),
        PartError::Io(_) | PartError::Unreadable(_) => Error::Usage(message),
    }
}

/// The error's message, preceded by the names of the files concerned.
fn with_names(error: &MergeError, paths: &[PathBuf]) -> String {
    let name = |index: usize| paths.get(index).map(|path| path.display().to_string());
    match error.files() {
        Some([a, b]) => {
            let names: Vec<String> = [name(a), name(b)].into_iter().flatten().collect();
            format!("{}: {error}", names.join(" and "))
        }
        // A part that is run again goes to where the others are.
        None => match (error, paths.first().and_then(|path| path.parent())) {
            (MergeError::Missing { .. }, Some(dir)) if !dir.as_os_str().is_empty() => {
                format!("{error} --out {}", quoted(&dir.display().to_string()))
            }
            _ => error.to_string(),
        },
    }
}

fn check_version(header: &Header) -> Result<(), Error> {
    if header.version == VERSION {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "these parts were run by atl {}, and this is {VERSION}, whose results may differ: merge them with that version, or all the same with --other-builds",
        header.version
    )))
}

fn check_hash(header: &Header, scenario: &Scenario) -> Result<(), Error> {
    if header.hash == scenario.hash {
        return Ok(());
    }
    Err(Error::Usage(format!(
        "`{}` is no longer the scenario that these parts were run with (its hash is {}, not {}): restore it, or run the parts again",
        header.spec, scenario.hash, header.hash
    )))
}
