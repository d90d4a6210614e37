//! Replacing the files of earlier results by new ones, all or none.
//!
//! New files wait in `new/` of a staging directory. A list of all steps is written beside them
//! before the first step. If a step fails, the earlier ones are undone. If the process is killed,
//! the next one finds the list and finishes the steps.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use atl_report::data;

use crate::folder::disk::Disk;

/// Subdirectory of the staging directory for new files.
pub(super) const NEW: &str = "new";
/// Subdirectory for the files that they replace, so that the exchange can be undone.
const OLD: &str = "old";
/// Name of the data file that every folder with data has.
pub(super) const RUNS: &str = "runs.parquet";
/// File in the staging directory that lists the paths removed and added. Where it exists, the
/// exchange has begun.
const LIST: &str = "exchange";

/// The files that change, as paths relative to the directory for results.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// Data files of an earlier run without a successor: left in place they would pass for this
    /// run's.
    leave: Vec<PathBuf>,
    /// New files to move into place.
    arrive: Vec<PathBuf>,
}

impl Exchange {
    /// Works out the exchange for the files in `staging`.
    pub(super) fn of(staging: &Path) -> io::Result<Exchange> {
        let mut arrive = Vec::new();
        collect(&staging.join(NEW), Path::new(""), &mut arrive)?;
        arrive.sort();
        let fresh: BTreeSet<&Path> = arrive.iter().map(PathBuf::as_path).collect();
        let mut leave = Vec::new();
        for runs in arrive.iter().filter(|path| path.ends_with(RUNS)) {
            for name in managed() {
                let path = runs.with_file_name(name);
                if !fresh.contains(&*path) {
                    leave.push(path);
                }
            }
        }
        Ok(Exchange { leave, arrive })
    }

    /// The files that change.
    pub(super) fn paths(&self) -> impl Iterator<Item = &PathBuf> {
        self.leave.iter().chain(&self.arrive)
    }

    /// Paths of the new files in `dir`.
    pub(super) fn placed(&self, dir: &Path) -> Vec<PathBuf> {
        self.arrive.iter().map(|path| dir.join(path)).collect()
    }

    /// Carries out all steps.
    ///
    /// # Errors
    /// If a step fails. Then `dir` is as before; or, if undoing fails as well, the list stays and
    /// the next process [finishes](Exchange::finish) the exchange.
    pub(super) fn carry_out(&self, disk: &dyn Disk, staging: &Path, dir: &Path) -> io::Result<()> {
        obstacles(dir, self.paths())?;
        let list = staging.join(LIST);
        let mut taken = Vec::new();
        // The list survives the machine before the first step, and all steps before it is removed.
        let done = disk
            .write(&list, &self.list()?)
            .and_then(|()| disk.settle(staging))
            .and_then(|()| {
                self.steps().try_for_each(|step| {
                    step.take(disk, staging, dir)?;
                    taken.push(step);
                    Ok(())
                })
            })
            .and_then(|()| self.settle(disk, dir));
        if done.is_err() {
            for step in taken.iter().rev() {
                step.undo(disk, staging, dir)?;
            }
            self.settle(disk, dir)?;
            match disk.remove(&list) {
                Err(e) if e.kind() == io::ErrorKind::NotFound => {}
                removed => removed?,
            }
        }
        done
    }

    /// Ensures that the steps so far survive the machine.
    fn settle(&self, disk: &dyn Disk, dir: &Path) -> io::Result<()> {
        let paths = self.paths().map(|path| dir.join(path));
        let dirs: BTreeSet<PathBuf> =
            paths.filter_map(|path| Some(path.parent()?.to_path_buf())).collect();
        dirs.iter().filter(|dir| dir.is_dir()).try_for_each(|dir| disk.settle(dir))
    }

    /// Finishes an exchange that a killed process left in `staging`; does nothing if it had not
    /// begun.
    ///
    /// # Errors
    /// If a step fails.
    pub(super) fn finish(disk: &dyn Disk, staging: &Path, dir: &Path) -> io::Result<()> {
        let list = match fs::read_to_string(staging.join(LIST)) {
            Ok(list) => list,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        // Without its last line the list is incomplete, so no step has been taken.
        let Some(list) = list.strip_suffix(END) else { return Ok(()) };
        let mut exchange = Exchange::default();
        for line in list.lines() {
            match line.split_at_checked(1) {
                Some(("-", path)) if inside(path) => exchange.leave.push(path.into()),
                Some(("+", path)) if inside(path) => exchange.arrive.push(path.into()),
                _ => return Ok(()),
            }
        }
        // A step already taken finds nothing to do. Only a file that has already arrived must not
        // be put aside as an old one.
        let waits = |path: &Path| staging.join(NEW).join(path).exists();
        for step in exchange.steps() {
            match step {
                Step::Aside(path) if exchange.arrive.iter().any(|p| p == path) && !waits(path) => {}
                Step::Place(path) if !waits(path) => {}
                step => step.take(disk, staging, dir)?,
            }
        }
        exchange.settle(disk, dir)
    }

    /// First puts all old files aside, then moves all new ones into place.
    fn steps(&self) -> impl Iterator<Item = Step<'_>> {
        let aside = self.leave.iter().chain(&self.arrive).map(|path| Step::Aside(path));
        aside.chain(self.arrive.iter().map(|path| Step::Place(path)))
    }

    fn list(&self) -> io::Result<String> {
        let mut list = String::new();
        let leave = self.leave.iter().map(|path| ('-', path));
        for (sign, path) in leave.chain(self.arrive.iter().map(|path| ('+', path))) {
            let path = path.to_str().filter(|path| !path.contains('\n'));
            let path = path.ok_or_else(|| io::Error::other("a name that is not a line of text"))?;
            list.push(sign);
            list.push_str(path);
            list.push('\n');
        }
        Ok(list + END)
    }
}

/// True if an exchange has begun and has been neither finished nor undone.
pub(super) fn has_begun(staging: &Path) -> bool {
    staging.join(LIST).exists()
}

/// Last line of a complete list.
const END: &str = "end\n";

#[derive(Clone, Copy, Debug)]
enum Step<'a> {
    Aside(&'a Path),
    Place(&'a Path),
}

impl Step<'_> {
    fn take(self, disk: &dyn Disk, staging: &Path, dir: &Path) -> io::Result<()> {
        match self {
            Step::Aside(path) => {
                moved_if_there(disk, &dir.join(path), &staging.join(OLD).join(path))
            }
            Step::Place(path) => moved(disk, &staging.join(NEW).join(path), &dir.join(path)),
        }
    }

    fn undo(self, disk: &dyn Disk, staging: &Path, dir: &Path) -> io::Result<()> {
        match self {
            Step::Aside(path) => {
                moved_if_there(disk, &staging.join(OLD).join(path), &dir.join(path))
            }
            Step::Place(path) => moved(disk, &dir.join(path), &staging.join(NEW).join(path)),
        }
    }
}

fn moved(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        disk.make(parent)?;
    }
    disk.rename(from, to)
}

fn moved_if_there(disk: &dyn Disk, from: &Path, to: &Path) -> io::Result<()> {
    if from.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Err(a_folder(from));
    }
    match moved(disk, from, to) {
        Err(e) if e.kind() == io::ErrorKind::NotFound => Ok(()),
        done => done,
    }
}

fn a_folder(path: &Path) -> io::Error {
    io::Error::new(
        io::ErrorKind::IsADirectory,
        format!("{} is a directory, where a file of results belongs", path.display()),
    )
}

/// Names of data files in every format.
pub(super) fn managed() -> impl Iterator<Item = String> {
    let stems = data::FILES.into_iter();
    stems.flat_map(|stem| ["parquet", "csv"].map(|ending| format!("{stem}.{ending}")))
}

/// Checks that nothing but files stands at these paths below `dir`.
///
/// # Errors
/// If one of them is a directory.
pub(super) fn obstacles<'a>(
    dir: &Path,
    paths: impl Iterator<Item = &'a PathBuf>,
) -> io::Result<()> {
    for path in paths {
        let path = dir.join(path);
        if path.symlink_metadata().is_ok_and(|found| found.is_dir()) {
            return Err(a_folder(&path));
        }
    }
    Ok(())
}

/// Others could have written the list, so a path must not lead out of the directory.
fn inside(path: &str) -> bool {
    let mut parts = Path::new(path).components();
    !path.is_empty() && parts.all(|part| matches!(part, Component::Normal(_)))
}

fn collect(root: &Path, below: &Path, files: &mut Vec<PathBuf>) -> io::Result<()> {
    for entry in fs::read_dir(root.join(below))? {
        let entry = entry?;
        let path = below.join(entry.file_name());
        if entry.file_type()?.is_dir() {
            collect(root, &path, files)?;
        } else {
            files.push(path);
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests;
