//! Keeping other processes from writing into the same directory.

use std::fs::{File, OpenOptions, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the lock in the directory.
const LOCK: &str = ".atl.lock";

/// An advisory lock of the operating system on a file in the directory, released even if the
/// process is killed.
#[derive(Debug)]
pub(super) struct Lock {
    /// Closing it releases the lock.
    _file: File,
    path: PathBuf,
}

/// The reason why the lock was not taken.
#[derive(Debug)]
pub(super) enum Refusal {
    /// Another process holds it.
    Taken,
    /// The lock file cannot be created or locked.
    Failed(io::Error),
}

impl Lock {
    /// Takes the lock of a directory without waiting.
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
            // The last holder may have removed the file between opening and locking; another
            // process would then lock a new one.
            if is_at(&file, &path) {
                return Ok(Lock { _file: file, path });
            }
        }
    }

    /// Path of the lock file, which is removed before the lock is released.
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

/// Other systems do not remove an open file, so the path still leads to it.
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
