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

/// Subdirectory of the staging directory for new files.
pub(super) const NEW: &str = "new";
/// Subdirectory for the files that they replace, so that the exchange can be undone.
const OLD: &str = "old";
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
        for runs in arrive.iter().filter(|path| path.ends_with("runs.parquet")) {
            for name in managed() {
                let path = runs.with_file_name(name);
                if !fresh.contains(&*path) {
                    leave.push(path);
                }
            }
        }
        Ok(Exchange { leave, arrive })
    }

    /// Paths of the new files in `dir`.
    pub(super) fn placed(&self, dir: &Path) -> Vec<PathBuf> {
        self.arrive.iter().map(|path| dir.join(path)).collect()
    }

    /// Carries out all steps.
    ///
    /// # Errors
    /// If a step fails. Then `dir` is as before.
    pub(super) fn carry_out(&self, staging: &Path, dir: &Path) -> io::Result<()> {
        obstacles(dir, self.leave.iter().chain(&self.arrive))?;
        fs::write(staging.join(LIST), self.list()?)?;
        for (done, step) in self.steps().enumerate() {
            if let Err(error) = step.take(staging, dir) {
                let taken: Vec<Step<'_>> = self.steps().take(done).collect();
                // If undoing fails as well, the list stays for the next process.
                for step in taken.iter().rev() {
                    step.undo(staging, dir)?;
                }
                fs::remove_file(staging.join(LIST))?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Finishes an exchange that a killed process left in `staging`; does nothing if it had not
    /// begun.
    ///
    /// # Errors
    /// If a step fails.
    pub(super) fn finish(staging: &Path, dir: &Path) -> io::Result<()> {
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
                step => step.take(staging, dir)?,
            }
        }
        Ok(())
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
    fn take(self, staging: &Path, dir: &Path) -> io::Result<()> {
        match self {
            Step::Aside(path) => moved_if_there(&dir.join(path), &staging.join(OLD).join(path)),
            Step::Place(path) => moved(&staging.join(NEW).join(path), &dir.join(path)),
        }
    }

    fn undo(self, staging: &Path, dir: &Path) -> io::Result<()> {
        match self {
            Step::Aside(path) => moved_if_there(&staging.join(OLD).join(path), &dir.join(path)),
            Step::Place(path) => moved(&dir.join(path), &staging.join(NEW).join(path)),
        }
    }
}

fn moved(from: &Path, to: &Path) -> io::Result<()> {
    if let Some(parent) = to.parent() {
        fs::create_dir_all(parent)?;
    }
    fs::rename(from, to)
}

fn moved_if_there(from: &Path, to: &Path) -> io::Result<()> {
    if from.symlink_metadata().is_ok_and(|found| found.is_dir()) {
        return Err(a_folder(from));
    }
    match moved(from, to) {
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
mod tests {
    use super::*;

    fn write(dir: &Path, files: &[(&str, &str)]) {
        for (path, text) in files {
            let path = dir.join(path);
            fs::create_dir_all(path.parent().expect("a parent")).expect("made");
            fs::write(path, text).expect("written");
        }
    }

    /// All files below a directory with their contents, except those in staging.
    fn files(dir: &Path) -> Vec<(String, String)> {
        let mut found = Vec::new();
        collect(dir, Path::new(""), &mut found).expect("listed");
        found.retain(|path| !path.starts_with("staging"));
        found.sort();
        let text = |path: &PathBuf| fs::read_to_string(dir.join(path)).expect("text");
        found.iter().map(|path| (path.display().to_string(), text(path))).collect()
    }

    const OLD_FILES: &[(&str, &str)] = &[
        ("report.html", "old"),
        ("a/runs.parquet", "old"),
        ("a/runs.csv", "old"),
        ("a/samples.parquet", "old"),
        ("a/notes.txt", "mine"),
        ("notes.txt", "mine"),
    ];

    /// A directory with earlier results and the user's own notes, and new results in its staging
    /// directory.
    fn prepared() -> (tempfile::TempDir, PathBuf, Vec<(String, String)>) {
        let dir = tempfile::tempdir().expect("a directory");
        write(dir.path(), OLD_FILES);
        let before = files(dir.path());
        let staging = dir.path().join("staging");
        for path in ["report.html", "a/runs.parquet", "a/flows.parquet", "b/runs.parquet"] {
            write(&staging, &[(&format!("{NEW}/{path}"), "new")]);
        }
        (dir, staging, before)
    }

    fn after() -> Vec<(String, String)> {
        let new = ["a/flows.parquet", "a/runs.parquet", "b/runs.parquet", "report.html"];
        let mine = ["a/notes.txt", "notes.txt"].map(|path| (path.to_owned(), "mine".to_owned()));
        let mut all: Vec<_> = new.map(|path| (path.to_owned(), "new".to_owned())).into();
        all.extend(mine);
        all.sort();
        all
    }

    #[test]
    fn what_is_new_replaces_what_is_old_and_leaves_what_is_not_its_own() {
        let (dir, staging, _) = prepared();
        let exchange = Exchange::of(&staging).expect("staged");
        exchange.carry_out(&staging, dir.path()).expect("carried out");
        assert_eq!(files(dir.path()), after());
    }

    #[test]
    fn killed_after_any_step_it_is_finished_by_the_next_process() {
        let steps = Exchange::of(&prepared().1).expect("staged").steps().count();
        assert!(steps > 8);
        for done in 0..=steps {
            let (dir, staging, before) = prepared();
            let exchange = Exchange::of(&staging).expect("staged");
            // Without a complete list no step was taken, and none is.
            let list = exchange.list().expect("text");
            fs::write(staging.join(LIST), &list[..list.len() / 2]).expect("written");
            Exchange::finish(&staging, dir.path()).expect("nothing to do");
            assert_eq!(files(dir.path()), before);
            fs::write(staging.join(LIST), list).expect("written");
            for step in exchange.steps().take(done) {
                step.take(&staging, dir.path()).expect("taken");
            }
            Exchange::finish(&staging, dir.path()).expect("finished");
            assert_eq!(files(dir.path()), after(), "after {done} steps");
        }
    }

    #[test]
    fn a_step_that_fails_undoes_those_before_it() {
        // A file stands where a directory of new results belongs, so the rename fails.
        let (dir, staging, mut before) = prepared();
        write(dir.path(), &[("b", "mine")]);
        before = {
            before.push(("b".to_owned(), "mine".to_owned()));
            before.sort();
            before
        };
        let exchange = Exchange::of(&staging).expect("staged");
        exchange.carry_out(&staging, dir.path()).expect_err("a file is in the way");
        assert_eq!(files(dir.path()), before);
        Exchange::finish(&staging, dir.path()).expect("nothing to do");
        assert_eq!(files(dir.path()), before);

        // A directory where a file belongs is found before the first step.
        let (dir, staging, _) = prepared();
        fs::remove_file(dir.path().join("report.html")).expect("removed");
        write(dir.path(), &[("report.html/mine", "mine")]);
        let before = files(dir.path());
        let error = Exchange::of(&staging).expect("staged").carry_out(&staging, dir.path());
        assert!(error.expect_err("in the way").to_string().contains("report.html is a directory"));
        assert_eq!(files(dir.path()), before);
    }

    #[test]
    fn a_list_does_not_lead_out_of_the_directory() {
        let (dir, staging, before) = prepared();
        for line in ["-../notes.txt", "-/etc/hosts", "x", "-"] {
            fs::write(staging.join(LIST), format!("{line}\n{END}")).expect("written");
            Exchange::finish(&staging, &dir.path().join("a")).expect("nothing to do");
            assert_eq!(files(dir.path()), before, "{line}");
        }
    }
}
