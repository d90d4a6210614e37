//! What is staged, until it is finished or removed: by the one who writes, or by the handler of a signal.

use std::fs;
use std::mem;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Results that are neither in place nor removed.
#[derive(Debug)]
pub(super) struct Staged {
    /// Directory in which the files are staged.
    pub(super) staging: PathBuf,
    /// The locks on the directories for results.
    pub(super) locks: Vec<PathBuf>,
    /// Directories that were created for them, each before those that it lies in.
    pub(super) made: Vec<PathBuf>,
}

impl Staged {
    /// Removes what is staged, and the locks.
    pub(super) fn remove_staging(&self) {
        let _ = fs::remove_dir_all(&self.staging);
        for lock in &self.locks {
            let _ = fs::remove_file(lock);
        }
    }

    /// Removes everything except directories that somebody else has put something into.
    pub(super) fn remove(&self) {
        self.remove_staging();
        for dir in &self.made {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// What a [`Folder`](super::Folder) has staged, for those who may have to end the program before it is in place.
#[derive(Clone, Debug)]
pub struct Unfinished(Arc<Mutex<Option<Staged>>>);

impl Unfinished {
    pub(super) fn new(staged: Staged) -> Unfinished {
        Unfinished(Arc::new(Mutex::new(Some(staged))))
    }

    fn lock(&self) -> MutexGuard<'_, Option<Staged>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Removes what is staged, for a program that ends now: waits for an exchange that is under way, and lets none begin any
    /// more, as nobody gets past it. False if there was nothing, because everything is in place.
    pub fn remove_for_good(&self) -> bool {
        let mut staged = self.lock();
        let removed = staged.take().map(|staged| staged.remove()).is_some();
        mem::forget(staged);
        removed
    }

    /// Removes what is staged, if it has not been finished.
    pub(super) fn abandon(&self) {
        if let Some(staged) = self.lock().take() {
            staged.remove();
        }
    }

    /// Puts the staged files in place with `exchange`, which [`Unfinished::remove_for_good`] waits for, and which cleans up
    /// after itself. `None` if nothing is staged.
    pub(super) fn finish<T>(&self, exchange: impl FnOnce(Staged) -> T) -> Option<T> {
        let mut staged = self.lock();
        let taken = staged.take()?;
        Some(exchange(taken))
    }
}
