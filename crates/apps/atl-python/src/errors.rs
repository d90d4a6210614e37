//! Errors as exceptions of `atl.errors`, with the command line's texts.

use std::fmt::Display;

use atl_engine::Gaps;
use atl_experiment::Error;
use atl_scenario::Errors;
use pyo3::prelude::*;
use pyo3::types::{PyDict, PyList};

/// An exception of this class from `text` and the class's other arguments.
fn exception(py: Python<'_>, class: &str, text: &str, more: Option<Bound<'_, PyAny>>) -> PyErr {
    let built = py.import("atl.errors").and_then(|module| {
        let class = module.getattr(class)?;
        match more {
            Some(more) => class.call1((text, more)),
            None => class.call1((text,)),
        }
    });
    built.map_or_else(|error| error, PyErr::from_value)
}

/// `ScenarioError` with all mistakes in a scenario.
pub(crate) fn scenario(py: Python<'_>, errors: &Errors) -> PyErr {
    let all = PyList::empty(py);
    for report in errors.reports() {
        let problem = PyDict::new(py);
        let filled = problem
            .set_item("file", report.file)
            .and_then(|()| problem.set_item("line", report.line))
            .and_then(|()| problem.set_item("column", report.column))
            .and_then(|()| problem.set_item("key", report.key))
            .and_then(|()| problem.set_item("value", report.value))
            .and_then(|()| problem.set_item("message", report.message))
            .and_then(|()| problem.set_item("help", report.help))
            .and_then(|()| all.append(problem));
        if let Err(error) = filled {
            return error;
        }
    }
    exception(py, "ScenarioError", &errors.render(false), Some(all.into_any()))
}

/// `EngineError` with features that engines lack.
pub(crate) fn gaps(py: Python<'_>, gaps: &Gaps) -> PyErr {
    let reports = serde_json::to_string(&gaps.reports()).unwrap_or_else(|_| "[]".to_owned());
    let parsed = py.import("json").and_then(|json| json.call_method1("loads", (reports,)));
    match parsed {
        Ok(reports) => exception(py, "EngineError", &gaps.to_string(), Some(reports)),
        Err(error) => error,
    }
}

/// The exception for an error of the command line.
pub(crate) fn of(py: Python<'_>, error: Error) -> PyErr {
    match error {
        Error::Scenario(errors) => scenario(py, &errors),
        Error::Gaps(reports) => gaps(py, &reports),
        Error::Usage(text) => usage(py, text),
        Error::Failed(text) => failed(py, text),
    }
}

/// `UsageError` for arguments that contradict each other or name something unknown.
pub(crate) fn usage(py: Python<'_>, text: impl Display) -> PyErr {
    exception(py, "UsageError", &text.to_string(), None)
}

/// `RunError` for a run or a file operation that failed.
pub(crate) fn failed(py: Python<'_>, text: impl Display) -> PyErr {
    exception(py, "RunError", &text.to_string(), None)
}
