//! Sweeps in parts: each part leaves a file, and all files together give the whole.

use std::env::temp_dir;
use std::fs;
use std::num::NonZeroUsize;
use std::path::PathBuf;
use std::sync::Arc;

use atl_engine::store::Room;
use atl_engine::{Cancel, Engine, Options};
use atl_experiment::shard::{Builds, Header, Part, Shard};
use atl_experiment::{Error, Merging, default_for, part, running as runs};
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, Packed};
use pyo3::prelude::*;

use crate::opening::Request;
use crate::results::Result;
use crate::running::{check, told};
use crate::{engines, errors, waiting};

/// A packed scenario: its name, its path, its text, and paths and texts of its traces.
type PackedParts = (String, PathBuf, String, Vec<(PathBuf, String)>);

/// A sweep carried out in parts, on this machine or others.
#[pyclass(frozen, module = "atl._atl")]
#[derive(Debug)]
pub(crate) struct Sweep {
    scenario: Arc<Scenario>,
    packed: Packed,
    spec: String,
    changes: Overrides,
    on: Vec<String>,
    engines: Vec<&'static dyn Engine>,
}

impl Sweep {
    fn of(
        py: Python<'_>,
        request: &Request,
        on: Vec<String>,
        scenario: Scenario,
        packed: Packed,
    ) -> PyResult<Sweep> {
        let engines = engines::choose(py, &on)?;
        check(py, &engines, &scenario)?;
        let (spec, changes) = (request.spec.clone(), request.overrides());
        Ok(Sweep { scenario: Arc::new(scenario), packed, spec, changes, on, engines })
    }

    fn header(&self, shard: Shard) -> Header {
        part::header(&self.spec, &self.changes, &self.on, &self.scenario, &self.engines, shard)
    }
}

/// Checks the numbers of part `number` of `of`.
fn shard(py: Python<'_>, number: u32, of: u32) -> PyResult<Shard> {
    Shard::new(number, of).ok_or_else(|| {
        let text = format!(
            "shard=({number}, {of}): expected (k, n) with k from 1 to n, and n up to {}",
            Shard::MOST
        );
        errors::usage(py, text)
    })
}

#[pymethods]
impl Sweep {
    /// Opens a scenario on engines that can run it.
    #[new]
    fn new(py: Python<'_>, request: Request, on: Vec<String>) -> PyResult<Sweep> {
        let opened = py.detach(|| request.pack());
        let (scenario, packed) = opened.map_err(|errors| errors::scenario(py, &errors))?;
        Sweep::of(py, &request, on, scenario, packed)
    }

    /// Opens a scenario packed on another machine, with the same changes.
    #[staticmethod]
    fn unpack(
        py: Python<'_>,
        request: Request,
        on: Vec<String>,
        packed: PackedParts,
    ) -> PyResult<Sweep> {
        let (name, origin, text, traces) = packed;
        let packed = Packed { name, origin, text, traces: traces.into_iter().collect() };
        let opened = py.detach(|| packed.unpack(&request.overrides()));
        let scenario = opened.map_err(|errors| errors::scenario(py, &errors))?;
        Sweep::of(py, &request, on, scenario, packed)
    }

    /// Arguments for [`Sweep::unpack`].
    #[getter]
    fn packed(&self) -> PackedParts {
        let Packed { name, origin, text, traces } = self.packed.clone();
        (name, origin, text, traces.into_iter().collect())
    }

    /// Name of the scenario.
    #[getter]
    fn name(&self) -> &str {
        &self.scenario.name
    }

    /// SHA-256 over all that decides the results, in hexadecimal.
    #[getter]
    fn hash(&self) -> &str {
        &self.scenario.hash
    }

    /// Number of runs over all engines.
    #[getter]
    fn runs(&self) -> usize {
        self.scenario.runs() * self.engines.len()
    }

    /// Simulated seconds over all runs.
    #[getter]
    fn seconds(&self) -> f64 {
        self.scenario.simulated().secs() * self.engines.len() as f64
    }

    /// Number of runs in a part, over all engines.
    fn runs_of(&self, py: Python<'_>, number: u32, of: u32) -> PyResult<usize> {
        Ok(shard(py, number, of)?.runs(self.scenario.runs()).len() * self.engines.len())
    }

    /// Carries out a part, writes its results into `folder`, and gives the file's path.
    #[pyo3(signature = (number, of, folder, jobs=None, report=None))]
    fn run_part(
        &self,
        py: Python<'_>,
        number: u32,
        of: u32,
        folder: PathBuf,
        jobs: Option<NonZeroUsize>,
        report: Option<Py<PyAny>>,
    ) -> PyResult<PathBuf> {
        let shard = shard(py, number, of)?;
        let made = fs::create_dir_all(&folder);
        made.map_err(|e| errors::of(py, Error::file("create", &folder, &e)))?;
        let cancel = Cancel::default();
        let room = Arc::new(Room::default());
        let mut results = Vec::new();
        for &engine in &self.engines {
            let ended = waiting::wait(py, report.as_ref(), &cancel, |progress| {
                let options = Options { jobs, cancel: &cancel, progress };
                runs::part(engine, &self.scenario, shard, &room, &folder, options)
            })?;
            results.push(told(py, ended)?);
        }
        let path = part::file(&folder, shard);
        let written = py.detach(|| part::write(&path, &self.header(shard), &results));
        written.map_err(|error| errors::of(py, error))?;
        Ok(path)
    }

    /// The reason why a file is not the complete result of this part of this sweep; `None` if it
    /// is.
    fn unfit(
        &self,
        py: Python<'_>,
        number: u32,
        of: u32,
        file: PathBuf,
    ) -> PyResult<Option<String>> {
        let shard = shard(py, number, of)?;
        let unfit = py.detach(|| match Part::open(file) {
            Ok(part) if *part.header() == self.header(shard) => None,
            Ok(_) => Some("it is a part of another sweep, or of another build of atl".to_owned()),
            Err(error) => Some(error.to_string()),
        });
        Ok(unfit)
    }

    /// Merges the parts in these files.
    fn merge(&self, py: Python<'_>, files: Vec<PathBuf>) -> PyResult<Result> {
        let scenario = Arc::clone(&self.scenario);
        let outcomes = py.detach(|| Merging::with(&files, scenario)?.outcomes(&temp_dir()));
        let folder = default_for(&self.scenario.name, &self.changes, &self.on, &[]);
        Ok(Result::of(py, outcomes.map_err(|error| errors::of(py, error))?, folder))
    }
}

/// Merges the parts in these files and folders; those of other builds only on demand.
#[pyfunction]
#[pyo3(signature = (named, other_builds = false))]
pub(crate) fn merge(py: Python<'_>, named: Vec<PathBuf>, other_builds: bool) -> PyResult<Result> {
    let builds = if other_builds { Builds::Any } else { Builds::Same };
    let merged = py.detach(|| {
        let merging = Merging::open(&named, builds)?;
        let folder = merging.folder();
        Ok::<_, Error>((merging.outcomes(&temp_dir())?, folder))
    });
    let (outcomes, folder) = merged.map_err(|error| errors::of(py, error))?;
    Ok(Result::of(py, outcomes, folder))
}
