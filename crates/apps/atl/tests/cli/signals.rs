//! Interrupting runs with Ctrl-C.
#![cfg(unix)]

use std::fs;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use crate::{command, fine, names, with_tiny};

#[test]
fn an_interrupted_run_leaves_nothing_half_written() {
    let dir = with_tiny();
    fine(dir.path(), &["run", "tiny.toml", "--out", "old"]);
    let before = fs::read(dir.path().join("old/runs.parquet")).expect("written");

    for (place, signal) in [("new/deep", "INT"), ("old", "TERM")] {
        let args = ["run", "tiny.toml", "--duration", "10h", "--seeds", "1000", "--out", place];
        let mut child = command(dir.path(), &args)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        let staged = || {
            let dir = dir.path().join(place);
            dir.is_dir() && names(&dir).iter().any(|n| n.starts_with(".atl-"))
        };
        let begun = Instant::now();
        while !staged() {
            assert!(begun.elapsed() < Duration::from_secs(30), "it never began");
            sleep(Duration::from_millis(10));
        }
        let pid = child.id().to_string();
        let sent = Command::new("kill").args(["-s", signal, &pid]).status();
        assert!(sent.is_ok_and(|s| s.success()));
        assert_eq!(child.wait().expect("it ends").code(), Some(130), "{place}");
    }
    assert_eq!(names(dir.path()), ["old", "tiny.toml"], "what was made is gone");
    assert_eq!(names(&dir.path().join("old")).len(), 5);
    assert_eq!(fs::read(dir.path().join("old/runs.parquet")).expect("still there"), before);
}
