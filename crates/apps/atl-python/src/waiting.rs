//! Work without the interpreter's lock, which Ctrl-C and the stop button of a notebook end.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use atl_engine::{Cancel, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// How often signals are looked for: a run ends within half a second of Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` in a thread of its own. Meanwhile the interpreter may run other threads, signals are handled, and `report`
/// is called with simulated seconds done, of how many, runs done, of how many. What either raises cancels the work.
///
/// # Errors
/// What was raised, once the work has ended.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    report: Option<&Py<PyAny>>,
    cancel: &Cancel,
    work: impl FnOnce(&(dyn Fn(Progress) + Sync)) -> T + Send,
) -> PyResult<T> {
    let latest: Mutex<Option<Progress>> = Mutex::new(None);
    let note = |progress: Progress| {
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        // Threads report in any order.
        if latest.is_none_or(|before| before.done <= progress.done) {
            *latest = Some(progress);
        }
    };
    let tell = || {
        let news = latest.lock().unwrap_or_else(PoisonError::into_inner).take();
        Python::attach(|py| {
            py.check_signals()?;
            if let (Some(report), Some(p)) = (report, news) {
                report.call1(py, (p.done.secs(), p.total.secs(), p.runs_done, p.runs))?;
            }
            Ok::<(), PyErr>(())
        })
    };
    py.detach(|| {
        thread::scope(|scope| {
            let (done, result) = channel();
            let note = &note;
            // A receiver always waits.
            scope.spawn(move || drop(done.send(work(note))));
            let ended = || PyRuntimeError::new_err("the work ended without a result");
            loop {
                match result.recv_timeout(LOOK) {
                    Ok(value) => {
                        tell()?;
                        return Ok(value);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // It has panicked; the scope passes that on.
                    Err(RecvTimeoutError::Disconnected) => return Err(ended()),
                }
                if let Err(raised) = tell() {
                    cancel.cancel();
                    let _ = result.recv();
                    return Err(raised);
                }
            }
        })
    })
}
