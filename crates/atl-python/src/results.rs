//! What a run gives.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use atl_report::data::{self, FILES, Format};
use atl_report::summary::Summary;
use atl_report::{Judged, Outcome, html, judge, store};
use pyo3::prelude::*;

use crate::errors;
use crate::table::Table;

/// Name of the report in a folder.
const REPORT: &str = "report.html";

/// Tables by name.
type Tables = Vec<(&'static str, Arc<Py<Table>>)>;

/// A scenario's results, on one host or several. `atl.Result` is built on it.
#[pyclass(frozen, subclass, module = "atl._atl")]
#[derive(Debug)]
pub(crate) struct Result {
    outcomes: Vec<Outcome>,
    judged: Vec<Vec<Judged>>,
    /// The tables, once they were asked for.
    tables: RwLock<Option<Tables>>,
}

impl Result {
    /// Results of one scenario, an outcome for each host.
    pub(crate) fn of(py: Python<'_>, outcomes: Vec<Outcome>) -> Result {
        let judged = py.detach(|| outcomes.iter().map(judge).collect());
        Result { outcomes, judged, tables: RwLock::new(None) }
    }

    /// The first host's outcome.
    pub(crate) fn first(&self) -> Option<&Outcome> {
        self.outcomes.first()
    }

    fn tables(&self, py: Python<'_>) -> PyResult<Tables> {
        let known = self.tables.read().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(known) = known {
            return Ok(known);
        }
        let built = py.detach(|| {
            let tables = data::tables(&self.outcomes).into_iter();
            tables
                .map(|table| Ok((table.name, Table::of(table)?)))
                .collect::<std::result::Result<Vec<_>, arrow_schema::ArrowError>>()
        });
        let built = built.map_err(|error| errors::failed(py, error))?.into_iter();
        let built: Vec<_> = built
            .map(|(name, table)| Ok((name, Arc::new(Py::new(py, table)?))))
            .collect::<PyResult<_>>()?;
        let mut tables = self.tables.write().unwrap_or_else(PoisonError::into_inner);
        Ok(tables.get_or_insert(built).clone())
    }

    /// Writes everything into `new`.
    fn write(&self, new: &Path, csv: bool) -> io::Result<()> {
        data::write(new, &self.outcomes, Format::Parquet)?;
        if csv {
            data::write(new, &self.outcomes, Format::Csv)?;
        }
        store::write_text(&new.join(REPORT), &html::page(&self.outcomes, &self.judged))
    }
}

/// Names of files that a run may leave in its folder.
fn managed() -> impl Iterator<Item = String> {
    let data = FILES.iter().flat_map(|name| [format!("{name}.parquet"), format!("{name}.csv")]);
    data.chain([REPORT.to_owned()])
}

/// Writes into a folder inside `dir`, and moves the files into place when all are there.
fn exchange(dir: &Path, fill: impl FnOnce(&Path) -> io::Result<()>) -> io::Result<Vec<PathBuf>> {
    fs::create_dir_all(dir)?;
    let staging = tempfile::Builder::new().prefix(".atl-").tempdir_in(dir)?;
    fill(staging.path())?;
    let mut placed = Vec::new();
    for name in managed() {
        let (new, place) = (staging.path().join(&name), dir.join(&name));
        if new.exists() {
            fs::rename(&new, &place)?;
            placed.push(place);
        } else if place.is_file() {
            // Of an earlier run: it would be taken for this one's.
            fs::remove_file(&place)?;
        }
    }
    placed.sort();
    Ok(placed)
}

#[pymethods]
impl Result {
    /// Name of the scenario.
    #[getter]
    fn name(&self) -> String {
        self.first().map(|outcome| outcome.scenario.name.clone()).unwrap_or_default()
    }

    /// What the scenario asks, in a line.
    #[getter]
    fn title(&self) -> String {
        self.first().map(|outcome| outcome.scenario.title.clone()).unwrap_or_default()
    }

    /// SHA-256 of everything that decides the results, in hex.
    #[getter]
    fn hash(&self) -> String {
        self.first().map(|outcome| outcome.scenario.hash.clone()).unwrap_or_default()
    }

    /// The command that gives the same results.
    #[getter]
    fn command(&self) -> String {
        self.first().map(|outcome| outcome.command.clone()).unwrap_or_default()
    }

    /// The scenario's text.
    #[getter]
    fn text(&self) -> String {
        self.first().map(|outcome| outcome.scenario.text.clone()).unwrap_or_default()
    }

    /// What has no effect in the scenario, or is probably not meant; empty if nothing is.
    #[getter]
    fn warnings(&self) -> String {
        self.first().map(|outcome| outcome.scenario.warnings.render(false)).unwrap_or_default()
    }

    /// Names of the tables that there are.
    #[getter]
    fn table_names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        Ok(self.tables(py)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The table with this name, if the results have one.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<Table>>> {
        let found = self.tables(py)?.into_iter().find(|(known, _)| *known == name);
        Ok(found.map(|(_, table)| table.clone_ref(py)))
    }

    /// The report, a page of HTML.
    fn page(&self, py: Python<'_>) -> String {
        py.detach(|| html::page(&self.outcomes, &self.judged))
    }

    /// Means, intervals and verdicts for each host, as JSON.
    fn summaries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let each = self.outcomes.iter().zip(&self.judged);
        each.map(|(outcome, judged)| {
            let json = py.detach(|| Summary::new(outcome, judged).json());
            json.map_err(|error| errors::failed(py, error))
        })
        .collect()
    }

    /// Writes the report and the data files; gives their paths.
    fn save(&self, py: Python<'_>, folder: PathBuf, csv: bool) -> PyResult<Vec<PathBuf>> {
        let saved = py.detach(|| exchange(&folder, |new| self.write(new, csv)));
        saved.map_err(|error| {
            errors::failed(py, format!("cannot write results into {}: {error}", folder.display()))
        })
    }
}
