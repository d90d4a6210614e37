//! What is known of each link, for all who ask.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

use atl_endpoint::options::PeerLinkReport;
use atl_endpoint::wire::link_query::{LinkMeasurement, LinkName, Refusal};
use atl_scenario::setup::LinkSetup;

use crate::snapshot::Snapshot;

/// The last state of each link. Copies are the same board.
#[derive(Clone, Debug)]
pub struct Board {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    names: Vec<String>,
    /// The link of an asker that names none.
    own: usize,
    links: Mutex<Vec<LinkMeasurement>>,
    skipped: AtomicU64,
}

impl Board {
    /// An empty board for these links. Who asks for its own link is told of the first wireless one; if none is wireless, of
    /// the first.
    pub fn new(links: &[LinkSetup]) -> Self {
        let shared = Shared {
            names: links.iter().map(|link| link.name.clone()).collect(),
            own: links.iter().position(|link| link.wireless).unwrap_or(0),
            links: Mutex::new(Vec::new()),
            skipped: AtomicU64::new(0),
        };
        Board { shared: Arc::new(shared) }
    }

    /// Takes an emulator's state. It never waits: while somebody reads the board, the state is skipped.
    pub fn publish(&self, snapshot: &Snapshot) {
        let mut links = match self.shared.links.try_lock() {
            Ok(links) => links,
            Err(TryLockError::Poisoned(error)) => error.into_inner(),
            Err(TryLockError::WouldBlock) => {
                self.shared.skipped.fetch_add(1, Ordering::Relaxed);
                return;
            }
        };
        links.clear();
        links.extend(snapshot.links.iter().map(|link| LinkMeasurement {
            at: snapshot.at,
            passed: link.counters.mac_passed(),
            lost: link.counters.mac_lost(),
            rate: link.rate,
            report: PeerLinkReport { epoch: link.changes as u32, link: link.report },
        }));
    }

    /// States that were not taken because somebody was reading.
    pub fn skipped(&self) -> u64 {
        self.shared.skipped.load(Ordering::Relaxed)
    }

    /// The index of the link with this name.
    pub(super) fn find(&self, name: &LinkName) -> Result<usize, Refusal> {
        let names = &self.shared.names;
        let index = match name.is_own() {
            true => Some(self.shared.own).filter(|own| *own < names.len()),
            false => names.iter().position(|known| known == name.as_ref()),
        };
        index.ok_or(Refusal::NoSuchLink)
    }

    /// The last state of a link.
    pub(super) fn link(&self, index: usize) -> Result<LinkMeasurement, Refusal> {
        self.lock().get(index).copied().ok_or(Refusal::NotYet)
    }

    fn lock(&self) -> MutexGuard<'_, Vec<LinkMeasurement>> {
        self.shared.links.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lateness::Lateness;

    #[test]
    fn publishing_never_waits_for_a_reader() {
        let board = Board::new(&[]);
        let snapshot = Snapshot {
            at: atl_core::time::Time::ZERO,
            links: Vec::new(),
            lateness: Lateness::new(),
        };
        let reader = board.lock();
        // It would hang here.
        board.publish(&snapshot);
        assert_eq!(board.skipped(), 1);
        drop(reader);
        board.publish(&snapshot);
        assert_eq!(board.skipped(), 1);
        assert_eq!(board.find(&LinkName::own()), Err(Refusal::NoSuchLink));
        assert_eq!(board.link(0), Err(Refusal::NotYet));
    }
}
