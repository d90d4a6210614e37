//! The command line as the Python package installs it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Carries out a command line whose first word is the program's name, and gives the exit status.
/// `itself` holds the words that start the command again. Needs a process of its own, since it
/// handles signals and ends the process at one.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>, itself: Vec<OsString>) -> u8 {
    py.detach(|| atl::App::new().started_by(itself).run(words))
}
