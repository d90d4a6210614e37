//! The next events of a few elements: a tree in which each node has the earlier of the two below
//! it, an element's own event at the bottom.
//!
//! An element whose event has just come nearly always has another: then its leaf and the nodes
//! above it are written once, at some seven instructions a level. A wheel costs two or three times
//! as much as a tree of a thousand elements, but the same for any number of them.

use atl_core::time::Time;

use super::event::{Event, INDEX, KIND_SHIFT};

/// log2 of the most elements.
const BITS: u32 = 10;
const MOST: usize = 1 << BITS;
/// Of a node without an event below it.
const FREE: u64 = u64::MAX;
/// Events from then on, half a year into a run, do not fit into a node.
pub(super) const LATEST: Time = Time::from_nanos((1 << (u64::BITS - BITS)) - 1);
/// No leaf.
const NONE: usize = usize::MAX;

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Tree {
    /// Time and leaf of the earliest event below each node: its children are at twice its place and
    /// next to that, the root is at 1.
    nodes: Box<[u64; 2 * MOST]>,
    /// Place of the first leaf.
    bottom: usize,
    /// The elements of the leaves, in ascending order, so that leaves break ties as they do.
    ids: Vec<u32>,
    /// For each kind, the leaf of its first element and that after its last one.
    kinds: [(usize, usize); 1 << (u32::BITS - KIND_SHIFT)],
    /// The leaf whose event was taken last, until its element has another or the next event is
    /// taken: the leaf still shows the one that is over.
    taken: usize,
}

impl Tree {
    /// A tree for these elements: the first id of a kind, and how many it has, in ascending order.
    /// Without leaves if there are none, or more than a tree is good for.
    pub(super) fn of(kinds: &[(u32, usize)]) -> Self {
        let mut tree = Tree {
            nodes: Box::new([FREE; 2 * MOST]),
            bottom: 0,
            ids: Vec::new(),
            kinds: [(0, 0); _],
            taken: NONE,
        };
        let all: usize = kinds.iter().map(|(_, count)| count).sum();
        if !(1..=MOST).contains(&all) {
            return tree;
        }
        for &(first, count) in kinds {
            let begin = tree.ids.len();
            tree.kinds[(first >> KIND_SHIFT) as usize] = (begin, begin + count);
            tree.ids.extend((first..).take(count));
        }
        tree.bottom = all.next_power_of_two();
        tree
    }

    /// True if it has no leaves.
    #[inline]
    pub(super) fn is_bare(&self) -> bool {
        self.bottom == 0
    }

    /// Number of pending events.
    pub(super) fn len(&self) -> usize {
        let leaves = self.nodes.iter().skip(self.bottom).take(self.ids.len());
        leaves.filter(|node| **node != FREE).count() - usize::from(self.taken != NONE)
    }

    /// The place of a leaf, which shows the compiler that it is in the tree.
    #[inline]
    fn place(&self, leaf: usize) -> usize {
        (self.bottom + leaf) % (2 * MOST)
    }

    /// Takes an event in, unless it has no leaf, or another event is there.
    #[inline]
    pub(super) fn push(&mut self, at: Time, id: u32) -> bool {
        let (begin, end) = self.kinds[(id >> KIND_SHIFT) as usize];
        let leaf = begin + (id & INDEX) as usize;
        if leaf >= end || at >= LATEST {
            return false;
        }
        let key = at.nanos() << BITS | leaf as u64;
        if leaf == self.taken {
            self.taken = NONE;
            self.replace(leaf, key);
            return true;
        }
        let mut place = self.place(leaf);
        if self.nodes[place] != FREE {
            return false;
        }
        // Nothing changes above the first node that has an earlier one.
        while place > 0 && key < self.nodes[place] {
            self.nodes[place] = key;
            place /= 2;
        }
        true
    }

    /// Writes the leaf of the earliest event anew, and all above it.
    #[inline]
    fn replace(&mut self, leaf: usize, mut key: u64) {
        let mut place = self.place(leaf);
        self.nodes[place] = key;
        // Two levels a turn, which saves an instruction a level.
        while place > 3 {
            let above = place / 2;
            key = key.min(self.nodes[place ^ 1]);
            self.nodes[above] = key;
            place = above / 2;
            key = key.min(self.nodes[above ^ 1]);
            self.nodes[place] = key;
        }
        if place > 1 {
            key = key.min(self.nodes[place ^ 1]);
            self.nodes[1] = key;
        }
    }

    /// Removes the event that was taken last, if its element has no other.
    #[inline]
    pub(super) fn settle(&mut self) {
        if self.taken != NONE {
            self.replace(self.taken, FREE);
            self.taken = NONE;
        }
    }

    /// Time of the earliest event, after [`settle`](Self::settle); [`LATEST`] of an empty tree.
    #[inline]
    pub(super) fn next(&self) -> Time {
        Time::from_nanos(self.nodes[1] >> BITS)
    }

    /// The earliest event, after [`settle`](Self::settle).
    #[inline]
    pub(super) fn first(&self) -> Option<Event> {
        let id = self.ids.get(self.nodes[1] as usize % MOST)?;
        (self.nodes[1] != FREE).then(|| Event::new(self.next(), *id))
    }

    /// Takes the earliest event, of a tree that has one.
    #[inline]
    pub(super) fn take(&mut self) -> Event {
        let (at, leaf) = (self.next(), self.nodes[1] as usize % MOST);
        self.taken = leaf;
        Event::new(at, self.ids[leaf])
    }
}
