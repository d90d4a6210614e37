//! Progress and cancellation of a run under way.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atl_core::time::Span;

/// A request to stop runs. Clones share the request: one side keeps a clone and calls
/// [`cancel`](Cancel::cancel) from any thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Requests every run that watches this to stop. The request cannot be withdrawn.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True after [`cancel`](Cancel::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// Handle by which an engine reports progress during a run and learns that it must stop.
#[derive(Clone, Copy)]
pub struct Watch<'a> {
    stop: &'a (dyn Fn() -> bool + Sync),
    progress: &'a (dyn Fn(Span) + Sync),
}

impl fmt::Debug for Watch<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watch").field("cancelled", &self.cancelled()).finish_non_exhaustive()
    }
}

impl<'a> Watch<'a> {
    /// A handle for a run: `stop` returns true if it must stop, `progress` receives the time on the
    /// run's own clock.
    pub fn new(
        stop: &'a (dyn Fn() -> bool + Sync),
        progress: &'a (dyn Fn(Span) + Sync),
    ) -> Watch<'a> {
        Watch { stop, progress }
    }

    /// A handle without an observer: the run goes on to its end.
    pub fn unwatched() -> Watch<'static> {
        Watch { stop: &|| false, progress: &|_| {} }
    }

    /// True if the run must stop.
    pub fn cancelled(&self) -> bool {
        (self.stop)()
    }

    /// Reports progress, from zero to [`Engine::length`](crate::Engine::length). Steps and
    /// intervals between calls may be as small as the engine likes; a time below the last one
    /// counts as no progress.
    ///
    /// # Errors
    /// [`Stopped::Cancelled`] if the run must stop.
    pub fn reached(&self, time: Span) -> Result<(), Stopped> {
        (self.progress)(time);
        if self.cancelled() { Err(Stopped::Cancelled) } else { Ok(()) }
    }
}

/// The reason why a run ended without a result.
///
/// Every error converts into [`Failed`](Stopped::Failed), so engines can use `?`.
#[derive(Debug)]
pub enum Stopped {
    /// The caller cancelled it.
    Cancelled,
    /// An error, such as a socket that cannot be opened or a peer that is gone.
    Failed(Box<dyn Error + Send + Sync>),
}

impl Stopped {
    /// A failure with a message of one sentence.
    pub fn failed(message: impl Into<String>) -> Stopped {
        Stopped::Failed(message.into().into())
    }
}

// `Stopped` does not implement `Error`, which would rule out this conversion.
impl<E: Error + Send + Sync + 'static> From<E> for Stopped {
    fn from(error: E) -> Stopped {
        Stopped::Failed(Box::new(error))
    }
}
