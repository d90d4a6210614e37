//! Ctrl-C and SIGTERM: runs are cancelled, unfinished results removed, and nothing is left half-written.

use std::path::PathBuf;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use atl_engine::Cancel;
use atl_experiment::Unfinished;

use crate::output;
use crate::status::INTERRUPTED;

/// How long a signal waits for hosts to end their runs and tidy up. Their contract is 100 ms.
const WIND_UP: Duration = Duration::from_millis(400);

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

/// The folder that is being written.
static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// From now on `unfinished` is removed if the program is interrupted. A program writes one folder.
pub(crate) fn begin(unfinished: Unfinished) {
    *lock() = Some(unfinished);
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
        // The lock is kept, so that no folder is begun any more.
        let guard = lock();
        if guard.as_ref().is_some_and(Unfinished::remove_for_good) {
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
