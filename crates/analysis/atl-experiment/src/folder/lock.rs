//! One process at a time writes into a directory for results.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the lock in the directory.
const LOCK: &str = ".atl.lock";

/// An advisory lock of the operating system on a file in the directory. A process that is killed frees it.
#[derive(Debug)]
pub(super) struct Lock {
    /// Freed when it is closed.
    _file: File,
    path: PathBuf,
}

/// Why there is no lock.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Another process has it.
    Taken,
    /// The system says no.
    Failed(io::Error),
}

impl Lock {
    /// Takes the lock of a directory, or refuses at once.
    pub(super) fn of(dir: &Path) -> Result<Lock, Refusal> {
        let path = dir.join(LOCK);
        loop {
            let file = OpenOptions::new().create(true).truncate(false).write(true).open(&path);
            let file = file.map_err(Refusal::Failed)?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(Refusal::Taken),
                Err(TryLockError::Error(e)) => return Err(Refusal::Failed(e)),
            }
            // Its last holder may have removed it just before it was freed: then others would lock another file.
            if is_at(&file, &path) {
                return Ok(Lock { _file: file, path });
            }
        }
    }

    /// The file to remove before the lock is freed.
    pub(super) fn path(&self) -> &Path {
        &self.path
    }
}

#[cfg(unix)]
fn is_at(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    match (file.metadata(), path.metadata()) {
        (Ok(a), Ok(b)) => (a.dev(), a.ino()) == (b.dev(), b.ino()),
        _ => false,
    }
}

/// Elsewhere an open file cannot be removed.
#[cfg(not(unix))]
fn is_at(_: &File, _: &Path) -> bool {
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_directory_has_one_lock_even_if_its_file_was_removed() {
        let dir = tempfile::tempdir().expect("a directory");
        let first = Lock::of(dir.path()).expect("free");
        assert!(matches!(Lock::of(dir.path()), Err(Refusal::Taken)));
        std::fs::remove_file(first.path()).expect("there");
        drop(first);
        let second = Lock::of(dir.path()).expect("free again");
        assert!(matches!(Lock::of(dir.path()), Err(Refusal::Taken)));
        drop(second);
        assert!(Lock::of(dir.path()).is_ok(), "what a killed process leaves is no obstacle");
    }
}
