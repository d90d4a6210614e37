//! Which packets a lost datagram held.
//!
//! A link that loses a datagram (a MAC that ran out of retries, an emulated link) has its bytes,
//! and no keys. The AEAD tag that ends them is as good as random, so it tells the datagram from
//! every other; what a datagram holds is known at the moment it leaves, since noq builds a
//! transmit's packets in order and tells of each. A host
//!
//! 1. gives [`Factory::marks`](crate::Factory::marks) a table,
//! 2. shows it each transmit that leaves ([`Marks::sent`]), before the next one of the same
//!    connection is built,
//! 3. says what the link has lost ([`Marks::lost`]).
//!
//! When noq finds such a packet lost, the controller learns that it was no sign of congestion. A
//! mark that comes later than that changes nothing: the controller has reacted, and
//! [`MarkCounts::late`] counts it.
//!
//! A mark counts only if its tag is that of a datagram in this table, and once. The host decides
//! how many of its own losses a link may claim.

#[cfg(feature = "socket")]
mod socket;
mod tally;

use std::collections::{BTreeMap, VecDeque};
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError, Weak};

#[cfg(feature = "socket")]
pub use socket::MarkingSocket;

pub(crate) use tally::Tally;

use crate::path::Shared;
use crate::transmits::Noted;

/// The most datagrams that are remembered.
const MAX_KEPT: usize = 1 << 16;
/// Bytes of the AEAD tag of every cipher suite of QUIC (RFC 9001, sec. 5.3).
const TAG_BYTES: usize = 16;

/// The tag at the end of a datagram.
type Tag = [u8; TAG_BYTES];

#[derive(Debug)]
struct Held {
    path: Weak<Shared>,
    packets: Vec<Noted>,
}

/// Marks by their outcome, over all paths and connections of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct MarkCounts {
    /// Lost datagrams that were known.
    pub matched: u64,
    /// Lost datagrams that were not: of another program, without a packet that elicits
    /// acknowledgments, or told before.
    pub unmatched: u64,
    /// Packets in them that were in flight when their controller learned of it.
    pub in_time: u64,
    /// Packets in them that were not: found lost before, acknowledged, or of an earlier controller
    /// of their path.
    pub late: u64,
}

#[derive(Debug, Default)]
struct Table {
    paths: Vec<Weak<Shared>>,
    datagrams: BTreeMap<Tag, Held>,
    /// Their tags in the order of their sending.
    order: VecDeque<Tag>,
    matched: u64,
    unmatched: u64,
    tally: Arc<Tally>,
}

/// A table of the datagrams of one connection, or of several: [see the module](self).
///
/// Transmits are matched by their size. With several connections in one table, two that are built
/// at the same time and are equally long may be mistaken for each other; a table for each
/// connection rules that out.
#[derive(Clone, Debug, Default)]
pub struct Marks(Arc<Mutex<Table>>);

fn tag(datagram: &[u8]) -> Option<Tag> {
    datagram.last_chunk().copied()
}

impl Marks {
    /// Where the controllers of its paths count.
    pub(crate) fn tally(&self) -> Arc<Tally> {
        self.lock().tally.clone()
    }

    pub(crate) fn add(&self, path: &Arc<Shared>) {
        let mut table = self.lock();
        table.paths.retain(|path| path.strong_count() > 0);
        table.paths.push(Arc::downgrade(path));
    }

    /// A transmit leaves: `contents` is all of it, one datagram or several of `segment_size` bytes
    /// (the last one may be shorter). True if it is one that a path of this table has built.
    /// Showing it again changes nothing.
    pub fn sent(&self, contents: &[u8], segment_size: Option<usize>) -> bool {
        let mut table = self.lock();
        let Table { paths, datagrams, order, .. } = &mut *table;
        for weak in paths.iter() {
            let Some(path) = weak.upgrade() else { continue };
            let Some(building) = &path.building else { continue };
            let mut building = building.lock().unwrap_or_else(PoisonError::into_inner);
            let segment = segment_size.unwrap_or(contents.len());
            let found = building.leave(contents, segment, |datagram, packets| {
                let Some(tag) = tag(datagram) else { return };
                if order.len() >= MAX_KEPT
                    && let Some(oldest) = order.pop_front()
                {
                    datagrams.remove(&oldest);
                }
                order.push_back(tag);
                datagrams.insert(tag, Held { path: weak.clone(), packets });
            });
            if found {
                return true;
            }
        }
        false
    }

    /// The link has lost a datagram, of which the last 16 bytes are enough. True if it is known;
    /// each counts once.
    pub fn lost(&self, datagram: &[u8]) -> bool {
        let held = {
            let mut table = self.lock();
            let held = tag(datagram).and_then(|tag| table.datagrams.remove(&tag));
            let count = if held.is_some() { &mut table.matched } else { &mut table.unmatched };
            *count += 1;
            held
        };
        let Some(held) = held else { return false };
        if let Some(path) = held.path.upgrade() {
            path.on_failed(&held.packets);
        }
        true
    }

    /// Marks by their outcome so far. Whether a mark came in time shows at its controller's next
    /// event.
    pub fn counts(&self) -> MarkCounts {
        let table = self.lock();
        MarkCounts {
            matched: table.matched,
            unmatched: table.unmatched,
            in_time: table.tally.in_time.load(Ordering::Relaxed),
            late: table.tally.late.load(Ordering::Relaxed),
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
