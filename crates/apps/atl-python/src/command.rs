//! The command line, as the package installs it.

use std::ffi::OsString;

use pyo3::prelude::*;

/// Carries out a command line, whose first word is the program's name; gives the exit status. `itself` holds the words that
/// start the command once more. For a process of its own: it handles signals, and ends the process where one comes.
#[pyfunction]
pub(crate) fn command(py: Python<'_>, words: Vec<OsString>, itself: Vec<OsString>) -> u8 {
    py.detach(|| atl::main(words, itself))
}
