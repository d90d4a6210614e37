//! Starting this program again, as a process of its own.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// Sets the words that start it: a program and its first arguments. Does nothing if they are empty.
pub(crate) fn is_started_by(words: Vec<OsString>) {
    if !words.is_empty() {
        // The first call in a process wins, as for signal handlers.
        let _ = WORDS.set(words);
    }
}

/// A command that starts this program; the caller adds arguments.
pub(crate) fn command() -> Command {
    match WORDS.get().and_then(|words| words.split_first()) {
        Some((program, first)) => {
            let mut command = Command::new(program);
            command.args(first);
            command
        }
        // Starts the same version even if the file has been replaced.
        None => Command::new("/proc/self/exe"),
    }
}
