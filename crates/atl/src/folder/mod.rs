//! The directory for results: all files in it are replaced together, or none.

mod exchange;
mod lock;

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use crate::failure::Failure;
use crate::interrupt::{self, Unfinished};
use exchange::Exchange;
use lock::{Lock, Refusal};

/// Name of the report in the directory.
pub(crate) const REPORT: &str = "report.html";

/// Where a scenario's results go by default: `out/` and its name, without anything that leads out of it.
pub(crate) fn default_for(name: &str) -> PathBuf {
    Path::new("out").join(inner(name))
}

/// A scenario's name as a relative path that only leads downwards.
pub(crate) fn inner(name: &str) -> PathBuf {
    let normal = |c: Component<'_>| match c {
        Component::Normal(part) => Some(part.to_owned()),
        _ => None,
    };
    Path::new(name).components().filter_map(normal).collect()
}

/// A directory for results, which no other process writes into meanwhile. Files are staged in a hidden directory inside
/// it and exchanged for the old ones at the end. If it is dropped before that, or the program is interrupted, nothing is
/// left behind.
#[derive(Debug)]
pub(crate) struct Folder {
    dir: PathBuf,
    staged: PathBuf,
    _lock: Lock,
}

/// Prefix of staging directories.
const STAGING: &str = ".atl-";

impl Folder {
    /// Creates the directory if it is missing, and makes sure that it can be written to and that nothing stands in the
    /// way of the report and of data files in `inner`, directories below it. What a killed process has left is
    /// cleaned up.
    ///
    /// # Errors
    /// If it cannot, or if another process writes into it.
    pub(crate) fn prepare(dir: &Path, inner: &[PathBuf]) -> Result<Folder, Failure> {
        let mut made: Vec<PathBuf> = dir
            .ancestors()
            .take_while(|d| !d.as_os_str().is_empty() && !d.exists())
            .map(Path::to_path_buf)
            .collect();
        let remove = |made: &[PathBuf]| {
            for dir in made {
                let _ = fs::remove_dir(dir);
            }
        };
        let failed = |e: &io::Error| Failure::file("write results into", dir, e);
        if let Err(e) = fs::create_dir_all(dir) {
            made.retain(|d| d.exists());
            remove(&made);
            return Err(failed(&e));
        }
        let lock = match Lock::of(dir) {
            Ok(lock) => lock,
            Err(Refusal::Taken) => {
                let dir = dir.display();
                let message = format!(
                    "another process writes results into {dir}: wait for it, or name another directory with --out"
                );
                return Err(Failure::Usage(message));
            }
            Err(Refusal::Failed(e)) => {
                remove(&made);
                return Err(failed(&e));
            }
        };
        let undo = |failure: Failure| {
            let _ = fs::remove_file(lock.path());
            remove(&made);
            failure
        };
        clean_up(dir).map_err(|e| undo(failed(&e)))?;
        let mut files = vec![PathBuf::from(REPORT)];
        for inner in inner {
            files.extend(exchange::managed().map(|name| inner.join(name)));
        }
        let free = exchange::obstacles(dir, files.iter());
        free.map_err(|e| undo(Failure::Usage(format!("cannot write results: {e}"))))?;
        let staging = tempfile::Builder::new().prefix(STAGING).tempdir_in(dir);
        let staging = staging.map_err(|e| undo(failed(&e)))?.keep();
        let staged = staging.join(exchange::NEW);
        interrupt::begin(Unfinished { staging, lock: lock.path().to_path_buf(), made });
        fs::create_dir(&staged).map_err(|e| {
            interrupt::abandon();
            failed(&e)
        })?;
        Ok(Folder { dir: dir.to_path_buf(), staged, _lock: lock })
    }

    /// Where files are written before they are moved into place.
    pub(crate) fn staging(&self) -> &Path {
        &self.staged
    }

    /// Exchanges the old files for every staged one, and returns their paths, sorted. Data files of an earlier run that
    /// this one does not replace are removed: they would be taken for its own. Other files are not touched.
    ///
    /// # Errors
    /// If a file cannot be replaced. Then none is.
    pub(crate) fn commit(self) -> Result<Vec<PathBuf>, Failure> {
        let exchanged = |unfinished: Unfinished| {
            let staging = &unfinished.staging;
            let done = Exchange::of(staging).and_then(|exchange| {
                exchange.carry_out(staging, &self.dir)?;
                Ok(exchange.placed(&self.dir))
            });
            match &done {
                Ok(_) => unfinished.remove_staging(),
                // What could not be undone lies in there: the next process finishes it.
                Err(_) if exchange::has_begun(staging) => {}
                Err(_) => unfinished.remove(),
            }
            done
        };
        match interrupt::finish(exchanged) {
            Some(Ok(placed)) => Ok(placed),
            Some(Err(e)) => Err(Failure::file("write results into", &self.dir, &e)),
            None => Err(Failure::Runtime("interrupted".to_owned())),
        }
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        interrupt::abandon();
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
