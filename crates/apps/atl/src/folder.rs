//! Preparing the directory for results.

use std::path::{Path, PathBuf};

use atl_experiment::Folder;

use crate::failure::Failure;
use crate::interrupt;

pub(crate) use atl_experiment::{REPORT, default_for, inner};

/// Prepares a directory for results and the directories `inner` below it. An interrupt removes
/// unfinished files there.
///
/// # Errors
/// If it cannot be written to, or if another process writes into one of them.
pub(crate) fn prepare(dir: &Path, inner: &[PathBuf]) -> Result<Folder, Failure> {
    Ok(interrupt::begin(|| Folder::prepare(dir, inner))?)
}
