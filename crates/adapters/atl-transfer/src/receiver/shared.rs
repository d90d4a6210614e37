//! The state that all connections of a receiver share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noq::Connection;
use tokio::sync::Notify;
use tokio::time::{Instant, timeout};

use super::Options;
use super::gate::Gate;
use super::summary::Summary;
use crate::error::Error;
use crate::folder::{Folder, Refusal};
use crate::hash;
use crate::identity::{self, Identity};
use crate::observer::Observer;
use crate::wire::{Name, Reason};

/// Longest wait for a file that another connection holds: one that is lost may not know it yet.
const HANDOVER: Duration = Duration::from_secs(15);
/// Senders whose progress is kept after their connection is lost.
const MAX_SENDERS: usize = 64;

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress of a sender, over all of its connections.
#[derive(Debug, Default)]
pub(super) struct Sender {
    /// Bytes of its files that are received, and of its load.
    here: AtomicU64,
    /// Paths of files and folders that are counted already: a confirmation may be lost with the
    /// connection, and the sender then offers the same again.
    counted: Mutex<BTreeSet<[u8; 8]>>,
}

/// Limit on the paths of a sender that are remembered for that.
const MAX_COUNTED: usize = 1 << 20;

/// A sender's progress, and its last connection.
type Known = (Arc<Sender>, Connection);

pub(super) struct Shared {
    pub(super) folder: Folder,
    pub(super) identity: Identity,
    pub(super) gate: Arc<Gate>,
    pub(super) options: Options,
    pub(super) observer: Arc<dyn Observer>,
    /// A number that tells this run of the receiver from others.
    pub(super) instance: u64,
    senders: Mutex<BTreeMap<[u8; 16], Known>>,
    claimed: Mutex<BTreeSet<Vec<Name>>>,
    released: Notify,
    /// Bytes written or reserved, counted against the limit.
    used: AtomicU64,
    pub(super) summary: Mutex<Summary>,
    times: Mutex<Option<Times>>,
    /// The end of the ticket.
    until: Option<Instant>,
}

/// The time over which it has received.
#[derive(Clone, Copy, Debug)]
struct Times {
    first: Instant,
    last: Instant,
    /// Connections under way.
    open: usize,
}

impl Shared {
    pub(super) fn new(
        folder: Folder,
        identity: Identity,
        options: Options,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, Error> {
        // A time that the clock cannot hold never comes.
        let until = options.expires.and_then(|time| Instant::now().checked_add(time));
        Ok(Shared {
            folder,
            gate: Gate::new(identity.secret()),
            identity,
            options,
            observer,
            instance: u64::from_be_bytes(identity::random()?),
            senders: Mutex::default(),
            claimed: Mutex::default(),
            released: Notify::new(),
            used: AtomicU64::new(0),
            summary: Mutex::default(),
            times: Mutex::default(),
            until,
        })
    }

    /// Registers a connection of a sender. Returns the sender's progress, and the connection that
    /// this one replaces.
    pub(super) fn enter(
        &self,
        session: [u8; 16],
        connection: &Connection,
    ) -> (Arc<Sender>, Option<Connection>) {
        let mut senders = lock(&self.senders);
        let before = senders.remove(&session);
        if senders.len() >= MAX_SENDERS {
            let gone = senders.iter().find(|(_, (_, old))| old.close_reason().is_some());
            let gone = gone.map(|(session, _)| *session);
            gone.and_then(|session| senders.remove(&session));
        }
        let (sender, old) = match before {
            Some((sender, old)) => (sender, Some(old)),
            None => (Arc::default(), None),
        };
        senders.insert(session, (Arc::clone(&sender), connection.clone()));
        (sender, old)
    }

    /// Notes that a sender is connected.
    pub(super) fn begins(&self) {
        let now = Instant::now();
        let mut times = lock(&self.times);
        times.get_or_insert(Times { first: now, last: now, open: 0 }).open += 1;
    }

    /// Notes that a sender's connection has ended.
    pub(super) fn ends(&self) {
        if let Some(times) = lock(&self.times).as_mut() {
            times.last = Instant::now();
            times.open = times.open.saturating_sub(1);
        }
    }

    /// Time from the first connection to the end of the last one, or to now.
    pub(super) fn took(&self) -> Duration {
        let times = *lock(&self.times);
        times.map_or(Duration::ZERO, |times| match times.open {
            0 => times.last - times.first,
            _ => times.first.elapsed(),
        })
    }

    /// The end of the ticket, if it has one.
    pub(super) fn until(&self) -> Option<Instant> {
        self.until
    }

    /// True if the ticket no longer admits this sender: it has expired, and the sender is new.
    pub(super) fn is_late(&self, session: &[u8; 16]) -> bool {
        let expired = self.until.is_some_and(|until| Instant::now() >= until);
        expired && !lock(&self.senders).contains_key(session)
    }

    /// True if no sender has begun that has not sent everything.
    pub(super) fn is_idle(&self) -> bool {
        lock(&self.senders).is_empty()
    }

    /// Forgets a sender that has sent everything.
    pub(super) fn leave(&self, session: [u8; 16]) {
        lock(&self.senders).remove(&session);
    }

    /// Waits until no other connection receives a file of this path.
    pub(super) async fn claim(self: &Arc<Self>, path: &[Name]) -> Result<Claim, Refusal> {
        let wait = async {
            loop {
                let released = self.released.notified();
                if lock(&self.claimed).insert(path.to_vec()) {
                    return;
                }
                released.await;
            }
        };
        match timeout(HANDOVER, wait).await {
            Ok(()) => Ok(Claim { shared: Arc::clone(self), path: path.to_vec() }),
            Err(_) => {
                Err(Refusal::new(Reason::Busy, "another sender is sending this file".to_owned()))
            }
        }
    }

    /// Reserves bytes of the limit.
    pub(super) fn reserve(&self, bytes: u64) -> Result<(), Refusal> {
        let Some(limit) = self.options.limit else { return Ok(()) };
        let reserved = self.used.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |used| {
            used.checked_add(bytes).filter(|used| *used <= limit)
        });
        match reserved {
            Ok(_) => Ok(()),
            Err(used) => Err(Refusal::new(
                Reason::Limit,
                format!(
                    "it takes {limit} bytes at most (--limit), of which {} are left",
                    limit.saturating_sub(used)
                ),
            )),
        }
    }

    /// Returns reserved bytes that were not written.
    pub(super) fn give_back(&self, bytes: u64) {
        if self.options.limit.is_some() {
            self.used.fetch_sub(bytes, Ordering::Relaxed);
        }
    }

    pub(super) fn refused(&self) {
        lock(&self.summary).refused += 1;
    }

    pub(super) fn note(&self, change: impl FnOnce(&mut Summary)) {
        change(&mut lock(&self.summary));
    }
}

impl Sender {
    pub(super) fn add(&self, bytes: u64) -> u64 {
        self.here.fetch_add(bytes, Ordering::Relaxed) + bytes
    }

    /// Notes that a file or a folder is in its place. False if it was noted before.
    pub(super) fn is_new(&self, path: &[Name]) -> bool {
        let hash = hash::of(&path.join(&b'/'));
        let mut short = [0; 8];
        short.copy_from_slice(&hash[..8]);
        let mut counted = lock(&self.counted);
        counted.len() >= MAX_COUNTED || counted.insert(short)
    }

    pub(super) fn remove(&self, bytes: u64) {
        self.here.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The right to write one path, given up when it is dropped.
pub(super) struct Claim {
    shared: Arc<Shared>,
    path: Vec<Name>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        lock(&self.shared.claimed).remove(&self.path);
        self.shared.released.notify_waiters();
    }
}
