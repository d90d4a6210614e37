//! Exchanges that succeed, fail, and are interrupted.

use std::cell::Cell;

use super::*;
use crate::folder::disk::Real;

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
    exchange.carry_out(&Real, &staging, dir.path()).expect("carried out");
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
        Exchange::finish(&steady(), &staging, dir.path()).expect("nothing to do");
        assert_eq!(files(dir.path()), before);
        fs::write(staging.join(LIST), list).expect("written");
        for step in exchange.steps().take(done) {
            step.take(&steady(), &staging, dir.path()).expect("taken");
        }
        Exchange::finish(&steady(), &staging, dir.path()).expect("finished");
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
    exchange.carry_out(&steady(), &staging, dir.path()).expect_err("a file is in the way");
    assert_eq!(files(dir.path()), before);
    Exchange::finish(&steady(), &staging, dir.path()).expect("nothing to do");
    assert_eq!(files(dir.path()), before);

    // A directory where a file belongs is found before the first step.
    let (dir, staging, _) = prepared();
    fs::remove_file(dir.path().join("report.html")).expect("removed");
    write(dir.path(), &[("report.html/mine", "mine")]);
    let before = files(dir.path());
    let error = Exchange::of(&staging).expect("staged").carry_out(&steady(), &staging, dir.path());
    assert!(error.expect_err("in the way").to_string().contains("report.html is a directory"));
    assert_eq!(files(dir.path()), before);
}

#[test]
fn a_list_does_not_lead_out_of_the_directory() {
    let (dir, staging, before) = prepared();
    for line in ["-../notes.txt", "-/etc/hosts", "x", "-"] {
        fs::write(staging.join(LIST), format!("{line}\n{END}")).expect("written");
        Exchange::finish(&steady(), &staging, &dir.path().join("a")).expect("nothing to do");
        assert_eq!(files(dir.path()), before, "{line}");
    }
}

/// A disk on which one operation fails, and after a crash all others too.
struct Faulty {
    /// Operations before the one that fails.
    left: Cell<usize>,
    /// The failing operation is carried out all the same, or half of it.
    done: bool,
    crash: bool,
    failed: Cell<bool>,
}

/// A disk on which nothing fails.
fn steady() -> Faulty {
    Faulty { left: Cell::new(usize::MAX), done: false, crash: false, failed: Cell::new(false) }
}

impl Faulty {
    /// Carries out an operation; `half` is what a failure leaves of it.
    fn carry(
        &self,
        whole: impl FnOnce() -> io::Result<()>,
        half: impl FnOnce() -> io::Result<()>,
    ) -> io::Result<()> {
        if self.failed.get() && self.crash {
            return Err(io::Error::other("the machine is down"));
        }
        if self.failed.get() || self.left.get() > 0 {
            self.left.set(self.left.get().saturating_sub(1));
            return whole();
        }
        self.failed.set(true);
        if self.done {
            half()?;
        }
        Err(io::Error::other("the disk failed"))
    }
}

impl Disk for Faulty {
    fn write(&self, path: &Path, text: &str) -> io::Result<()> {
        let short = || fs::write(path, &text[..text.len() / 2]);
        self.carry(|| fs::write(path, text), short)
    }

    fn make(&self, dir: &Path) -> io::Result<()> {
        self.carry(|| Real.make(dir), || Real.make(dir))
    }

    /// A rename is done or not: an error comes before it, a crash may come after it.
    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let after = || if self.crash { Real.rename(from, to) } else { Ok(()) };
        self.carry(|| Real.rename(from, to), after)
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let after = || if self.crash { Real.remove(path) } else { Ok(()) };
        self.carry(|| Real.remove(path), after)
    }

    /// Nothing happens to this machine, so the test need not wait for its disk.
    fn settle(&self, _: &Path) -> io::Result<()> {
        self.carry(|| Ok(()), || Ok(()))
    }
}

/// Every operation of an exchange fails once: with an error, after a part of it, or with the
/// machine. The next process finds the old files or the new ones, never both.
#[test]
fn whichever_operation_fails_the_files_are_all_old_or_all_new() {
    let (mut old, mut new) = (0, 0);
    for (done, crash) in [(false, false), (true, false), (false, true), (true, true)] {
        let mut operations = 0;
        loop {
            let (dir, staging, before) = prepared();
            let disk =
                Faulty { left: Cell::new(operations), done, crash, failed: Cell::new(false) };
            let exchange = Exchange::of(&staging).expect("staged");
            let told = exchange.carry_out(&disk, &staging, dir.path());
            let failed = disk.failed.get();
            assert_eq!(told.is_err(), failed, "a failure of operation {operations} is told");
            if !crash {
                let expected = if failed { before.clone() } else { after() };
                assert_eq!(files(dir.path()), expected, "operation {operations}, {done}");
            }
            Exchange::finish(&steady(), &staging, dir.path()).expect("the next process");
            let found = files(dir.path());
            assert!(
                found == before || found == after(),
                "{operations}, {done}, {crash}: {found:?}"
            );
            if !failed {
                break;
            }
            old += usize::from(found == before);
            new += usize::from(found == after());
            operations += 1;
        }
        assert!(operations > 20, "{operations}");
    }
    assert!(old > 40 && new > 20, "{old} times old, {new} times new");
}

/// The next process may fail as well, at any of its operations; the one after it finishes.
#[test]
fn finishing_may_fail_too() {
    for step in [1, 4, 7] {
        let mut operations = 0;
        loop {
            let (dir, staging, _) = prepared();
            let exchange = Exchange::of(&staging).expect("staged");
            let list = exchange.list().expect("text");
            fs::write(staging.join(LIST), list).expect("written");
            for step in exchange.steps().take(step) {
                step.take(&steady(), &staging, dir.path()).expect("taken");
            }
            let (done, crash) = (true, true);
            let disk =
                Faulty { left: Cell::new(operations), done, crash, failed: Cell::new(false) };
            let told = Exchange::finish(&disk, &staging, dir.path());
            assert_eq!(told.is_err(), disk.failed.get());
            Exchange::finish(&steady(), &staging, dir.path()).expect("the one after it");
            assert_eq!(
                files(dir.path()),
                after(),
                "after {step} steps and {operations} operations"
            );
            if told.is_ok() {
                break;
            }
            operations += 1;
        }
        assert!(operations > 0);
    }
}
