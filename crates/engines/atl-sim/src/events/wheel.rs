//! The events of any number of elements: a wheel of buckets, each a slice of time of equal width,
//! with a heap for what lies beyond the wheel.
//!
//! The bucket that time is in is kept sorted. Push and pop cost the same at ten pending events as
//! at a hundred thousand, where a binary heap's cost grows with every doubling (docs/performance.md
//! has the figures). The width follows the density of events, and the number of buckets follows
//! that of pending events; both depend on the events alone. A bucket is a list through one array of
//! nodes, so that the wheel of a large simulation stays in the processor's cache.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use atl_core::time::Time;

use super::event::Event;

/// Minimum and maximum number of buckets, as powers of two.
const BITS: std::ops::RangeInclusive<u32> = 10..=20;
/// Pops between two looks at the wheel's shape.
const REVIEW: u32 = 1 << 14;
/// Target width of a bucket, in mean distances between events.
const EVENTS_PER_BUCKET: u64 = 8;
/// The same if more events are pending than the cache holds elements for: a whole bucket's elements
/// can then be fetched together (see [`Wheel::fresh`]).
const EVENTS_PER_LARGE_BUCKET: u64 = 24;
/// Pending events from which the larger width is used.
const LARGE: usize = 512;
/// The end of a bucket's list.
const NIL: u32 = u32::MAX;

/// An event in a bucket's list, or a free node.
#[derive(Clone, Copy, Debug)]
struct Node {
    at: Time,
    id: u32,
    next: u32,
}

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Wheel {
    /// Events of the bucket that time is in, latest first.
    current: Vec<Event>,
    /// Bucket number (time >> shift) that `current` holds; nothing in the wheel is at or before it.
    now_bucket: u64,
    /// log2 of a bucket's width in nanoseconds.
    shift: u32,
    /// First node of each bucket; their number is a power of two.
    heads: Vec<u32>,
    /// A bit for each bucket that is not empty.
    occupied: Vec<u64>,
    nodes: Vec<Node>,
    free: u32,
    in_wheel: usize,
    far: BinaryHeap<Reverse<Event>>,
    pops: u32,
    reviewed_at: Time,
    /// The wheel has turned since the last call of [`fresh`](Self::fresh).
    turned: bool,
}

impl Default for Wheel {
    fn default() -> Self {
        let buckets = 1 << BITS.start();
        Wheel {
            current: Vec::with_capacity(16),
            now_bucket: 0,
            // About a millisecond, until the density of events is known.
            shift: 20,
            heads: vec![NIL; buckets],
            occupied: vec![0; buckets / 64],
            nodes: Vec::new(),
            free: NIL,
            in_wheel: 0,
            far: BinaryHeap::new(),
            pops: 0,
            reviewed_at: Time::ZERO,
            turned: false,
        }
    }
}

impl Wheel {
    /// Number of pending events, stale ones included.
    pub(super) fn len(&self) -> usize {
        self.current.len() + self.in_wheel + self.far.len()
    }

    #[inline]
    fn slot(&self, bucket: u64) -> usize {
        bucket as usize & (self.heads.len() - 1)
    }

    /// Adds an event, not before the last one that was popped.
    #[inline]
    pub(super) fn push(&mut self, at: Time, id: u32) {
        let bucket = at.nanos() >> self.shift;
        // Four in five go onto the wheel; the others have functions of their own, so that these
        // need not save registers for them.
        if bucket <= self.now_bucket {
            self.push_current(Event::new(at, id));
        } else if bucket - self.now_bucket < self.heads.len() as u64 {
            self.put(bucket, at, id);
        } else {
            self.push_far(Event::new(at, id));
        }
    }

    #[inline(never)]
    fn push_current(&mut self, event: Event) {
        // Later events come first, so that the next one is taken from the end.
        let place = self.current.iter().rposition(|e| *e > event).map_or(0, |i| i + 1);
        self.current.insert(place, event);
    }

    #[inline(never)]
    fn push_far(&mut self, event: Event) {
        self.far.push(Reverse(event));
    }

    #[inline]
    fn put(&mut self, bucket: u64, at: Time, id: u32) {
        let slot = self.slot(bucket);
        let node = Node { at, id, next: self.heads[slot] };
        self.heads[slot] = match self.nodes.get_mut(self.free as usize) {
            Some(reused) => {
                let place = self.free;
                self.free = reused.next;
                *reused = node;
                place
            }
            None => self.add(node),
        };
        self.occupied[slot / 64] |= 1 << (slot % 64);
        self.in_wheel += 1;
    }

    /// Adds a node where none is free; returns its place.
    #[cold]
    fn add(&mut self, node: Node) -> u32 {
        self.nodes.push(node);
        self.nodes.len() as u32 - 1
    }

    /// The earliest event, which stays.
    pub(super) fn peek(&mut self) -> Option<Event> {
        if self.current.is_empty() && !self.turn(Time::MAX) {
            return None;
        }
        self.current.last().copied()
    }

    /// The earliest event, if it is not later than `end`; a later one stays.
    #[inline]
    pub(super) fn pop_until(&mut self, end: Time) -> Option<Event> {
        if self.current.is_empty() && !self.turn(end) {
            return None;
        }
        if self.current.last()?.at() > end {
            return None;
        }
        let event = self.current.pop()?;
        self.pops += 1;
        if self.pops == REVIEW {
            self.review(event.at());
        }
        Some(event)
    }

    /// The events of the bucket that was begun since the last call, if there is one and the
    /// simulation is large: what they need can be read from memory all at once, rather than one
    /// cache miss after another.
    #[inline]
    pub(super) fn fresh(&mut self) -> Option<&[Event]> {
        if !self.turned {
            return None;
        }
        self.turned = false;
        (self.in_wheel >= LARGE).then_some(&*self.current)
    }

    /// Moves on to the next bucket that is not empty. False if that is beyond `end` or nothing is
    /// left.
    fn turn(&mut self, end: Time) -> bool {
        let next = if self.in_wheel > 0 {
            self.next_occupied()
        } else if let Some(Reverse(first)) = self.far.peek() {
            if first.at() > end {
                return false;
            }
            first.at().nanos() >> self.shift
        } else {
            return false;
        };
        self.turned = true;
        self.now_bucket = next;
        let slot = self.slot(next);
        self.empty_bucket(slot);
        // Events beyond the wheel may lie on it now.
        while let Some(Reverse(first)) = self.far.peek() {
            let bucket = first.at().nanos() >> self.shift;
            if bucket >= next + self.heads.len() as u64 {
                break;
            }
            let event = *first;
            self.far.pop();
            if bucket == next {
                self.current.push(event);
            } else {
                self.put(bucket, event.at(), event.id());
            }
        }
        if self.current.len() > 1 {
            self.current.sort_unstable_by(|a, b| b.cmp(a));
        }
        true
    }

    /// Moves a bucket's events to the current ones.
    #[inline]
    fn empty_bucket(&mut self, slot: usize) {
        let mut place = self.heads[slot];
        while let Some(node) = self.nodes.get_mut(place as usize) {
            self.current.push(Event::new(node.at, node.id));
            self.in_wheel -= 1;
            let next = node.next;
            node.next = self.free;
            self.free = place;
            place = next;
        }
        self.heads[slot] = NIL;
        self.occupied[slot / 64] &= !(1 << (slot % 64));
    }

    /// Number of the first bucket after the current one that is not empty.
    fn next_occupied(&self) -> u64 {
        let words = self.occupied.len();
        let start = self.slot(self.now_bucket + 1);
        let (word, bit) = (start / 64, start % 64);
        let first = self.occupied[word] >> bit;
        let ahead = if first != 0 {
            u64::from(first.trailing_zeros())
        } else {
            let mut ahead = 64 - bit as u64;
            let mut at = (word + 1) & (words - 1);
            while self.occupied[at] == 0 {
                ahead += 64;
                at = (at + 1) & (words - 1);
            }
            ahead + u64::from(self.occupied[at].trailing_zeros())
        };
        self.now_bucket + 1 + ahead
    }

    /// Adapts the buckets' width to the density of events and their number to that of pending ones.
    #[cold]
    fn review(&mut self, now: Time) {
        let gap = now.since(self.reviewed_at).nanos() / u64::from(REVIEW);
        self.pops = 0;
        self.reviewed_at = now;
        let many = self.len() >= LARGE;
        let per_bucket = if many { EVENTS_PER_LARGE_BUCKET } else { EVENTS_PER_BUCKET };
        let shift = (gap * per_bucket).max(1).ilog2().min(40);
        let pending = self.len().max(1).ilog2();
        let bits = (pending + 1).clamp(*BITS.start(), *BITS.end());
        // A step of two leaves the wheel alone while either fluctuates around a power of two.
        let enough = self.heads.len().ilog2();
        if shift.abs_diff(self.shift) <= 1 && bits <= enough && enough <= bits + 2 {
            return;
        }
        for slot in 0..self.heads.len() {
            self.empty_bucket(slot);
        }
        let mut all: Vec<Event> = std::mem::take(&mut self.current);
        all.extend(std::mem::take(&mut self.far).into_iter().map(|Reverse(e)| e));
        self.heads = vec![NIL; 1 << bits];
        self.occupied = vec![0; (1 << bits) / 64];
        self.shift = shift;
        self.now_bucket = now.nanos() >> shift;
        for event in all {
            self.push(event.at(), event.id());
        }
    }
}
