//! Files that somebody else made are never replaced or removed.

use std::fs;
use std::path::Path;

use crate::{TINY, atl, err, fine, names, refused, with_tiny};

fn content(dir: &Path) -> Vec<(String, Vec<u8>)> {
    let read = |name: String| {
        let bytes = fs::read(dir.join(&name)).expect("a file");
        (name, bytes)
    };
    names(dir).into_iter().map(read).collect()
}

#[test]
fn files_of_others_under_names_of_results_stay_and_nothing_runs() {
    let dir = with_tiny();
    let out = dir.path().join("d2");
    fs::create_dir(&out).expect("made");
    for (name, text) in [("links.csv", "x"), ("report.html", "y"), ("samples.csv", "z")] {
        fs::write(out.join(name), text).expect("written");
    }
    let before = content(&out);
    // It would run for hours.
    let long = ["--duration", "10h", "--seeds", "1000", "--out", "d2"];
    for args in
        [&["run", "tiny.toml"][..], &["run", "tiny.toml", "-q"], &["reproduce", "tiny.toml"]]
    {
        // A report alone for `reproduce`, whose data go to folders below.
        let told = refused(dir.path(), &[args, &long].concat(), 2);
        assert!(told.contains("d2: report.html") && told.contains("no file"), "{told}");
        assert!(told.contains("--out") && told.contains("move"), "{told}");
        assert_eq!(args[0] == "run", told.contains("links.csv, samples.csv"), "{told}");
        assert_eq!(content(&out), before);
    }
    // Those that are removed, because this run has none of them, count as those that are replaced.
    fs::remove_file(out.join("report.html")).expect("there");
    let told = refused(dir.path(), &["run", "tiny.toml", "--out", "d2"], 2);
    assert!(told.contains("links.csv, samples.csv are no files of atl"), "{told}");
    for name in ["links.csv", "samples.csv"] {
        fs::remove_file(out.join(name)).expect("there");
    }
    fine(dir.path(), &["run", "tiny.toml", "--out", "d2", "-q"]);
}

#[test]
fn a_path_keeps_the_files_of_the_current_folder() {
    let dir = tempfile::tempdir().expect("a directory");
    fs::write(dir.path().join("runs.csv"), "name,km\nme,10\n").expect("written");
    let args = ["path", "dsl", "--seeds", "1", "--duration", "1s", "--out", "."];
    let output = atl(dir.path(), &[&args[..], &["--save", "dsl.toml"]].concat());
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
    assert!(err(&output).contains("runs.csv is no file of atl"), "{}", err(&output));
    // The scenario neither, so that the command can be given again.
    assert_eq!(names(dir.path()), ["runs.csv"]);
}

/// The folder has a name without directories, so that two files may share it.
#[test]
fn results_of_another_scenario_are_named_before_they_are_replaced() {
    let dir = with_tiny();
    let sub = dir.path().join("sub");
    fs::create_dir(&sub).expect("made");
    fs::write(sub.join("tiny.toml"), TINY.replace("5\n", "6\n")).expect("written");
    fine(dir.path(), &["run", "tiny.toml", "--quick"]);
    // The same file under another name, and after a change.
    let edited = TINY.replace("10Mb/s", "9Mb/s");
    fs::write(dir.path().join("tiny.toml"), edited).expect("written");
    let told = fine(dir.path(), &["run", "sub/../tiny.toml", "--quick"]);
    assert!(told.ends_with("They replace earlier results in this directory.\n"), "{told}");
    let output = atl(dir.path(), &["run", "sub/tiny.toml", "--quick", "-q"]);
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(
        err(&output),
        "warning: out/tiny+quick has the results of `atl run sub/../tiny.toml --quick`, which these \
         will replace: name another folder with --out to keep both\n"
    );
    let told = fine(dir.path(), &["run", "tiny.toml", "--out", "out/tiny+quick"]);
    let says = "They replace the results of `atl run sub/tiny.toml --quick` in this directory.\n";
    assert!(told.ends_with(says), "{told}");
    // The same from a part that is the whole.
    fine(dir.path(), &["run", "sub/tiny.toml", "--quick", "--shard", "1/1", "--out", "parts"]);
    let output = atl(dir.path(), &["merge", "parts", "-q"]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(
        err(&output).starts_with("warning: out/tiny+quick has the results of `atl run tiny.toml`")
    );
    // A built-in scenario has two names.
    for name in ["showcase/pep", "pep"] {
        fine(dir.path(), &["run", name, "--quick", "--seeds", "1", "-q"]);
    }
}
