//! The state that all connections of a receiver share.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use noq::Connection;
use tokio::sync::Notify;
use tokio::time::timeout;

use super::Options;
use super::gate::Gate;
use super::summary::{Received, Summary};
use crate::error::Error;
use crate::folder::{Folder, Refusal};
use crate::identity::{self, Identity};
use crate::observer::Observer;
use crate::wire::Reason;

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
}

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
    claimed: Mutex<BTreeSet<Vec<String>>>,
    released: Notify,
    /// Bytes written or reserved, counted against the limit.
    used: AtomicU64,
    pub(super) summary: Mutex<Summary>,
}

impl Shared {
    pub(super) fn new(
        folder: Folder,
        identity: Identity,
        options: Options,
        observer: Arc<dyn Observer>,
    ) -> Result<Self, Error> {
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

    /// Forgets a sender that has sent everything.
    pub(super) fn leave(&self, session: [u8; 16]) {
        lock(&self.senders).remove(&session);
    }

    /// Waits until no other connection receives a file of this path.
    pub(super) async fn claim(self: &Arc<Self>, path: &[String]) -> Result<Claim, Refusal> {
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
                    "it takes {limit} bytes at most, of which {} are left",
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

    pub(super) fn received(&self, received: Received) {
        lock(&self.summary).received(received);
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

    pub(super) fn remove(&self, bytes: u64) {
        self.here.fetch_sub(bytes, Ordering::Relaxed);
    }
}

/// The right to write one path, given up when it is dropped.
pub(super) struct Claim {
    shared: Arc<Shared>,
    path: Vec<String>,
}

impl Drop for Claim {
    fn drop(&mut self) {
        lock(&self.shared.claimed).remove(&self.path);
        self.shared.released.notify_waiters();
    }
}
