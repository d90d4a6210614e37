//! The event queue: what happens next.
//!
//! A wheel of buckets, each a slice of time of equal width, with a heap for what lies beyond the wheel. The
//! bucket that time is in is kept sorted. Push and pop cost the same at ten pending events as at a hundred
//! thousand, where a binary heap's cost grows with every doubling (docs/performance.md has the figures).
//! The width follows the density of events, which depends on nothing but the events themselves.
//!
//! Order: by time, ties by the id of the element. An element has at most one event that counts; a host that
//! moves an element's event forward pushes a second one and ignores the stale one when it comes.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use atl_core::time::Time;

/// log2 of the number of buckets.
const WHEEL_BITS: u32 = 10;
const BUCKETS: usize = 1 << WHEEL_BITS;
const MASK: u64 = BUCKETS as u64 - 1;
const WORDS: usize = BUCKETS / 64;
/// Pops between two looks at the width.
const REVIEW: u32 = 1 << 14;
/// Bucket width that is aimed at, in mean distances between events.
const EVENTS_PER_BUCKET: u64 = 2;

/// An event: when, and for which element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Event {
    /// When.
    pub at: Time,
    /// Whose; the caller's numbering.
    pub id: u32,
}

/// A priority queue of events in time. Events may not be pushed into the past.
#[derive(Debug)]
pub struct EventQueue {
    /// Events of the bucket that time is in, latest first.
    current: Vec<Event>,
    /// Bucket number (time >> shift) that `current` holds; nothing in the wheel is at or before it.
    now_bucket: u64,
    shift: u32,
    buckets: Vec<Vec<Event>>,
    occupied: [u64; WORDS],
    in_wheel: usize,
    far: BinaryHeap<Reverse<Event>>,
    pops: u32,
    reviewed_at: Time,
}

impl Default for EventQueue {
    fn default() -> Self {
        EventQueue {
            current: Vec::with_capacity(16),
            now_bucket: 0,
            // About a millisecond, until the density of events is known.
            shift: 20,
            buckets: (0..BUCKETS).map(|_| Vec::new()).collect(),
            occupied: [0; WORDS],
            in_wheel: 0,
            far: BinaryHeap::new(),
            pops: 0,
            reviewed_at: Time::ZERO,
        }
    }
}

impl EventQueue {
    /// Number of pending events, stale ones included.
    pub fn len(&self) -> usize {
        self.current.len() + self.in_wheel + self.far.len()
    }

    /// True when nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an event, not before the last one that was popped.
    #[inline]
    pub fn push(&mut self, at: Time, id: u32) {
        let event = Event { at, id };
        let bucket = at.nanos() >> self.shift;
        if bucket <= self.now_bucket {
            // Later events stand first, so that the next one is taken from the end.
            let place = self.current.iter().rposition(|e| *e > event).map_or(0, |i| i + 1);
            self.current.insert(place, event);
        } else if bucket - self.now_bucket < BUCKETS as u64 {
            self.put(bucket, event);
        } else {
            self.far.push(Reverse(event));
        }
    }

    #[inline]
    fn put(&mut self, bucket: u64, event: Event) {
        let slot = (bucket & MASK) as usize;
        self.buckets[slot].push(event);
        self.occupied[slot / 64] |= 1 << (slot % 64);
        self.in_wheel += 1;
    }

    /// The earliest event, if it is not later than `end`; leaves a later one in its place.
    #[inline]
    pub fn pop_until(&mut self, end: Time) -> Option<Event> {
        if self.current.is_empty() && !self.turn(end) {
            return None;
        }
        if self.current.last()?.at > end {
            return None;
        }
        let event = self.current.pop()?;
        self.pops += 1;
        if self.pops == REVIEW {
            self.review(event.at);
        }
        Some(event)
    }

    /// Moves on to the next bucket that holds something. False if that is beyond `end` or nothing is left.
    fn turn(&mut self, end: Time) -> bool {
        let next = if self.in_wheel > 0 {
            self.next_occupied()
        } else if let Some(Reverse(first)) = self.far.peek() {
            if first.at > end {
                return false;
            }
            first.at.nanos() >> self.shift
        } else {
            return false;
        };
        self.now_bucket = next;
        let slot = (next & MASK) as usize;
        std::mem::swap(&mut self.current, &mut self.buckets[slot]);
        self.occupied[slot / 64] &= !(1 << (slot % 64));
        self.in_wheel -= self.current.len();
        // What was beyond the wheel may be on it now.
        while let Some(Reverse(first)) = self.far.peek() {
            let bucket = first.at.nanos() >> self.shift;
            if bucket >= next + BUCKETS as u64 {
                break;
            }
            let event = *first;
            self.far.pop();
            if bucket == next {
                self.current.push(event);
            } else {
                self.put(bucket, event);
            }
        }
        if self.current.len() > 1 {
            self.current.sort_unstable_by(|a, b| b.cmp(a));
        }
        true
    }

    /// Number of the first bucket after the current one that holds something.
    fn next_occupied(&self) -> u64 {
        let start = (self.now_bucket + 1) & MASK;
        let (word, bit) = ((start / 64) as usize, start % 64);
        let first = self.occupied[word] >> bit;
        let ahead = if first != 0 {
            u64::from(first.trailing_zeros())
        } else {
            let mut ahead = 64 - bit;
            let mut at = (word + 1) % WORDS;
            while self.occupied[at] == 0 {
                ahead += 64;
                at = (at + 1) % WORDS;
            }
            ahead + u64::from(self.occupied[at].trailing_zeros())
        };
        self.now_bucket + 1 + ahead
    }

    /// Fits the bucket width to the density of events since the last look.
    #[cold]
    fn review(&mut self, now: Time) {
        let gap = now.since(self.reviewed_at).nanos() / u64::from(REVIEW);
        self.pops = 0;
        self.reviewed_at = now;
        let shift = (gap * EVENTS_PER_BUCKET).max(1).ilog2().min(40);
        if shift.abs_diff(self.shift) <= 1 {
            return;
        }
        let mut all: Vec<Event> = std::mem::take(&mut self.current);
        for bucket in &mut self.buckets {
            all.append(bucket);
        }
        all.extend(std::mem::take(&mut self.far).into_iter().map(|Reverse(e)| e));
        self.occupied = [0; WORDS];
        self.in_wheel = 0;
        self.shift = shift;
        self.now_bucket = now.nanos() >> shift;
        for event in all {
            self.push(event.at, event.id);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn events_come_by_time_and_ties_by_id() {
        let mut queue = EventQueue::default();
        for (at, id) in [(5, 1), (3, 9), (5, 0), (40_000, 2)] {
            queue.push(Time::from_millis(at), id);
        }
        let order: Vec<u32> =
            std::iter::from_fn(|| queue.pop_until(Time::MAX).map(|e| e.id)).collect();
        assert_eq!(order, [9, 0, 1, 2]);
    }

    #[test]
    fn an_event_after_the_end_stays() {
        let mut queue = EventQueue::default();
        queue.push(Time::from_millis(10), 1);
        assert_eq!(queue.pop_until(Time::from_millis(9)), None);
        assert_eq!(queue.pop_until(Time::from_millis(10)).map(|e| e.id), Some(1));
    }

    proptest! {
        /// Against a plain sorted list, with pushes between pops, near and far, and enough pops to pass
        /// through several changes of the width.
        #[test]
        fn it_agrees_with_a_sorted_list(
            deltas in prop::collection::vec((0u64..1 << 36, 0u32..8, 0u32..40), 1..400),
            rounds in 1usize..120,
        ) {
            let mut queue = EventQueue::default();
            let mut model: Vec<Event> = Vec::new();
            let mut now = Time::ZERO;
            for _ in 0..rounds {
                for &(delta, shift, id) in &deltas {
                    let at = Time::from_nanos(now.nanos() + (delta >> (shift * 4)));
                    queue.push(at, id);
                    model.push(Event { at, id });
                }
                model.sort_unstable_by(|a, b| b.cmp(a));
                for _ in 0..deltas.len() {
                    let got = queue.pop_until(Time::MAX);
                    prop_assert_eq!(got, model.pop());
                    now = got.map_or(now, |e| e.at);
                }
            }
            prop_assert!(queue.is_empty());
        }
    }
}
