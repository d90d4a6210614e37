//! `atl.path`: the best transport for a path.

use std::ffi::OsString;
use std::path::Path as File;

use atl_engine::Cancel;
use atl_experiment::default_for;
use atl_experiment::path::Answer;
use atl_scenario::Overrides;
use pyo3::prelude::*;

use crate::results::Result;
use crate::running::{Running, of_scenario};
use crate::{engines, errors};

/// Sends data with several transports over the path described by the words after `atl path`. Gives
/// the results, the answer as JSON, and the scenario's text.
#[pyfunction]
pub(crate) fn path(
    py: Python<'_>,
    words: Vec<OsString>,
    running: Running,
) -> PyResult<(Result, String, String)> {
    let described = atl::described(words).map_err(|wrong| errors::usage(py, wrong))?;
    let path = described.path();
    path.check().map_err(|wrong| errors::usage(py, wrong))?;
    let text = path.file();
    let origin = File::new("the path's scenario");
    let scenario = py
        .detach(|| {
            atl_scenario::parse(
                "path",
                &text,
                origin,
                &atl_scenario::no_files,
                &Overrides::default(),
            )
        })
        .map_err(|errors| errors::scenario(py, &errors))?;
    let engines = engines::choose(py, &running.on)?;
    let cancel = Cancel::default();
    let outcomes = of_scenario(py, scenario, &described.command(), &engines, &running, &cancel)?;
    let folder = default_for("path", &Overrides::default(), &running.on, &[]);
    let result = Result::of(py, outcomes, folder);
    let Some(outcome) = result.first() else {
        return Err(errors::failed(py, "no run has a result"));
    };
    let answer = serde_json::to_string(&Answer::of(&path, outcome));
    let answer = answer.map_err(|error| errors::failed(py, error))?;
    Ok((result, answer, text))
}
