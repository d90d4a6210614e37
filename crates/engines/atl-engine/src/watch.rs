//! A run under way, as whoever started it sees it.

use std::error::Error;
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use atl_core::time::Span;

/// Asks runs to stop. Clones are the same request: one side keeps a clone and calls [`cancel`](Cancel::cancel), from any
/// thread.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Asks every run that watches this to stop. It cannot be taken back.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// True once [`cancel`](Cancel::cancel) was called.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What a host calls during a run: to report progress, and to learn whether it is to stop.
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
    /// Watches a run: `stop` says whether it is to stop, `progress` gets the time on the run's own clock.
    pub fn new(
        stop: &'a (dyn Fn() -> bool + Sync),
        progress: &'a (dyn Fn(Span) + Sync),
    ) -> Watch<'a> {
        Watch { stop, progress }
    }

    /// Nobody watches: the run goes on to its end.
    pub fn unwatched() -> Watch<'static> {
        Watch { stop: &|| false, progress: &|_| {} }
    }

    /// True if the run is to stop.
    pub fn cancelled(&self) -> bool {
        (self.stop)()
    }

    /// Reports how far the run is, from zero to [`Engine::length`](crate::Engine::length). Both steps and calls may be as
    /// small as the host likes; a smaller time than the last one counts as no progress.
    ///
    /// # Errors
    /// [`Stopped::Cancelled`] if the run is to stop.
    pub fn reached(&self, time: Span) -> Result<(), Stopped> {
        (self.progress)(time);
        if self.cancelled() { Err(Stopped::Cancelled) } else { Ok(()) }
    }
}

/// Why a run ended without a result.
///
/// Any error converts into [`Failed`](Stopped::Failed), so a host can use `?`.
#[derive(Debug)]
pub enum Stopped {
    /// It was cancelled.
    Cancelled,
    /// Something went wrong: a socket could not be opened, a peer went away.
    Failed(Box<dyn Error + Send + Sync>),
}

impl Stopped {
    /// A failure that a sentence describes.
    pub fn failed(message: impl Into<String>) -> Stopped {
        Stopped::Failed(message.into().into())
    }
}

// `Stopped` is no `Error` itself: it could not have this conversion then.
impl<E: Error + Send + Sync + 'static> From<E> for Stopped {
    fn from(error: E) -> Stopped {
        Stopped::Failed(Box::new(error))
    }
}
