//! The exchange of old results for new ones: all of it, or none.
//!
//! New files stand in `new/` of a staging directory. A list of every step is written beside them before the first one
//! is carried out. What fails on the way is undone. If the process is killed on the way, the list says what is left to
//! do, and the next one does it.

use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Component, Path, PathBuf};

use atl_report::data;

/// New files, in the staging directory.
pub(super) const NEW: &str = "new";
/// Files that they replace, while it is not certain that all can be replaced.
const OLD: &str = "old";
/// The list of what leaves and what arrives, in the staging directory. Where it exists, the exchange has begun.
const LIST: &str = "exchange";

/// What an exchange changes: paths below the directory for results.
#[derive(Debug, Default)]
pub(super) struct Exchange {
    /// Data files of an earlier run that this one does not replace: they would be taken for its own.
    leave: Vec<PathBuf>,
    /// Files that arrive.
    arrive: Vec<PathBuf>,
}

impl Exchange {
    /// What is to be done for the files in `staging`.
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

    /// Files that arrive, in `dir`.
    pub(super) fn placed(&self, dir: &Path) -> Vec<PathBuf> {
        self.arrive.iter().map(|path| dir.join(path)).collect()
    }

    /// Carries it out.
    ///
    /// # Errors
    /// If a step fails. Then `dir` is as before.
    pub(super) fn carry_out(&self, staging: &Path, dir: &Path) -> io::Result<()> {
        obstacles(dir, self.leave.iter().chain(&self.arrive))?;
        fs::write(staging.join(LIST), self.list()?)?;
        for (done, step) in self.steps().enumerate() {
            if let Err(error) = step.take(staging, dir) {
                let taken: Vec<Step<'_>> = self.steps().take(done).collect();
                // What cannot be undone is left for the next process, with its list.
                for step in taken.iter().rev() {
                    step.undo(staging, dir)?;
                }
                fs::remove_file(staging.join(LIST))?;
                return Err(error);
            }
        }
        Ok(())
    }

    /// Finishes what a killed process has begun in `staging`; nothing if it had not begun.
    ///
    /// # Errors
    /// If a step fails.
    pub(super) fn finish(staging: &Path, dir: &Path) -> io::Result<()> {
        let list = match fs::read_to_string(staging.join(LIST)) {
            Ok(list) => list,
            Err(e) if e.kind() == io::ErrorKind::NotFound => return Ok(()),
            Err(e) => return Err(e),
        };
        // A list without its last line was not yet complete, so that nothing was done.
        let Some(list) = list.strip_suffix(END) else { return Ok(()) };
        let mut exchange = Exchange::default();
        for line in list.lines() {
            match line.split_at_checked(1) {
                Some(("-", path)) if inside(path) => exchange.leave.push(path.into()),
                Some(("+", path)) if inside(path) => exchange.arrive.push(path.into()),
                _ => return Ok(()),
            }
        }
        // A step already taken finds nothing to do, except that what has arrived must not be put aside.
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

    /// First everything old is put aside, then everything new put in place.
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

/// Whether an exchange has begun and is neither finished nor undone.
pub(super) fn has_begun(staging: &Path) -> bool {
    staging.join(LIST).exists()
}

/// The last line of a complete list.
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

/// The names of data files, whatever their format.
pub(super) fn managed() -> impl Iterator<Item = String> {
    let stems = data::FILES.into_iter();
    stems.flat_map(|stem| ["parquet", "csv"].map(|ending| format!("{stem}.{ending}")))
}

/// Makes sure that files can stand at these paths below `dir`.
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

/// A list is a file that others could have written: it must not lead out of the directory.
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

    /// All files below a directory with their texts, the staging directory left out.
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

    /// A directory with results of an earlier run and the user's own notes, and new results in its staging directory.
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
            // Before the list is complete nothing has happened, and nothing does.
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
        // A file stands where the directory of new results belongs: no rename can pass it.
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

        // A directory in the place of a file is found before the first step.
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
