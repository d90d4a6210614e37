//! The directory for results, whose files are replaced together or not at all.

mod disk;
mod exchange;
mod lock;
mod name;
mod own;
mod unfinished;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use atl_report::data;

use crate::error::Error;
use disk::Real;
use exchange::Exchange;
use lock::{Lock, Refusal};
use unfinished::Staged;

pub use name::{default_for, inner};
pub use own::REPORT;
pub use unfinished::Unfinished;

/// A directory for results, locked against other processes. Files are staged in a hidden directory
/// inside it and exchanged for the old ones at the end. Dropping it before that removes them; a
/// program that is interrupted removes [`Folder::unfinished`].
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    staged: PathBuf,
    unfinished: Unfinished,
    _locks: Vec<Lock>,
}

/// Prefix of the names of staging directories.
const STAGING: &str = ".atl-";

impl Folder {
    /// Creates the directory if it is missing and locks it, together with the directories `inner`
    /// below it. Checks that it is writable and that nothing but files of ours stands where the
    /// report and data files go. Finishes or removes what a killed process has left.
    ///
    /// # Errors
    /// If a check fails, or if another process writes into one of the directories.
    pub fn prepare(dir: &Path, inner: &[PathBuf]) -> Result<Folder, Error> {
        let mut taken = Taken::default();
        let staged = taken.take(dir, inner).and_then(|()| {
            let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(dir);
            Ok(staging.map_err(|e| unwritable(dir, &e))?.keep())
        });
        let staging = match staged {
            Ok(staging) => staging,
            Err(failure) => {
                taken.give_back();
                return Err(failure);
            }
        };
        let Taken { made, locks } = taken;
        let staged = staging.join(exchange::NEW);
        let names = locks.iter().map(|lock| lock.path().to_path_buf()).collect();
        let unfinished = Unfinished::new(Staged { staging, locks: names, made });
        fs::create_dir(&staged).map_err(|e| {
            unfinished.abandon();
            unwritable(dir, &e)
        })?;
        Ok(Folder { dir: dir.to_path_buf(), staged, unfinished, _locks: locks })
    }

    /// Handle for an interrupted program to remove the staged files with.
    pub fn unfinished(&self) -> Unfinished {
        self.unfinished.clone()
    }

    /// A file of earlier results directly in the directory, if there is one.
    pub fn earlier(&self) -> Option<PathBuf> {
        let names = [REPORT.to_owned()].into_iter().chain(exchange::managed());
        names.map(|name| self.dir.join(name)).find(|path| path.exists())
    }

    /// The command of the earlier results directly in the directory, if they tell it.
    pub fn earlier_command(&self) -> Option<String> {
        data::command(&self.dir.join(exchange::RUNS))
    }

    /// Directory in which to write files, from which [`Folder::commit`] moves them into place.
    pub fn staging(&self) -> &Path {
        &self.staged
    }

    /// Replaces the old files by all staged ones and returns the paths of the new ones, sorted.
    /// Data files of an earlier run without a successor are removed, since they would pass for this
    /// run's. Other files stay.
    ///
    /// # Errors
    /// If a file cannot be replaced, or is somebody else's by now. In that case none is.
    pub fn commit(self) -> Result<Vec<PathBuf>, Error> {
        let exchanged = |staged: Staged| {
            let staging = &staged.staging;
            let failed = |e: io::Error| unwritable(&self.dir, &e);
            let done = Exchange::of(staging).map_err(failed).and_then(|exchange| {
                // Others may have put files there during the runs.
                own::foreign(&self.dir, exchange.paths())?;
                exchange.carry_out(&Real, staging, &self.dir).map_err(failed)?;
                Ok(exchange.placed(&self.dir))
            });
            match &done {
                Ok(_) => staged.remove_staging(),
                // The exchange could neither be finished nor undone: the next process finishes it
                // from the staging directory.
                Err(_) if exchange::has_begun(staging) => {}
                Err(_) => staged.remove(),
            }
            done
        };
        let interrupted = || Err(Error::Failed("interrupted".to_owned()));
        self.unfinished.finish(exchanged).unwrap_or_else(interrupted)
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        self.unfinished.abandon();
    }
}

fn unwritable(dir: &Path, error: &io::Error) -> Error {
    Error::file("write results into", dir, error)
}

/// Directories created and locked so far.
#[derive(Default)]
struct Taken {
    /// Those created, innermost first.
    made: Vec<PathBuf>,
    locks: Vec<Lock>,
}

impl Taken {
    /// Creates and locks the directory and those in `inner`.
    fn take(&mut self, dir: &Path, inner: &[PathBuf]) -> Result<(), Error> {
        // Each only once, since a second lock on the same directory would be refused.
        let below: BTreeSet<PathBuf> =
            inner.iter().filter(|i| i.components().next().is_some()).map(|i| dir.join(i)).collect();
        self.lock(dir)?;
        let mut files = vec![PathBuf::from(REPORT)];
        for inner in inner {
            files.extend(exchange::managed().map(|name| inner.join(name)));
        }
        let free = exchange::obstacles(dir, files.iter());
        free.map_err(|e| Error::Usage(format!("cannot write results: {e}")))?;
        own::foreign(dir, files.iter())?;
        below.iter().try_for_each(|dir| self.lock(dir))
    }

    fn lock(&mut self, dir: &Path) -> Result<(), Error> {
        let missing = dir.ancestors().take_while(|d| !d.as_os_str().is_empty() && !d.exists());
        let missing: Vec<PathBuf> = missing.map(Path::to_path_buf).collect();
        let made = fs::create_dir_all(dir);
        self.made.splice(..0, missing.into_iter().filter(|d| d.exists()));
        made.map_err(|e| unwritable(dir, &e))?;
        match Lock::of(dir) {
            Ok(lock) => self.locks.push(lock),
            Err(Refusal::Taken) => {
                let dir = dir.display();
                return Err(Error::Usage(format!(
                    "another process writes results into {dir}: wait for it, or name another directory"
                )));
            }
            Err(Refusal::Failed(e)) => return Err(unwritable(dir, &e)),
        }
        clean_up(dir).map_err(|e| unwritable(dir, &e))
    }

    /// Releases the locks and removes the directories created.
    fn give_back(self) {
        for lock in &self.locks {
            let _ = fs::remove_file(lock.path());
        }
        for dir in &self.made {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// Finishes or removes what killed processes have left. Needs the lock: no other process is at work
/// then.
fn clean_up(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let staging = entry.file_name().to_str().is_some_and(is_staging);
        if staging && entry.file_type()?.is_dir() {
            Exchange::finish(&Real, &entry.path(), dir)?;
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// True for the names of our staging directories: the prefix and the six characters that `tempfile`
/// adds.
fn is_staging(name: &str) -> bool {
    let rest = name.strip_prefix(STAGING);
    rest.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}
