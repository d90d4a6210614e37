//! Tests of the program as users run it.

mod aal_t;
mod ablation;
mod artefact;
mod attack;
mod battery;
mod chance;
mod compare;
mod documents;
mod doors;
mod equivalence;
mod fading;
mod figure;
mod folder;
mod foreign;
mod front_page;
mod grid;
mod help;
mod json;
mod link;
mod link_end;
mod link_queue;
mod link_socket;
mod marks;
mod memory;
mod mobiles;
mod model;
mod names;
mod nested;
mod packets;
mod path;
mod picoquic;
mod playground;
mod program;
mod program_seen;
mod results;
mod results_page;
mod shard;
mod signals;
mod ticket_seen;
mod trace;
mod traces;
mod transfer;
mod transfer_cost;
mod tutorial;
mod wrong;

use std::path::Path;
use std::process::{Command, Output};

/// A short scenario: two protocols, five seeds, two simulated seconds.
pub const TINY: &str = r#"title = "A tiny scenario"
duration = "2s"
seeds = 5
[sweep]
protocol = ["tcp-atl", "newreno"]
[[link]]
name = "air"
from = "phone"
to = "ap"
wireless = true
rate = "2Mb/s"
delay = "10ms"
loss = 1e-2
[[link]]
name = "path"
from = "ap"
to = "server"
rate = "10Mb/s"
delay = "10ms"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "$protocol"
start-jitter = "50ms"
[record]
every = "500ms"
[[figure]]
title = "Goodput over time"
kind = "time"
y = "goodput"
series = "protocol"
[[quote]]
id = "plausible"
text = "Goodput is below what the link carries"
source = "this test"
metric = "goodput"
value = { of = { protocol = "tcp-atl" }, expect = "1.3Mb/s", within = "95%" }
[[quote]]
id = "impossible"
text = "TCP-ATL gets ten times what NewReno gets"
source = "this test"
metric = "goodput"
ratio = { of = { protocol = "tcp-atl" }, over = { protocol = "newreno" }, expect = 10.0, within = "1%" }
"#;

/// Time after which a test gives up.
#[cfg(unix)]
pub const AMPLE: std::time::Duration = std::time::Duration::from_secs(20);

/// The program with these arguments, run in `dir`.
pub fn command(dir: &Path, args: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_atl"));
    command.current_dir(dir).args(args).env_remove("NO_COLOR").env_remove("COLUMNS");
    command
}

/// Runs the program with these arguments in `dir`.
pub fn atl(dir: &Path, args: &[&str]) -> Output {
    command(dir, args).output().expect("the program starts")
}

/// Standard output of a run that succeeds without messages.
pub fn fine(dir: &Path, args: &[&str]) -> String {
    let output = atl(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
    assert_eq!(err(&output), "", "{args:?}");
    out(&output)
}

/// Standard error of a run that ends with this status and prints nothing else.
pub fn refused(dir: &Path, args: &[&str], status: i32) -> String {
    let output = atl(dir, args);
    assert_eq!(output.status.code(), Some(status), "{args:?}: {}", err(&output));
    assert_eq!(out(&output), "", "{args:?}");
    err(&output)
}

/// Standard output, which is UTF-8.
pub fn out(output: &Output) -> String {
    String::from_utf8(output.stdout.clone()).expect("UTF-8")
}

/// Standard error, which is UTF-8.
pub fn err(output: &Output) -> String {
    String::from_utf8(output.stderr.clone()).expect("UTF-8")
}

/// The JSON document that a successful run prints, and its messages.
pub fn json_and_messages(dir: &Path, args: &[&str]) -> (serde_json::Value, String) {
    let output = atl(dir, args);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {}", err(&output));
    let text = out(&output);
    let document =
        serde_json::from_str(&text).unwrap_or_else(|e| panic!("{args:?}: {e} in {text}"));
    (document, err(&output))
}

/// The JSON document of a run that succeeds without messages.
pub fn json(dir: &Path, args: &[&str]) -> serde_json::Value {
    let (document, told) = json_and_messages(dir, args);
    assert_eq!(told, "", "{args:?}");
    document
}

/// Standard output of an `atl path` that succeeds, whose only message says what was understood.
pub fn path_text(dir: &Path, args: &[&str]) -> String {
    let output = atl(dir, args);
    let told = err(&output);
    assert_eq!(output.status.code(), Some(0), "{args:?}: {told}");
    assert!(told.starts_with("Understood: ") && told.ends_with(".\n"), "{args:?}: {told}");
    assert_eq!(told.lines().count(), 1, "{args:?}: {told}");
    out(&output)
}

/// The JSON document of such a path, which standard error repeats.
pub fn path_json(dir: &Path, args: &[&str]) -> serde_json::Value {
    let (document, messages) = json_and_messages(dir, args);
    let told = document["understood"].as_str().expect("text");
    assert_eq!(messages, format!("Understood: {told}.\n"), "{args:?}");
    document
}

/// A new directory with `tiny.toml`.
pub fn with_tiny() -> tempfile::TempDir {
    let dir = tempfile::tempdir().expect("a directory");
    std::fs::write(dir.path().join("tiny.toml"), TINY).expect("writable");
    dir
}

/// Names in a directory, including hidden ones, sorted.
pub fn names(dir: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(dir).unwrap_or_else(|e| panic!("{}: {e}", dir.display()));
    let name = |e: std::fs::DirEntry| e.file_name().to_string_lossy().into_owned();
    let mut names: Vec<String> = entries.map(|e| name(e.expect("readable"))).collect();
    names.sort();
    names
}
