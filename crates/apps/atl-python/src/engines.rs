//! Engines by name, as on the command line.

use atl_engine::Engine;
use pyo3::prelude::*;

use crate::errors;

/// The engines with these names.
///
/// # Errors
/// If a name is unknown or repeated.
pub(crate) fn choose(py: Python<'_>, names: &[String]) -> PyResult<Vec<&'static dyn Engine>> {
    atl_experiment::engines::choose(names).map_err(|error| errors::of(py, error))
}

/// Name and description of every engine.
#[pyfunction]
pub(crate) fn engines() -> Vec<(String, String)> {
    let all = atl_experiment::engines::all().iter();
    all.map(|engine| (engine.name().to_owned(), engine.about().to_owned())).collect()
}
