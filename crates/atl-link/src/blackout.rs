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
    list: Vec<Interval>,
    /// First that ends after where we are.
    next: usize,
    /// When that one begins; [`Time::MAX`] if there is none. Kept apart for the hot path.
    begin: Time,
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
        Intervals { list, next: 0, begin }
    }

    /// When the interval begins that we are in or ahead of.
    #[inline]
    pub(crate) fn begin(&self) -> Time {
        self.begin
    }

    /// Forward to `t`.
    pub(crate) fn advance(&mut self, t: Time) {
        while self.list.get(self.next).is_some_and(|i| i.until <= t) {
            self.next += 1;
        }
        self.begin = self.list.get(self.next).map_or(Time::MAX, |i| i.from);
    }

    /// To `t`, be it ahead or behind.
    pub(crate) fn rewind(&mut self, t: Time) {
        self.next = 0;
        self.advance(t);
    }

    /// The intervals that are not over.
    pub(crate) fn ahead(&self) -> &[Interval] {
        &self.list[self.next..]
    }

    /// Whether `t`, which never goes back between rewinds, is in an interval.
    pub(crate) fn covers(&mut self, t: Time) -> bool {
        self.advance(t);
        self.begin <= t && t < Time::MAX
    }
}
