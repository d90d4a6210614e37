//! How this program starts itself once more.

use std::ffi::OsString;
use std::process::Command;
use std::sync::OnceLock;

static WORDS: OnceLock<Vec<OsString>> = OnceLock::new();

/// From now on `words` start it: a program and its first arguments. Nothing changes if they are empty.
pub(crate) fn is_started_by(words: Vec<OsString>) {
    if !words.is_empty() {
        // Only the first call of a process counts, as with the handlers of signals.
        let _ = WORDS.set(words);
    }
}

/// A command that starts it, to which arguments can be added.
pub(crate) fn command() -> Command {
    match WORDS.get().and_then(|words| words.split_first()) {
        Some((program, first)) => {
            let mut command = Command::new(program);
            command.args(first);
            command
        }
        // This very program, even if its file has been replaced.
        None => Command::new("/proc/self/exe"),
    }
}
