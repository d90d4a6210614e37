//! The blackouts of a link, walked through in order.

use atl_core::time::Time;

use crate::config::Blackout;

/// A half-open interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Interval {
    pub(crate) from: Time,
    pub(crate) until: Time,
}

/// Intervals in order, neither overlapping nor empty, with a current position.
#[derive(Clone, Debug)]
pub(crate) struct Intervals {
    /// Start of the current or next one; [`Time::MAX`] if none is left. The hot path reads nothing
    /// else.
    begin: Time,
    /// `None` without intervals, as on most links.
    walk: Option<Box<Walk>>,
}

#[derive(Clone, Debug)]
struct Walk {
    list: Vec<Interval>,
    /// Index of the first that ends after the current position.
    next: usize,
}

impl Intervals {
    /// Takes the blackouts that hold packets (`hold`) or those that lose them; sorts them and joins
    /// overlaps.
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
        let walk = (!list.is_empty()).then(|| Box::new(Walk { list, next: 0 }));
        Intervals { begin, walk }
    }

    /// Start of the current interval, or else of the next one.
    #[inline]
    pub(crate) fn begin(&self) -> Time {
        self.begin
    }

    /// Moves forward to `t`.
    pub(crate) fn advance(&mut self, t: Time) {
        let Some(walk) = &mut self.walk else { return };
        while walk.list.get(walk.next).is_some_and(|i| i.until <= t) {
            walk.next += 1;
        }
        self.begin = walk.list.get(walk.next).map_or(Time::MAX, |i| i.from);
    }

    /// Moves to `t` in either direction.
    pub(crate) fn rewind(&mut self, t: Time) {
        if let Some(walk) = &mut self.walk {
            walk.next = 0;
            self.advance(t);
        }
    }

    /// The current interval, if any, and all later ones.
    pub(crate) fn ahead(&self) -> &[Interval] {
        self.walk.as_ref().map_or(&[], |walk| &walk.list[walk.next..])
    }

    /// Moves forward to `t`. Returns whether an interval covers it.
    pub(crate) fn covers(&mut self, t: Time) -> bool {
        self.advance(t);
        self.begin <= t && t < Time::MAX
    }
}
