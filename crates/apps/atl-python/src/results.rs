//! Results of runs as a Python class.

use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError, RwLock};

use atl_experiment::{Error, Folder, write};
use atl_report::data;
use atl_report::summary::Summary;
use atl_report::{Judged, Outcome, html, judge};
use pyo3::prelude::*;

use crate::errors;
use crate::table::Table;

type Tables = Vec<(&'static str, Arc<Py<Table>>)>;

/// A scenario's results on one engine or several; the base class of `atl.Result`.
#[pyclass(frozen, subclass, module = "atl._atl")]
#[derive(Debug)]
pub(crate) struct Result {
    outcomes: Vec<Outcome>,
    judged: Vec<Vec<Judged>>,
    /// Where [`save`](Result::save) writes unless told otherwise.
    folder: PathBuf,
    /// The tables, built when first requested.
    tables: RwLock<Option<Tables>>,
}

impl Result {
    /// Results of one scenario, with an outcome for each engine. `folder` is the default for
    /// [`save`](Result::save).
    pub(crate) fn of(py: Python<'_>, outcomes: Vec<Outcome>, folder: PathBuf) -> Result {
        let judged = py.detach(|| outcomes.iter().map(judge).collect());
        Result { outcomes, judged, folder, tables: RwLock::new(None) }
    }

    /// Outcome of the first engine.
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

    /// Writes all files into a folder, as the command line does.
    fn write(
        &self,
        dir: &Path,
        csv: bool,
        overwrite: bool,
    ) -> std::result::Result<Vec<PathBuf>, Error> {
        let folder = Folder::prepare(dir, &[PathBuf::new()])?;
        if let Some(earlier) = folder.earlier().filter(|_| !overwrite) {
            return Err(Error::Usage(format!(
                "{} is there already: name another folder, or say overwrite=True to replace the results in this one",
                earlier.display()
            )));
        }
        write::data(folder.staging(), &self.outcomes, csv)?;
        write::page(folder.staging(), &self.outcomes, &self.judged)?;
        folder.commit()
    }
}

#[pymethods]
impl Result {
    /// Name of the scenario.
    #[getter]
    fn name(&self) -> String {
        self.first().map(|outcome| outcome.scenario.name.clone()).unwrap_or_default()
    }

    /// The question that the scenario asks, in one line.
    #[getter]
    fn title(&self) -> String {
        self.first().map(|outcome| outcome.scenario.title.clone()).unwrap_or_default()
    }

    /// SHA-256 over all that decides the results, in hexadecimal.
    #[getter]
    fn hash(&self) -> String {
        self.first().map(|outcome| outcome.scenario.hash.clone()).unwrap_or_default()
    }

    /// Command that repeats the runs.
    #[getter]
    fn command(&self) -> String {
        self.first().map(|outcome| outcome.command.clone()).unwrap_or_default()
    }

    /// Text of the scenario.
    #[getter]
    fn text(&self) -> String {
        self.first().map(|outcome| outcome.scenario.text.clone()).unwrap_or_default()
    }

    /// Parts of the scenario that have no effect or are probably not meant; empty without any.
    #[getter]
    fn warnings(&self) -> String {
        self.first().map(|outcome| outcome.scenario.warnings.render(false)).unwrap_or_default()
    }

    /// Where results are saved unless another folder is named.
    #[getter]
    fn folder(&self) -> PathBuf {
        self.folder.clone()
    }

    /// Names of the tables in the results.
    #[getter]
    fn table_names(&self, py: Python<'_>) -> PyResult<Vec<&'static str>> {
        Ok(self.tables(py)?.into_iter().map(|(name, _)| name).collect())
    }

    /// The table with this name; `None` if the results have none.
    fn table(&self, py: Python<'_>, name: &str) -> PyResult<Option<Py<Table>>> {
        let found = self.tables(py)?.into_iter().find(|(known, _)| *known == name);
        Ok(found.map(|(_, table)| table.clone_ref(py)))
    }

    /// The report as an HTML page.
    fn page(&self, py: Python<'_>) -> String {
        py.detach(|| html::page(&self.outcomes, &self.judged))
    }

    /// Means, intervals and verdicts for each engine, as JSON.
    fn summaries(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        let each = self.outcomes.iter().zip(&self.judged);
        each.map(|(outcome, judged)| {
            let json = py.detach(|| Summary::new(outcome, judged).json());
            json.map_err(|error| errors::failed(py, error))
        })
        .collect()
    }

    /// Writes the report and the data files, all or none, and gives their paths.
    fn save(
        &self,
        py: Python<'_>,
        folder: PathBuf,
        csv: bool,
        overwrite: bool,
    ) -> PyResult<Vec<PathBuf>> {
        let saved = py.detach(|| self.write(&folder, csv, overwrite));
        saved.map_err(|error| errors::of(py, error))
    }
}
