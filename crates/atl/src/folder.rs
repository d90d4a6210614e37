//! The directory for results: all files appear in it together, or none.

use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use atl_report::data;

use crate::failure::Failure;
use crate::interrupt::{self, Unfinished};

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

/// A directory for results. Files are staged in a hidden directory inside it and moved into place together at the end.
/// If it is dropped before that, or the program is interrupted, nothing is left behind.
#[derive(Debug)]
pub(crate) struct Folder {
    dir: PathBuf,
    staging: PathBuf,
}

impl Folder {
    /// Creates the directory if it is missing, and makes sure that it can be written to.
    ///
    /// # Errors
    /// If it cannot.
    pub(crate) fn prepare(dir: &Path) -> Result<Folder, Failure> {
        let mut made: Vec<PathBuf> = dir
            .ancestors()
            .take_while(|d| !d.as_os_str().is_empty() && !d.exists())
            .map(Path::to_path_buf)
            .collect();
        let failed = |made: &[PathBuf], e: &io::Error| {
            for dir in made {
                let _ = fs::remove_dir(dir);
            }
            Failure::file("write results into", dir, e)
        };
        if let Err(e) = fs::create_dir_all(dir) {
            made.retain(|d| d.exists());
            return Err(failed(&made, &e));
        }
        let staging = tempfile::Builder::new()
            .prefix(".atl-")
            .tempdir_in(dir)
            .map_err(|e| failed(&made, &e))?
            .keep();
        interrupt::begin(Unfinished { staging: staging.clone(), made });
        Ok(Folder { dir: dir.to_path_buf(), staging })
    }

    /// Where files are written before they are moved into place.
    pub(crate) fn staging(&self) -> &Path {
        &self.staging
    }

    /// Moves every staged file into place by renaming, and returns their paths, sorted. Data files of an earlier run that
    /// this one does not replace are removed: they would be taken for its own.
    ///
    /// # Errors
    /// If a file cannot be renamed.
    pub(crate) fn commit(self) -> Result<Vec<PathBuf>, Failure> {
        let place = |staging: &Path| {
            let mut placed = Vec::new();
            move_all(staging, &self.dir, &mut placed).map(|()| placed)
        };
        match interrupt::finish(place) {
            Some(Ok(mut placed)) => {
                placed.sort();
                Ok(placed)
            }
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

fn move_all(from: &Path, to: &Path, placed: &mut Vec<PathBuf>) -> io::Result<()> {
    fs::create_dir_all(to)?;
    let mut entries = fs::read_dir(from)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    let names: Vec<_> = entries.iter().map(fs::DirEntry::file_name).collect();
    if names.iter().any(|name| name == "runs.parquet") {
        for stem in data::FILES {
            for ending in ["parquet", "csv"] {
                let name = format!("{stem}.{ending}");
                if !names.iter().any(|n| *n == *name) {
                    remove_file(&to.join(name))?;
                }
            }
        }
    }
    for entry in entries {
        let target = to.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            move_all(&entry.path(), &target, placed)?;
        } else {
            fs::rename(entry.path(), &target)?;
            placed.push(target);
        }
    }
    Ok(())
}

fn remove_file(path: &Path) -> io::Result<()> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(e),
        _ => Ok(()),
    }
}
