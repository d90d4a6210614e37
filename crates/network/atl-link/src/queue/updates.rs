//! When the controller of a queue discipline is to be updated.

use atl_core::time::{Span, Time};

/// Updates at equal intervals, which happen when the queue is looked at next.
#[derive(Clone, Copy, Debug)]
pub(super) struct Updates {
    every: Span,
    due: Time,
}

impl Updates {
    /// The first after one interval, which must not be 0.
    pub(super) fn new(every: Span) -> Self {
        Updates { every, due: Time::ZERO + every }
    }

    /// The time of the next update that is due by `now`.
    pub(super) fn next(&mut self, now: Time) -> Option<Time> {
        let due = self.due;
        if due > now {
            return None;
        }
        self.due = due.saturating_add(self.every);
        Some(due)
    }

    /// Leaves out all that are due by `now`, since they would change nothing. A queue that rests
    /// for hours costs no more than one that rests for a second.
    pub(super) fn skip(&mut self, now: Time) {
        if self.due <= now {
            let missed = now.since(self.due).nanos() / self.every.nanos() + 1;
            self.due = self.due.saturating_add(self.every * missed);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn updates_keep_their_grid_through_a_rest() {
        let at = |ms| Time::ZERO + Span::from_millis(ms);
        let mut updates = Updates::new(Span::from_millis(15));
        assert_eq!(updates.next(at(14)), None);
        assert_eq!(updates.next(at(30)), Some(at(15)));
        assert_eq!(updates.next(at(30)), Some(at(30)));
        assert_eq!(updates.next(at(30)), None);
        updates.skip(at(44));
        assert_eq!(updates.next(at(45)), Some(at(45)));
        updates.skip(at(90));
        assert_eq!(updates.next(at(104)), None);
        assert_eq!(updates.next(at(105)), Some(at(105)));
    }
}
