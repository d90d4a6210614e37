//! The state of each link, for all clients that ask.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError, TryLockError};

use atl_core::time::Time;
use atl_engine::setup::LinkSetup;
use atl_link::Counters;
use atl_wire::PeerLinkReport;
use atl_wire::link_query::{LinkMeasurement, LinkName, LostTags, MAX_TAGS, Refusal};

use super::ring::Ring;
use crate::snapshot::Snapshot;
use crate::system::link_socket::Wake;

/// The last state of each link, and its latest losses. Clones share one board.
#[derive(Clone, Debug)]
pub struct Board {
    shared: Arc<Shared>,
}

#[derive(Debug)]
struct Shared {
    names: Vec<String>,
    /// The link of a client that names none.
    own: usize,
    state: Mutex<State>,
    skipped: AtomicU64,
    /// A client waits for tags.
    awaited: AtomicBool,
    /// Wakes the thread that answers clients which wait for tags.
    wake: OnceLock<Wake>,
}

#[derive(Debug, Default)]
struct State {
    /// Empty before the first snapshot.
    links: Vec<LinkMeasurement>,
    lost: Vec<Ring>,
}

impl Board {
    /// An empty board for these links. A client that names no link gets the first wireless one; if
    /// none is wireless, the first.
    pub fn new(links: &[LinkSetup]) -> Self {
        Board::along(links, &[])
    }

    /// Number of the links.
    pub(super) fn links(&self) -> usize {
        self.shared.names.len()
    }

    /// The same for clients at the start of this route, given as links by index: their own link is
    /// the first wireless one of the route, if it has one.
    pub fn along(links: &[LinkSetup], route: &[usize]) -> Self {
        let wireless = |index: &usize| links.get(*index).is_some_and(|link| link.wireless);
        let own = route.iter().copied().find(wireless);
        let shared = Shared {
            names: links.iter().map(|link| link.name.clone()).collect(),
            own: own.or_else(|| links.iter().position(|link| link.wireless)).unwrap_or(0),
            state: Mutex::new(State {
                links: Vec::new(),
                lost: vec![Ring::default(); links.len()],
            }),
            skipped: AtomicU64::new(0),
            awaited: AtomicBool::new(false),
            wake: OnceLock::new(),
        };
        Board { shared: Arc::new(shared) }
    }

    /// Takes an emulator's state. It never waits: while another thread reads the board, the state
    /// is skipped.
    pub fn publish(&self, snapshot: &Snapshot) {
        let Some(mut state) = self.try_lock() else {
            self.shared.skipped.fetch_add(1, Ordering::Relaxed);
            return;
        };
        state.links.clear();
        state.links.extend(snapshot.links.iter().map(|link| LinkMeasurement {
            at: snapshot.at,
            passed: link.counters.mac_passed(),
            lost: link.counters.mac_lost(),
            rate: link.rate,
            report: PeerLinkReport { epoch: link.changes as u32, link: link.report },
        }));
    }

    /// Takes over the tags that wait, together with the counters of their links, so that no client
    /// hears of more losses than are counted. It never waits: false while another thread reads the
    /// board, or before the first state.
    pub(super) fn publish_losses(
        &self,
        now: Time,
        pending: &mut [Ring],
        counters: &dyn Fn(usize) -> Option<Counters>,
    ) -> bool {
        let Some(mut state) = self.try_lock() else { return false };
        let State { links, lost } = &mut *state;
        if links.is_empty() {
            return false;
        }
        for (index, pending) in pending.iter_mut().enumerate().filter(|(_, ring)| !ring.is_empty())
        {
            if let (Some(link), Some(now_counted)) = (links.get_mut(index), counters(index)) {
                link.at = now;
                link.passed = now_counted.mac_passed();
                link.lost = now_counted.mac_lost();
            }
            if let Some(ring) = lost.get_mut(index) {
                ring.append(pending);
            }
        }
        drop(state);
        if self.shared.awaited.load(Ordering::Relaxed)
            && let Some(wake) = self.shared.wake.get()
        {
            wake.signal();
        }
        true
    }

    /// States that were skipped because another thread was reading.
    pub fn skipped(&self) -> u64 {
        self.shared.skipped.load(Ordering::Relaxed)
    }

    /// The index of the link with this name.
    pub(crate) fn find(&self, name: &LinkName) -> Result<usize, Refusal> {
        let names = &self.shared.names;
        let index = match name.is_own() {
            true => Some(self.shared.own).filter(|own| *own < names.len()),
            false => names.iter().position(|known| known == name.as_ref()),
        };
        index.ok_or(Refusal::NoSuchLink)
    }

    /// The last state of a link.
    pub(crate) fn link(&self, index: usize) -> Result<LinkMeasurement, Refusal> {
        self.lock().links.get(index).copied().ok_or(Refusal::NotYet)
    }

    /// The losses of a link from this number on, as many as an answer holds.
    pub(crate) fn lost(&self, index: usize, since: u64) -> LostTags {
        let state = self.lock();
        state.lost.get(index).map(|ring| ring.since(since, MAX_TAGS)).unwrap_or_default()
    }

    /// Tells the emulator's thread if a client waits for tags; if none does, it saves the call that
    /// wakes.
    pub(crate) fn await_losses(&self, awaited: bool) {
        self.shared.awaited.store(awaited, Ordering::Relaxed);
    }

    /// The place of the signal that there are more tags. Without one, none is given.
    pub(crate) fn wake(&self) -> &OnceLock<Wake> {
        &self.shared.wake
    }

    fn try_lock(&self) -> Option<MutexGuard<'_, State>> {
        match self.shared.state.try_lock() {
            Ok(state) => Some(state),
            Err(TryLockError::Poisoned(error)) => Some(error.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.shared.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lateness::Lateness;

    #[test]
    fn tags_wait_for_a_reader_and_not_their_writer() {
        let mut air = Board::new(&[]);
        let shared = Arc::get_mut(&mut air.shared).expect("no copies");
        shared.names.push("air".to_owned());
        let state = shared.state.get_mut().expect("never locked");
        state.lost.push(Ring::default());
        state.links.push(LinkMeasurement {
            at: Time::ZERO,
            passed: 0,
            lost: 0,
            rate: None,
            report: PeerLinkReport { epoch: 0, link: atl_core::path::LinkReport::NONE },
        });
        let mut losses = air.losses();
        let none: [atl_link::Link<atl_link::relay::Frame>; 0] = [];
        losses.add(0, &[7; 20]);
        losses.add(0, &[8; 15]);
        losses.add(1, &[9; 20]);
        let reader = air.lock();
        // A board that waits would hang here.
        assert!(!losses.publish(Time::ZERO, &none));
        drop(reader);
        losses.add(0, &[6; 16]);
        assert!(losses.publish(Time::ZERO, &none));
        assert_eq!(air.lost(0, 0), LostTags { first: 0, tags: vec![[7; 16], [6; 16]] });
        assert_eq!(air.lost(0, 2), LostTags { first: 2, tags: Vec::new() });
    }

    #[test]
    fn the_own_link_is_the_way_out() {
        let link = |name: &str, wireless| LinkSetup {
            name: name.to_owned(),
            from: 0,
            to: 1,
            wireless,
            config: Arc::new(atl_link::Config::constant(
                atl_core::units::Rate::from_mbps(1.0),
                atl_core::time::Span::ZERO,
                1,
            )),
            agent: None,
            adaptation: None,
            trace_start: None,
        };
        let links = [link("wire", false), link("down", true), link("up", true)];
        let own = |board: Board| board.find(&LinkName::own());
        assert_eq!(own(Board::new(&links)), Ok(1));
        assert_eq!(own(Board::along(&links, &[0, 2])), Ok(2));
        assert_eq!(own(Board::along(&links, &[0])), Ok(1));
        assert_eq!(own(Board::along(&links[..1], &[0])), Ok(0));
    }

    #[test]
    fn publishing_never_waits_for_a_reader() {
        let board = Board::new(&[]);
        let snapshot = Snapshot { at: Time::ZERO, links: Vec::new(), lateness: Lateness::new() };
        let reader = board.lock();
        // A board that waits would hang here.
        board.publish(&snapshot);
        assert_eq!(board.skipped(), 1);
        drop(reader);
        board.publish(&snapshot);
        assert_eq!(board.skipped(), 1);
        assert_eq!(board.find(&LinkName::own()), Err(Refusal::NoSuchLink));
        assert_eq!(board.link(0), Err(Refusal::NotYet));
    }
}
