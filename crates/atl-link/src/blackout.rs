//! Times at which a link is dead, walked through in order.

use atl_core::time::Time;

use crate::config::Blackout;

/// A half-open interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) from: Time,
    pub(crate) until: Time,
}

/// Intervals in order, not overlapping, none empty, and a place among them.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    /// When the next one begins; [`Time::MAX`] if there is none. All that the hot path looks at.
    begin: Time,
    walk: Box<Walk>,
}

#[derive(Clone, Debug)]
struct Walk {
    list: Vec<Interval>,
    /// First that ends after where we are.
    next: usize,
}

impl Intervals {
    /// The blackouts that hold packets back, or the ones that lose them; put in order, overlaps joined.
    pub(crate) fn new(blackouts: &[Blackout], hold: bool) -> Self {
        let mut all: Vec<Interval> = blackouts
            .iter()
            .filter(|b| b.hold == hold && !b.lasts.is_zero())
            .map(|b| Interval { from: b.at, until: b.at.saturating_add(b.lasts) })
            .collect();
        all.sort_by_key(|i| i.from);
        let mut list: Vec<Interval> = Vec::with_capacity(all.len());
        for interval in all {
            match list.last_mut() {
                Some(last) if interval.from <= last.until => {
                    last.until = last.until.max(interval.until);
                }
                _ => list.push(interval),
            }
        }
        let begin = list.first().map_or(Time::MAX, |i| i.from);
        Intervals { begin, walk: Box::new(Walk { list, next: 0 }) }
    }

    /// When the interval begins that we are in or ahead of.
    #[inline]
    pub(crate) fn begin(&self) -> Time {
        self.begin
    }

    /// Forward to `t`.
    pub(crate) fn advance(&mut self, t: Time) {
        while self.walk.list.get(self.walk.next).is_some_and(|i| i.until <= t) {
            self.walk.next += 1;
        }
        self.begin = self.walk.list.get(self.walk.next).map_or(Time::MAX, |i| i.from);
    }

    /// To `t`, be it ahead or behind.
    pub(crate) fn rewind(&mut self, t: Time) {
        self.walk.next = 0;
        self.advance(t);
    }

    /// The intervals that are not over.
    pub(crate) fn ahead(&self) -> &[Interval] {
        &self.walk.list[self.walk.next..]
    }

    /// Whether `t`, which never goes back between rewinds, is in an interval.
    pub(crate) fn covers(&mut self, t: Time) -> bool {
        self.advance(t);
        self.begin <= t && t < Time::MAX
    }
}
