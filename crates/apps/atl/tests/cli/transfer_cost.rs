//! The system calls of a transfer.
#![cfg(target_os = "linux")]

use std::fs;

use crate::atl;
use crate::transfer::{Background, text};

const SIZE: usize = 20_000_000;
/// The least bytes of the file for each write of the receiver, to files or to wake a thread. A
/// write for each frame of QUIC has less than 1.5 kB.
const LEAST: usize = 16_000;

/// Calls of `write` and the like since the program's start.
fn writes(id: u32) -> usize {
    let text = fs::read_to_string(format!("/proc/{id}/io")).expect("a process");
    let count = text.lines().find_map(|line| line.strip_prefix("syscw: "));
    count.expect("a count").trim().parse().expect("a number")
}

#[test]
fn a_receiver_writes_in_large_batches() {
    let dir = tempfile::tempdir().expect("a folder");
    fs::write(dir.path().join("file"), vec![7; SIZE]).expect("written");
    let (receiver, start) = Background::recv(dir.path(), &["--into", "in", "--keep"]);
    let before = writes(receiver.id());
    let ticket = text(&start, "ticket");
    let sent = atl(dir.path(), &["send", "file", &ticket, "--link-info", "none", "-q"]);
    assert_eq!(sent.status.code(), Some(0));
    let counted = writes(receiver.id()) - before;
    receiver.signal("INT");
    receiver.end();
    assert!(counted * LEAST <= SIZE, "{counted} writes for {SIZE} bytes");
}
