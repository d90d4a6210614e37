//! The directory for results is replaced as a whole or not at all.

use std::fs;
use std::path::Path;
use std::process::Stdio;
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{atl, command, err, fine, json, names, with_tiny};

/// Hashes of scenarios in the CSV files of a directory.
fn hashes(dir: &Path) -> Vec<String> {
    let mut hashes = Vec::new();
    for name in ["runs.csv", "flows.csv", "links.csv", "samples.csv"] {
        let text = fs::read_to_string(dir.join(name)).unwrap_or_else(|e| panic!("{name}: {e}"));
        let mut lines = text.lines();
        let column = lines.next().expect("a header").split(',').position(|c| c == "scenario_hash");
        let column = column.expect("the scenario's hash");
        hashes.extend(lines.map(|line| line.split(',').nth(column).expect("a value").to_owned()));
    }
    hashes.sort();
    hashes.dedup();
    hashes
}

/// Of two processes with one directory, each replaces everything or reports why it does not.
#[test]
fn two_processes_do_not_mix_their_results() {
    let dir = with_tiny();
    fs::create_dir(dir.path().join("out")).expect("made");
    fs::write(dir.path().join("out/notes.txt"), "mine").expect("written");
    let mut refused = 0;
    for attempt in 0..25 {
        let started: Vec<_> = ["p=10ms", "p=20ms"]
            .iter()
            .map(|delay| {
                let delay = delay.replace("p=", "link.path.delay=");
                let args =
                    ["run", "tiny.toml", "--csv", "--jobs", "1", "--out", "out", "--set", &delay];
                let mut child = command(dir.path(), &args);
                child.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("it starts")
            })
            .collect();
        let ended: Vec<_> =
            started.into_iter().map(|child| child.wait_with_output().expect("it ends")).collect();
        for output in &ended {
            match output.status.code() {
                Some(0) => assert_eq!(err(output), ""),
                Some(2) => {
                    refused += 1;
                    assert!(
                        err(output).contains("another process writes results into out"),
                        "{}",
                        err(output)
                    );
                }
                other => panic!("{other:?}: {}", err(output)),
            }
        }
        assert!(ended.iter().any(|output| output.status.success()));
        assert_eq!(hashes(&dir.path().join("out")).len(), 1, "attempt {attempt}");
        assert_eq!(
            names(&dir.path().join("out")).len(),
            10,
            "{:?}",
            names(&dir.path().join("out"))
        );
    }
    assert!(refused > 0, "the two never met");
    assert_eq!(fs::read_to_string(dir.path().join("out/notes.txt")).expect("kept"), "mine");
}

/// After `kill -9` the old results are intact, and the next run removes the remains.
#[cfg(unix)]
#[test]
fn what_a_killed_process_leaves_is_removed_by_the_next() {
    let dir = with_tiny();
    let out = dir.path().join("out");
    fine(dir.path(), &["run", "tiny.toml", "--csv", "--out", "out"]);
    let before = hashes(&out);
    let args = ["run", "tiny.toml", "--duration", "10h", "--seeds", "1000", "--out", "out"];
    let mut child = command(dir.path(), &args);
    let mut child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
    let begun = Instant::now();
    while !names(&out).iter().any(|name| name.starts_with(".atl-")) {
        assert!(begun.elapsed() < Duration::from_secs(30), "it never began");
        sleep(Duration::from_millis(5));
    }
    let refused = atl(dir.path(), &["run", "tiny.toml", "--out", "out"]);
    assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
    child.kill().expect("killed");
    child.wait().expect("it ended");
    assert!(
        names(&out).iter().any(|name| name.starts_with(".atl-")),
        "it had no chance to tidy up"
    );
    assert_eq!(hashes(&out), before);
    fs::create_dir(out.join(".atl-of-mine")).expect("made");
    fine(dir.path(), &["run", "tiny.toml", "--csv", "--out", "out", "--seeds", "1"]);
    let left: Vec<_> = names(&out).into_iter().filter(|name| name.starts_with(".atl")).collect();
    assert_eq!(left, [".atl-of-mine"]);
    assert_ne!(hashes(&out), before);
}

/// `reproduce` replaces results in folders below its own, which it must lock against a `run`.
#[cfg(unix)]
#[test]
fn a_folder_below_that_of_reproduce_is_taken_too() {
    let dir = with_tiny();
    let out = dir.path().join("out");
    let begin = |args: &[&str], file: &Path| {
        let mut child = command(dir.path(), args);
        let child = child.stdout(Stdio::null()).stderr(Stdio::null()).spawn().expect("it starts");
        let begun = Instant::now();
        while !file.exists() {
            assert!(begun.elapsed() < Duration::from_secs(30), "it never began");
            sleep(Duration::from_millis(5));
        }
        child
    };
    let long = ["--duration", "10h", "--seeds", "1000"];
    let below = out.join("tiny/.atl.lock");
    for (one, other) in [
        (["reproduce", "tiny.toml", "--out", "out"], ["run", "tiny.toml", "--out", "out/tiny"]),
        (["run", "tiny.toml", "--out", "out/tiny"], ["reproduce", "tiny.toml", "--out", "out"]),
    ] {
        let mut child = begin(&[&one[..], &long].concat(), &below);
        let refused = atl(dir.path(), &other);
        assert_eq!(refused.status.code(), Some(2), "{}", err(&refused));
        assert!(err(&refused).contains("writes results into out/tiny"), "{}", err(&refused));
        child.kill().expect("killed");
        child.wait().expect("it ended");
        // Its remains do not block the next run.
        fine(dir.path(), &other);
        assert!(!below.exists());
        assert!(out.join("tiny/runs.parquet").is_file());
        fs::remove_dir_all(&out).expect("removed");
    }
}

/// Obstacles are found before anything runs, and nothing is touched.
#[test]
fn a_folder_in_the_place_of_a_file_is_refused_first() {
    let dir = with_tiny();
    let out = dir.path().join("out");
    fine(dir.path(), &["run", "tiny.toml", "--csv", "--out", "out"]);
    for name in ["report.html", "links.csv"] {
        let _ = fs::remove_file(out.join(name));
        fs::create_dir(out.join(name)).expect("made");
        fs::write(out.join(name).join("notes.txt"), "mine").expect("written");
        let before = fs::read(out.join("runs.parquet")).expect("there");
        let args = ["run", "tiny.toml", "--out", "out", "--duration", "10h", "--seeds", "1000"];
        let output = atl(dir.path(), &args);
        assert_eq!(output.status.code(), Some(2), "{}", err(&output));
        assert!(err(&output).contains(&format!("{name} is a directory")), "{}", err(&output));
        assert_eq!(fs::read(out.join("runs.parquet")).expect("there"), before);
        assert_eq!(names(&out).len(), 9);
        fs::remove_dir_all(out.join(name)).expect("removed");
        fs::write(out.join(name), "").expect("written");
    }
    // The same below the directory, in place of a scenario's data file.
    fs::create_dir_all(out.join("atl/fig06/runs.parquet")).expect("made");
    let output = atl(dir.path(), &["reproduce", "atl/fig06", "--out", "out"]);
    assert_eq!(output.status.code(), Some(2), "{}", err(&output));
}

/// Each change has a folder, so that a run without a part of the protocols does not replace the run
/// with it.
#[test]
fn changes_have_folders_of_their_own() {
    let dir = with_tiny();
    let quiet = |changes: &[&str]| {
        let told = fine(dir.path(), &[&["run", "tiny.toml", "-q"][..], changes].concat());
        assert_eq!(told, "");
    };
    quiet(&[]);
    quiet(&["--set", "link.air.loss=2%"]);
    quiet(&["--ablate", "recovery"]);
    quiet(&["--seeds", "1", "--set", r#"protocol=["tcp-atl", "cubic"]"#]);
    let out = dir.path().join("out");
    let made = names(&out);
    assert_eq!(made[..2], ["tiny", "tiny+link.air.loss=2pct"]);
    assert!(made[2].starts_with("tiny+seeds=1+protocol=tcp-atl,cubic-"), "{made:?}");
    assert_eq!(made[3..], ["tiny+without=recovery"]);
    for one in &made {
        assert!(out.join(one).join("report.html").is_file(), "{one}");
    }
}

#[test]
fn a_run_says_when_it_replaces_earlier_results() {
    let dir = with_tiny();
    let says = "They replace earlier results in this directory.";
    assert!(!fine(dir.path(), &["run", "tiny.toml"]).contains(says));
    assert!(fine(dir.path(), &["run", "tiny.toml"]).ends_with(&format!("{says}\n")));
    let document = json(dir.path(), &["run", "tiny.toml", "--json"]);
    assert_eq!(document["replaced"], true);
    let document = json(dir.path(), &["run", "tiny.toml", "--seeds", "1", "--json"]);
    assert_eq!(document["replaced"], false);
}

/// The parts of a sweep and the whole have the folder of the run that does all at once.
#[test]
fn parts_and_the_whole_share_a_folder() {
    let dir = with_tiny();
    let changes = ["--set", "link.air.loss=2%"];
    for part in ["1/2", "2/2"] {
        let args = [&["run", "tiny.toml", "--shard", part][..], &changes].concat();
        let told = fine(dir.path(), &args);
        let folder = "out/tiny+link.air.loss=2pct";
        assert!(told.ends_with(&format!("atl merge {folder}\n")), "{told}");
        assert!(dir.path().join(folder).is_dir());
    }
    let told = fine(dir.path(), &["merge", "out/tiny+link.air.loss=2pct"]);
    assert!(told.contains("Report  out/tiny+link.air.loss=2pct/report.html"), "{told}");
}
