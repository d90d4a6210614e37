//! The directory for results: all files in it are replaced together, or none.

mod exchange;
mod lock;
mod unfinished;

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::error::Error;
use exchange::Exchange;
use lock::{Lock, Refusal};
use unfinished::Staged;

pub use unfinished::Unfinished;

/// Name of the report in the directory.
pub const REPORT: &str = "report.html";

/// Where a scenario's results go by default: `out/` and its name, without anything that leads out of it.
pub fn default_for(name: &str) -> PathBuf {
    Path::new("out").join(inner(name))
}

/// A scenario's name as a relative path that only leads downwards.
pub fn inner(name: &str) -> PathBuf {
    let normal = |c: Component<'_>| match c {
        Component::Normal(part) => Some(part.to_owned()),
        _ => None,
    };
    Path::new(name).components().filter_map(normal).collect()
}

/// A directory for results, which no other process writes into meanwhile. Files are staged in a hidden directory inside
/// it and exchanged for the old ones at the end. If it is dropped before that, nothing is left behind; a program that is
/// interrupted removes what is [unfinished](Folder::unfinished).
#[derive(Debug)]
pub struct Folder {
    dir: PathBuf,
    staged: PathBuf,
    unfinished: Unfinished,
    _locks: Vec<Lock>,
}

/// Prefix of staging directories.
const STAGING: &str = ".atl-";

impl Folder {
    /// Creates the directory if it is missing, and makes sure that it can be written to and that nothing stands in the
    /// way of the report and of data files in `inner`, directories below it. Nobody else writes into any of these
    /// meanwhile. What a killed process has left is cleaned up.
    ///
    /// # Errors
    /// If it cannot, or if another process writes into one of them.
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

    /// What an interrupted program has to remove.
    pub fn unfinished(&self) -> Unfinished {
        self.unfinished.clone()
    }

    /// A file of earlier results in the directory itself, if there is one.
    pub fn earlier(&self) -> Option<PathBuf> {
        let names = [REPORT.to_owned()].into_iter().chain(exchange::managed());
        names.map(|name| self.dir.join(name)).find(|path| path.exists())
    }

    /// Where files are written before they are moved into place.
    pub fn staging(&self) -> &Path {
        &self.staged
    }

    /// Exchanges the old files for every staged one, and returns their paths, sorted. Data files of an earlier run that
    /// this one does not replace are removed: they would be taken for its own. Other files are not touched.
    ///
    /// # Errors
    /// If a file cannot be replaced. Then none is.
    pub fn commit(self) -> Result<Vec<PathBuf>, Error> {
        let exchanged = |staged: Staged| {
            let staging = &staged.staging;
            let done = Exchange::of(staging).and_then(|exchange| {
                exchange.carry_out(staging, &self.dir)?;
                Ok(exchange.placed(&self.dir))
            });
            match &done {
                Ok(_) => staged.remove_staging(),
                // What could not be undone lies in there: the next process finishes it.
                Err(_) if exchange::has_begun(staging) => {}
                Err(_) => staged.remove(),
            }
            done
        };
        match self.unfinished.finish(exchanged) {
            Some(Ok(placed)) => Ok(placed),
            Some(Err(e)) => Err(unwritable(&self.dir, &e)),
            None => Err(Error::Failed("interrupted".to_owned())),
        }
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

/// Directories that are made and locked.
#[derive(Default)]
struct Taken {
    /// Those that were missing, each before those that it lies in.
    made: Vec<PathBuf>,
    locks: Vec<Lock>,
}

impl Taken {
    /// Takes the directory and those below it.
    fn take(&mut self, dir: &Path, inner: &[PathBuf]) -> Result<(), Error> {
        // The same one only once: nobody can lock it twice.
        let below: BTreeSet<PathBuf> =
            inner.iter().filter(|i| i.components().next().is_some()).map(|i| dir.join(i)).collect();
        self.lock(dir)?;
        let mut files = vec![PathBuf::from(REPORT)];
        for inner in inner {
            files.extend(exchange::managed().map(|name| inner.join(name)));
        }
        let free = exchange::obstacles(dir, files.iter());
        free.map_err(|e| Error::Usage(format!("cannot write results: {e}")))?;
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

    /// Leaves everything as it was.
    fn give_back(self) {
        for lock in &self.locks {
            let _ = fs::remove_file(lock.path());
        }
        for dir in &self.made {
            let _ = fs::remove_dir(dir);
        }
    }
}

/// Finishes or removes what killed processes have left. Only for the holder of the lock: nobody else is at work.
fn clean_up(dir: &Path) -> io::Result<()> {
    for entry in fs::read_dir(dir)? {
        let entry = entry?;
        let staging = entry.file_name().to_str().is_some_and(is_staging);
        if staging && entry.file_type()?.is_dir() {
            Exchange::finish(&entry.path(), dir)?;
            fs::remove_dir_all(entry.path())?;
        }
    }
    Ok(())
}

/// Whether a directory of this name is one of ours: the prefix, and the six characters that `tempfile` adds.
fn is_staging(name: &str) -> bool {
    let rest = name.strip_prefix(STAGING);
    rest.is_some_and(|rest| rest.len() == 6 && rest.bytes().all(|b| b.is_ascii_alphanumeric()))
}
