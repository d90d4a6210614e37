//! Preparing the directory for results.

use std::path::{Path, PathBuf};

use atl_experiment::Folder;

use atl_scenario::repeat;

use crate::failure::Failure;
use crate::interrupt;
use crate::output;

pub(crate) use atl_experiment::{REPORT, default_for, inner};

/// Prepares a directory for results and the directories `inner` below it. An interrupt removes
/// unfinished files there.
///
/// # Errors
/// If it cannot be written to, or if another process writes into one of them.
pub(crate) fn prepare(dir: &Path, inner: &[PathBuf]) -> Result<Folder, Failure> {
    Ok(interrupt::begin(|| Folder::prepare(dir, inner))?)
}

/// The command of earlier results in the folder, if they are of another scenario than those of
/// `command`. One that was edited is the same, whatever its hash.
pub(crate) fn of_another(folder: &Folder, command: &str) -> Option<String> {
    let earlier = folder.earlier_command()?;
    let of = |command: &str| repeat::subject(command).map(|spec| identity(&spec));
    (of(&earlier) != of(command)).then_some(earlier)
}

/// Warns of results of another scenario, given by their command, in a folder that nobody named.
pub(crate) fn warn_of_another(dir: &Path, earlier: Option<&str>) {
    if let Some(earlier) = earlier {
        output::error(&format!(
            "warning: {} has the results of `{earlier}`, which these will replace: name another folder with --out to keep both\n",
            dir.display()
        ));
    }
}

/// The file that a word names, otherwise the built-in scenario.
fn identity(spec: &str) -> PathBuf {
    let file = || Path::new(spec).canonicalize().ok().filter(|path| path.is_file());
    let builtin = || match atl_scenario::named(spec)[..] {
        [found] => Some(PathBuf::from(found.name)),
        _ => None,
    };
    file().or_else(builtin).unwrap_or_else(|| spec.into())
}
