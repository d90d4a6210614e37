//! Starting this program again.

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

/// A command that starts this program as another process; the caller adds arguments.
pub(crate) fn command() -> Command {
    by_words().unwrap_or_else(|| Command::new(OWN_FILE))
}

/// A command that starts it in the place of this process, so that those who look for it by its name
/// find it; the caller adds arguments. `name` is how this process was called.
///
/// # Errors
/// If the system does not tell which file this process runs.
#[cfg(unix)]
pub(crate) fn again(name: &std::ffi::OsStr) -> std::io::Result<Command> {
    use std::os::unix::process::CommandExt as _;
    if let Some(command) = by_words() {
        return Ok(command);
    }
    let path = std::env::current_exe()?;
    // The system takes a process's short name from the path that it starts.
    let mut command = match is_own_file(&path) {
        true => Command::new(path),
        false => Command::new(OWN_FILE),
    };
    command.arg0(name);
    Ok(command)
}

/// The file that this process runs, even if another has taken its place or it was removed.
const OWN_FILE: &str = "/proc/self/exe";

fn by_words() -> Option<Command> {
    let (program, first) = WORDS.get()?.split_first()?;
    let mut command = Command::new(program);
    command.args(first);
    Some(command)
}

/// True if the path still leads to the file that this process runs. Systems without
/// [`OWN_FILE`] cannot tell, and have nothing but the path.
#[cfg(unix)]
fn is_own_file(path: &std::path::Path) -> bool {
    use std::os::unix::fs::MetadataExt as _;
    let id = |file: &std::path::Path| file.metadata().map(|data| (data.dev(), data.ino())).ok();
    let own = id(OWN_FILE.as_ref());
    own.is_none() || own == id(path)
}
