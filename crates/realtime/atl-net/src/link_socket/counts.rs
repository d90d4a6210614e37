//! Counts of the events on a link socket.

use std::sync::atomic::{AtomicU64, Ordering};

/// Counts of the events on a link socket since it was opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SocketCounts {
    /// Clients that connected and were accepted.
    pub clients: u64,
    /// Clients that were turned away, because too many were connected.
    pub turned_away: u64,
    /// Requests that were understood.
    pub requests: u64,
    /// Messages that were no request of this version.
    pub malformed: u64,
    /// Requests whose number was not greater than the last one on their connection: repeated, or
    /// out of order.
    pub replayed: u64,
    /// Answers sent, refusals included.
    pub answers: u64,
    /// Answers dropped because a client did not read in time.
    pub unsent: u64,
}

/// The counters behind [`SocketCounts`], which threads share.
#[derive(Debug, Default)]
pub(crate) struct Counting {
    pub(crate) clients: AtomicU64,
    pub(crate) turned_away: AtomicU64,
    pub(crate) requests: AtomicU64,
    pub(crate) malformed: AtomicU64,
    pub(crate) replayed: AtomicU64,
    pub(crate) answers: AtomicU64,
    pub(crate) unsent: AtomicU64,
}

/// Adds one to a counter.
pub(crate) fn count(counter: &AtomicU64) {
    counter.fetch_add(1, Ordering::Relaxed);
}

impl Counting {
    pub(crate) fn read(&self) -> SocketCounts {
        let read = |counter: &AtomicU64| counter.load(Ordering::Relaxed);
        SocketCounts {
            clients: read(&self.clients),
            turned_away: read(&self.turned_away),
            requests: read(&self.requests),
            malformed: read(&self.malformed),
            replayed: read(&self.replayed),
            answers: read(&self.answers),
            unsent: read(&self.unsent),
        }
    }
}
