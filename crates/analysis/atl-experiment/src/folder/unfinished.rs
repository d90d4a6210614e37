//! Removal of staged files, shared between the writer and the handler of a signal.

use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results neither in place nor removed yet.
#[derive(Debug)]
pub(super) struct Staged {
    pub(super) staging: PathBuf,
    /// Lock files in the directories for results.
    pub(super) locks: Vec<PathBuf>,
    /// Directories created for the results, innermost first.
    pub(super) made: Vec<PathBuf>,
}

impl Staged {
    /// Removes the staging directory and the locks.
    pub(super) fn remove_staging(&self) {
        let _ = fs::remove_dir_all(&self.staging);
        for lock in &self.locks {
            let _ = fs::remove_file(lock);
        }
    }

    /// Removes the directories made for the results as well, except those that hold other files by
    /// now.
    pub(super) fn remove(&self) {
        self.remove_staging();
        for dir in &self.made {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// Handle to what a [`Folder`](super::Folder) has staged, for a program that has to end before it
/// is in place.
#[derive(Clone, Debug)]
pub struct Unfinished(Arc<Mutex<Option<Staged>>>);

impl Unfinished {
    pub(super) fn new(staged: Staged) -> Unfinished {
        Unfinished(Arc::new(Mutex::new(Some(staged))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Staged>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what is staged before the program ends. Waits for an exchange under way and then
    /// keeps the lock, so that none can begin. False if there was nothing to remove, since
    /// everything is in place.
    pub fn remove_for_good(&self) -> bool {
        let mut staged = self.lock();
        let removed = staged.take().map(|staged| staged.remove()).is_some();
        mem::forget(staged);
        removed
    }

    /// Removes what is staged unless it is in place already.
    pub(super) fn abandon(&self) {
        if let Some(staged) = self.lock().take() {
            staged.remove();
        }
    }

    /// Puts the staged files in place with `exchange`, which has to clean up after itself.
    /// [`Unfinished::remove_for_good`] waits for it. `None` if nothing is staged.
    pub(super) fn finish<T>(&self, exchange: impl FnOnce(Staged) -> T) -> Option<T> {
        let mut staged = self.lock();
        let taken = staged.take()?;
        Some(exchange(taken))
    }
}
