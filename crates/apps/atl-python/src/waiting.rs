//! Work without the interpreter's lock that Ctrl-C, or the stop button of a notebook, can end.

use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::thread;
use std::time::Duration;

use atl_engine::{Cancel, Progress};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Interval of checks for signals. A run must end within half a second of Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);

/// Does `work` on another thread. Meanwhile the interpreter may run other threads, signals are
/// handled, and `report` is called with simulated seconds done and in total, and runs done and in
/// total. An exception in either cancels the work.
///
/// # Errors
/// The exception, once the work has ended.
pub(crate) fn wait<T: Send>(
    py: Python<'_>,
    report: Option<&Py<PyAny>>,
    cancel: &Cancel,
    work: impl FnOnce(&(dyn Fn(Progress) + Sync)) -> T + Send,
) -> PyResult<T> {
    let latest: Mutex<Option<Progress>> = Mutex::new(None);
    let note = |progress: Progress| {
        let mut latest = latest.lock().unwrap_or_else(PoisonError::into_inner);
        // Reports of different threads may arrive out of order.
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
            // The receiver outlives the sender.
            scope.spawn(move || drop(done.send(work(note))));
            let ended = || PyRuntimeError::new_err("the work ended without a result");
            loop {
                match result.recv_timeout(LOOK) {
                    Ok(value) => {
                        tell()?;
                        return Ok(value);
                    }
                    Err(RecvTimeoutError::Timeout) => {}
                    // The work panicked; the scope propagates that.
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
