//! Opening scenarios by name, from a file or from a text.

use std::fs;
use std::io::ErrorKind;
use std::path::Path;

use atl_scenario::scenario::Scenario;
use atl_scenario::{Errors, Outline, Overrides, Packed, outlines};
use pyo3::prelude::*;

use crate::errors;

/// Source of a scenario, and changes to it.
#[derive(Clone, Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Request {
    /// A file or the name of a built-in scenario; with `text` its name in messages.
    pub spec: String,
    /// Text of a scenario without a file.
    pub text: Option<String>,
    set: Vec<(String, String)>,
    seeds: Option<String>,
    duration: Option<String>,
    quick: bool,
}

impl Request {
    /// The changes as the scenario's reader takes them.
    pub(crate) fn overrides(&self) -> Overrides {
        Overrides {
            set: self.set.clone(),
            seeds: self.seeds.clone(),
            duration: self.duration.clone(),
            quick: self.quick,
            options: Vec::new(),
        }
    }

    fn read(&self) -> Result<Scenario, Errors> {
        let overrides = self.overrides();
        match &self.text {
            None => atl_scenario::open(&self.spec, &overrides),
            Some(text) => {
                // As from standard input: relative paths of traces start at the working directory.
                let mut bytes = text.as_bytes();
                atl_scenario::read_from(&mut bytes, &self.spec, &overrides)
            }
        }
    }

    /// Opens the scenario, and packs it for another machine.
    ///
    /// # Errors
    /// All mistakes in it.
    pub(crate) fn pack(&self) -> Result<(Scenario, Packed), Errors> {
        let overrides = self.overrides();
        match &self.text {
            None => Packed::open(&self.spec, &overrides),
            Some(text) => Packed::text(&self.spec, text, &overrides),
        }
    }

    /// Opens the scenario with the interpreter's lock released.
    ///
    /// # Errors
    /// `ScenarioError`.
    pub(crate) fn open(&self, py: Python<'_>) -> PyResult<Scenario> {
        let read = py.detach(|| self.read());
        read.map_err(|errors| errors::scenario(py, &errors))
    }
}

/// Checks a scenario. Gives its name, its number of runs, and its warnings as text.
#[pyfunction]
pub(crate) fn validate(py: Python<'_>, request: Request) -> PyResult<(String, usize, String)> {
    let scenario = request.open(py)?;
    let warnings = scenario.warnings.render(false);
    Ok((scenario.name.clone(), scenario.runs(), warnings))
}

/// Name and title of every built-in scenario.
#[pyfunction]
pub(crate) fn builtin() -> Vec<(&'static str, &'static str)> {
    let title = |outline: &'static Outline| (outline.name.as_str(), outline.title.as_str());
    outlines().iter().map(title).collect()
}

/// The JSON Schema of scenario files.
#[pyfunction]
pub(crate) fn schema() -> String {
    atl_scenario::json_schema()
}

/// Text of a scenario in a file, or of a built-in one by name.
#[pyfunction]
pub(crate) fn text_of(py: Python<'_>, spec: &str) -> PyResult<String> {
    if Path::new(spec).is_file() {
        return fs::read_to_string(spec)
            .map_err(|e| errors::failed(py, format!("cannot read {spec}: {e}")));
    }
    match atl_scenario::named(spec)[..] {
        [found] => Ok(found.copy().to_owned()),
        // The reader's error suggests names.
        _ => {
            let wrong = atl_scenario::open(spec, &Overrides::default());
            let unknown = || errors::usage(py, format!("`{spec}`: {}", ErrorKind::NotFound));
            Err(wrong.err().map_or_else(unknown, |e| errors::scenario(py, &e)))
        }
    }
}
