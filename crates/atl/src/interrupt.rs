//! Ctrl-C and SIGTERM: runs are cancelled, unfinished results removed, and nothing is left half-written.

use std::path::PathBuf;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use atl_host::Cancel;

use crate::output;
use crate::status::INTERRUPTED;

/// How long a signal waits for hosts to end their runs and tidy up. Their contract is 100 ms.
const WIND_UP: Duration = Duration::from_millis(400);

/// Files of a command that has not finished.
#[derive(Debug)]
pub(crate) struct Unfinished {
    /// Directory in which its files are staged.
    pub staging: PathBuf,
    /// The locks on the directories for results.
    pub locks: Vec<PathBuf>,
    /// Directories that were created for it, each before those that it lies in.
    pub made: Vec<PathBuf>,
}

impl Unfinished {
    /// Removes what is staged, and the locks.
    pub(crate) fn remove_staging(&self) {
        let _ = std::fs::remove_dir_all(&self.staging);
        for lock in &self.locks {
            let _ = std::fs::remove_file(lock);
        }
    }

    /// Removes everything except directories that somebody else has put something into.
    pub(crate) fn remove(&self) {
        self.remove_staging();
        for dir in &self.made {
            let _ = std::fs::remove_dir(dir);
        }
    }
}

/// Files that are removed if a signal ends the program before those who made them have ended.
static AT_EXIT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn at_exit() -> MutexGuard<'static, Vec<PathBuf>> {
    AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A file that a signal removes, as long as this lives.
#[derive(Debug)]
pub(crate) struct Removed(PathBuf);

/// From now on the file is removed if a signal ends the program. Whoever made it removes it at all other ends.
pub(crate) fn remove_at_exit(path: PathBuf) -> Removed {
    at_exit().push(path.clone());
    Removed(path)
}

impl Drop for Removed {
    fn drop(&mut self) {
        at_exit().retain(|path| *path != self.0);
    }
}

static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on `unfinished` is removed if the program is interrupted.
pub(crate) fn begin(unfinished: Unfinished) {
    *lock() = Some(unfinished);
}

/// Removes what [`begin`] announced, unless the command has finished.
pub(crate) fn abandon() {
    if let Some(unfinished) = lock().take() {
        unfinished.remove();
    }
}

/// Puts the staged files in place with `commit`, which no signal interrupts, and which cleans up after itself. `None` if
/// nothing is staged.
pub(crate) fn finish<T>(commit: impl FnOnce(Unfinished) -> T) -> Option<T> {
    let mut guard = lock();
    let unfinished = guard.take()?;
    Some(commit(unfinished))
}

/// Cancels all runs of this program.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);

/// Runs are under way, and the news that they have ended.
static RUNNING: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

fn set_running(running: bool) {
    *RUNNING.0.lock().unwrap_or_else(PoisonError::into_inner) = running;
    RUNNING.1.notify_all();
}

/// Carries out runs that a signal cancels. A signal waits for them, so that hosts can tidy up.
pub(crate) fn cancellable<T>(run: impl FnOnce(&Cancel) -> T) -> T {
    set_running(true);
    let result = run(&CANCEL);
    set_running(false);
    result
}

/// Waits for the signal handler to end the program, which it does after cancelling runs.
pub(crate) fn wait_for_exit() -> ! {
    loop {
        std::thread::park();
    }
}

/// Makes Ctrl-C and SIGTERM clean up and end the program.
pub(crate) fn clean_up_on_signals() {
    let handler = || {
        CANCEL.cancel();
        let running = RUNNING.0.lock().unwrap_or_else(PoisonError::into_inner);
        drop(RUNNING.1.wait_timeout_while(running, WIND_UP, |running| *running));
        // Waits for a commit that is under way. The lock is kept, so that no other begins.
        let mut guard = lock();
        if let Some(unfinished) = guard.take() {
            unfinished.remove();
            output::error("\ninterrupted: nothing was written\n");
        }
        // Kept locked, so that nobody makes another.
        let at_exit = at_exit();
        for path in at_exit.iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    };
    // Without a handler the system's default ends the program too, and leaves a temporary directory.
    let _ = ctrlc::set_handler(handler);
}
