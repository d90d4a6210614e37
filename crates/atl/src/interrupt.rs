//! Ctrl-C (and SIGTERM): what was begun is removed, and nothing is left half-written.

use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::INTERRUPTED;
use crate::output;

/// What is on the disk of a command that has not finished.
#[derive(Debug)]
pub struct Unfinished {
    /// Where its files are staged.
    pub staging: PathBuf,
    /// Directories that were made for it, innermost first.
    pub made: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes it all, but directories that somebody else has put something into.
    fn remove(&self) {
        let _ = std::fs::remove_dir_all(&self.staging);
        for dir in &self.made {
            if std::fs::remove_dir(dir).is_err() {
                break;
            }
        }
    }
}

static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on `unfinished` is removed if the program is interrupted.
pub fn begin(unfinished: Unfinished) {
    *lock() = Some(unfinished);
}

/// Removes what [`begin`] was told, if the command has not finished.
pub fn abandon() {
    if let Some(unfinished) = lock().take() {
        unfinished.remove();
    }
}

/// Puts the staged files in place with `commit`, which no signal cuts in two; then there is nothing left to
/// clean up but the emptied staging directory.
pub fn finish<T>(commit: impl FnOnce(&Path) -> T) -> Option<T> {
    let mut guard = lock();
    let unfinished = guard.take()?;
    let done = commit(&unfinished.staging);
    let _ = std::fs::remove_dir_all(&unfinished.staging);
    Some(done)
}

/// Makes Ctrl-C and SIGTERM clean up and end the program.
pub fn clean_up_on_signals() {
    let handler = || {
        // Waits for a commit that is under way. The lock is kept, so that no other begins.
        let mut guard = lock();
        if let Some(unfinished) = guard.take() {
            unfinished.remove();
            output::complain("\ninterrupted: nothing was written\n");
        }
        std::process::exit(INTERRUPTED);
    };
    // Without a handler the system's default ends the program too, and leaves a temporary directory.
    let _ = ctrlc::set_handler(handler);
}
