//! The event queue: what happens next.
//!
//! Order: by time, ties by the id of the element. An element has at most one valid event; a host
//! that moves an element's event forward pushes a second one, and ignores the stale one when it
//! comes. Events are kept in a [`Tree`] where there are few elements, in a [`Wheel`] otherwise, as
//! are second events, those of elements that rarely have any, and those of the far future.

mod event;
mod tree;
mod wheel;

use atl_core::time::Time;

pub use event::Event;
pub(crate) use event::{INDEX, KIND_SHIFT};
use tree::{LATEST, Tree};
use wheel::Wheel;

/// No event: no element has this id.
const NONE: Event = Event::new(Time::MAX, u32::MAX);

/// A priority queue of events in time. Events may not be pushed into the past.
#[derive(Debug)]
pub struct EventQueue {
    tree: Tree,
    wheel: Wheel,
    /// No event in the wheel is earlier. At most [`LATEST`], which an empty tree answers.
    turns: Time,
}

impl Default for EventQueue {
    fn default() -> Self {
        EventQueue::of(&[])
    }
}

impl EventQueue {
    /// An empty queue. `kinds` are the elements that have the most events, each the first id of a
    /// kind, whose index is 0, and the number of its elements, in ascending order.
    pub fn of(kinds: &[(u32, usize)]) -> Self {
        EventQueue { tree: Tree::of(kinds), wheel: Wheel::default(), turns: LATEST }
    }

    /// Number of pending events, stale ones included.
    pub fn len(&self) -> usize {
        self.tree.len() + self.wheel.len()
    }

    /// True when nothing is pending.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds an event, not before the last one that was popped.
    #[inline]
    pub fn push(&mut self, at: Time, id: u32) {
        if !self.tree.push(at, id) {
            self.turns = self.turns.min(at);
            self.wheel.push(at, id);
        }
    }

    /// The earliest event, if it is not later than `end`; a later one stays.
    // Inlined: a call, which returns the event through memory, costs a third of the work itself.
    #[inline(always)]
    pub fn pop_until(&mut self, end: Time) -> Option<Event> {
        if self.tree.is_bare() {
            return self.wheel.pop_until(end);
        }
        self.tree.settle();
        let next = self.tree.next();
        let event = if next >= self.turns {
            self.pop_either(end)
        } else if next > end {
            NONE
        } else {
            self.tree.take()
        };
        // An option would go through memory where these paths meet.
        (event != NONE).then_some(event)
    }

    /// The same where the wheel may have the earliest event; [`NONE`] without one.
    #[inline(never)]
    fn pop_either(&mut self, end: Time) -> Event {
        let from_tree = self.tree.first();
        let from_wheel = self.wheel.peek();
        self.turns = from_wheel.map_or(LATEST, Event::at).min(LATEST);
        match from_tree.into_iter().chain(from_wheel).min() {
            Some(first) if first.at() > end => NONE,
            Some(first) if from_tree == Some(first) => self.tree.take(),
            _ => self.wheel.pop_until(end).unwrap_or(NONE),
        }
    }

    /// The events of the bucket that was begun since the last call, if there is one and the
    /// simulation is large: what they need can be read from memory all at once, rather than one
    /// cache miss after another.
    #[inline]
    pub fn fresh(&mut self) -> Option<&[Event]> {
        self.wheel.fresh()
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
            std::iter::from_fn(|| queue.pop_until(Time::MAX).map(|e| e.id())).collect();
        assert_eq!(order, [9, 0, 1, 2]);
    }

    #[test]
    fn an_event_after_the_end_stays() {
        for kinds in [&[][..], &[(0, 2)]] {
            let mut queue = EventQueue::of(kinds);
            queue.push(Time::from_millis(10), 1);
            assert_eq!(queue.pop_until(Time::from_millis(9)), None);
            assert_eq!(queue.pop_until(Time::from_millis(10)).map(|e| e.id()), Some(1));
            assert_eq!((queue.pop_until(Time::MAX), queue.len()), (None, 0));
        }
    }

    #[test]
    fn second_events_far_ones_and_those_of_other_elements_come_in_order() {
        let kind = |kind: u32| kind << KIND_SHIFT;
        let mut queue = EventQueue::of(&[(kind(0), 3), (kind(1), 0), (kind(2), 2)]);
        let far = Time::from_nanos(u64::MAX - 1);
        let now = Time::from_millis(1);
        let mut all = [
            (now, kind(2)),
            (now, kind(2)),
            (now, 2),
            (now, 4),
            (now, kind(1)),
            (now, kind(1) + 1),
            (now, kind(3) + 7),
            (far, 0),
            (far, kind(2) + 1),
        ];
        for (at, id) in all {
            queue.push(at, id);
        }
        all.sort_unstable();
        let popped = std::iter::from_fn(|| queue.pop_until(Time::MAX));
        assert_eq!(popped.map(|e| (e.at(), e.id())).collect::<Vec<_>>(), all);
    }

    proptest! {
        /// Compares with a plain sorted list, with pushes between pops, near and far, and enough
        /// pops for several changes of the width.
        #[test]
        fn it_agrees_with_a_sorted_list(
            deltas in prop::collection::vec((0u64..1 << 36, 0u32..8, 0u32..40), 1..400),
            rounds in 1usize..120,
            elements in 0usize..50,
        ) {
            // Without a tree, with one for some elements, and for all.
            let kinds = &[(0, elements)][..usize::from(elements > 0)];
            let mut queue = EventQueue::of(kinds);
            let mut model: Vec<Event> = Vec::new();
            let mut now = Time::ZERO;
            for _ in 0..rounds {
                for &(delta, shift, id) in &deltas {
                    let at = Time::from_nanos(now.nanos() + (delta >> (shift * 4)));
                    queue.push(at, id);
                    model.push(Event::new(at, id));
                }
                model.sort_unstable_by(|a, b| b.cmp(a));
                for _ in 0..deltas.len() {
                    prop_assert_eq!(queue.len(), model.len());
                    let got = queue.pop_until(Time::MAX);
                    prop_assert_eq!(got, model.pop());
                    now = got.map_or(now, |e| e.at());
                }
            }
            prop_assert!(queue.is_empty());
        }
    }
}
