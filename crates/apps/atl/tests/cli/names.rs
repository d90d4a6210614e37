//! Ways to name a scenario: a file, a built-in one, its last component, standard input.

use std::io::Write as _;
use std::process::Stdio;

use crate::{TINY, command, err, fine, names, out, refused};

#[test]
fn the_last_part_of_a_name_is_enough() {
    let dir = tempfile::tempdir().expect("a directory");
    assert_eq!(
        fine(dir.path(), &["show", "roaming"]),
        fine(dir.path(), &["show", "showcase/roaming"])
    );
    let told = fine(dir.path(), &["validate", "roaming"]);
    assert!(told.starts_with("roaming: OK, "), "{told}");
    // A file takes precedence over a built-in scenario.
    std::fs::write(dir.path().join("roaming"), TINY).expect("writable");
    let told = fine(dir.path(), &["validate", "roaming"]);
    assert!(told.contains("2 points × 5 seeds"), "{told}");
}

#[test]
fn a_name_that_several_have_is_refused_with_all_of_them() {
    let dir = tempfile::tempdir().expect("a directory");
    for command in ["run", "show", "validate"] {
        let told = refused(dir.path(), &[command, "table1"], 2);
        for word in ["`table1` is the name of 2 built-in scenarios", "atl/table1, aalt/table1"] {
            assert!(told.contains(word), "{command}: {word} in {told}");
        }
    }
    let told = refused(dir.path(), &["run", "roming"], 2);
    assert!(told.contains("did you mean `roaming`"), "{told}");
    assert!(names(dir.path()).is_empty());
}

#[test]
fn a_scenario_may_come_from_standard_input() {
    let dir = tempfile::tempdir().expect("a directory");
    let piped = |args: &[&str], text: &str| {
        let mut child = command(dir.path(), args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let mut stdin = child.stdin.take().expect("a pipe");
        // Fails, since the program stops reading beyond its limit.
        let _ = stdin.write_all(text.as_bytes());
        drop(stdin);
        child.wait_with_output().expect("it ends")
    };
    let output = piped(&["run", "-", "--seeds", "1", "--set", "protocol=reno"], TINY);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(
        out(&output).contains("out/stdin+seeds=1+protocol=reno/report.html"),
        "{}",
        out(&output)
    );
    assert!(dir.path().join("out/stdin+seeds=1+protocol=reno/runs.parquet").is_file());

    let wrong = piped(&["validate", "-"], &TINY.replace("1e-2", "1.5"));
    assert_eq!(wrong.status.code(), Some(2));
    assert!(err(&wrong).contains("stdin:13:8"), "{}", err(&wrong));

    let endless = piped(&["validate", "-"], &"# a comment\n".repeat(100_000));
    assert!(err(&endless).contains("at most 1048576 bytes"), "{}", err(&endless));
}
