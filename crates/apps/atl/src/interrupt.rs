//! Ctrl-C and SIGTERM: runs are cancelled, unfinished results removed, and nothing is left
//! half-written.

use std::path::PathBuf;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use atl_engine::Cancel;
use atl_experiment::{Folder, Unfinished};

use crate::output;
use crate::status::INTERRUPTED;

/// Time that a signal waits for what is under way to end and clean up. Engines promise 100 ms; a
/// transfer takes half a second at most, for the last word of the receiver and its own farewell.
const WIND_UP: Duration = Duration::from_secs(1);

/// Files to remove if a signal ends the program before the code that created them does.
static AT_EXIT: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn at_exit() -> MutexGuard<'static, Vec<PathBuf>> {
    AT_EXIT.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Registers a file for removal by signals, as long as this value lives.
#[derive(Debug)]
pub(crate) struct Removed(PathBuf);

/// Registers a file for removal by signals. At all other ends its creator removes it.
pub(crate) fn remove_at_exit(path: PathBuf) -> Removed {
    at_exit().push(path.clone());
    Removed(path)
}

impl Drop for Removed {
    fn drop(&mut self) {
        at_exit().retain(|path| *path != self.0);
    }
}

/// The folder being written.
static UNFINISHED: Mutex<Option<Unfinished>> = Mutex::new(None);

fn lock() -> MutexGuard<'static, Option<Unfinished>> {
    UNFINISHED.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Begins a folder, which signals remove. One that comes meanwhile waits until the folder is there.
/// A program writes to one folder only.
///
/// # Errors
/// If `prepare` fails, which then has nothing left to remove.
pub(crate) fn begin<E>(prepare: impl FnOnce() -> Result<Folder, E>) -> Result<Folder, E> {
    let mut unfinished = lock();
    let folder = prepare()?;
    *unfinished = Some(folder.unfinished());
    Ok(folder)
}

/// Cancels all runs of this program.
static CANCEL: LazyLock<Cancel> = LazyLock::new(Cancel::default);

/// True while runs are under way, with a condition variable for their end.
static RUNNING: (Mutex<bool>, Condvar) = (Mutex::new(false), Condvar::new());

fn set_running(running: bool) {
    *RUNNING.0.lock().unwrap_or_else(PoisonError::into_inner) = running;
    RUNNING.1.notify_all();
}

/// Carries out runs that a signal cancels. The signal's handler waits for them, so that engines can
/// clean up.
pub(crate) fn cancellable<T>(run: impl FnOnce(&Cancel) -> T) -> T {
    set_running(true);
    let result = run(&CANCEL);
    set_running(false);
    result
}

/// Carries out runs, and does not return if a signal has cancelled them: its handler ends the
/// program.
pub(crate) fn completed<T>(run: impl FnOnce(&Cancel) -> T) -> T {
    let (result, interrupted) = cancellable(|cancel| (run(cancel), cancel.is_cancelled()));
    if interrupted {
        wait_for_exit();
    }
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
        // Keeps the lock, so that no further folder is begun.
        let guard = lock();
        if guard.as_ref().is_some_and(Unfinished::remove_for_good) {
            output::error("\ninterrupted: nothing was written\n");
        }
        // Keeps the lock, so that no further file is registered.
        let at_exit = at_exit();
        for path in at_exit.iter() {
            let _ = std::fs::remove_file(path);
        }
        std::process::exit(INTERRUPTED);
    };
    // Without a handler a signal still ends the program, but leaves the temporary directory behind.
    let _ = ctrlc::set_handler(handler);
}
