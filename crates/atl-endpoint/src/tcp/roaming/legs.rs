//! Which transmission went over which path. An ACK echoes its transmission, so this also tells of what each ACK speaks.

use std::collections::VecDeque;

/// The path of a transmission, seen from the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Leg {
    /// The current path.
    Here,
    /// The path that is being surveyed.
    Ahead,
    /// A path that was left or given up.
    Behind,
}

impl Leg {
    pub(super) const ALL: [Leg; 3] = [Leg::Here, Leg::Ahead, Leg::Behind];
}

/// The transmissions of all paths.
#[derive(Debug, Default)]
pub(super) struct Legs {
    /// The first transmission after the last move.
    boundary: u64,
    /// Earlier ones that went over what is the current path now, in order.
    early: Vec<u64>,
    /// Those of them that were in flight at the move: the current path's controller counts from the first.
    counted: Vec<u64>,
    /// Later ones that did not, in order.
    away: Vec<u64>,
    /// How many of those went over paths that were given up.
    given_up: usize,
    /// The first transmission of `segments`.
    first: u64,
    /// The segment of each transmission that may matter.
    segments: VecDeque<u64>,
}

impl Legs {
    /// Transmission `tx` of segment `seq` is sent. No segment below `una` matters any more.
    #[inline]
    pub(super) fn on_sent(&mut self, tx: u64, seq: u64, una: u64) {
        while self.segments.front().is_some_and(|seq| *seq < una) {
            self.segments.pop_front();
            self.first += 1;
        }
        if self.segments.is_empty() {
            self.first = tx;
        }
        self.segments.push_back(seq);
    }

    /// The segment of this transmission, if it may be outstanding.
    pub(super) fn segment(&self, tx: u64) -> Option<u64> {
        let at = usize::try_from(tx.checked_sub(self.first)?).ok()?;
        self.segments.get(at).copied()
    }

    /// The first transmission whose segment is known.
    pub(super) fn first(&self) -> u64 {
        self.first
    }

    /// Transmission `tx`, the newest, goes over the path that is being surveyed.
    pub(super) fn release(&mut self, tx: u64) {
        self.away.push(tx);
    }

    /// The path that was being surveyed is given up.
    pub(super) fn give_up(&mut self) {
        self.given_up = self.away.len();
    }

    /// The path over which the transmissions `early` went is the current one; those `counted` are in flight. `next` is the
    /// next transmission.
    pub(super) fn turn(&mut self, next: u64, early: Vec<u64>, counted: Vec<u64>) {
        *self = Legs {
            boundary: next,
            early,
            counted,
            away: Vec::new(),
            given_up: 0,
            first: self.first,
            segments: core::mem::take(&mut self.segments),
        };
    }

    /// The transmissions over the path that is being surveyed.
    pub(super) fn ahead(&self) -> &[u64] {
        &self.away[self.given_up..]
    }

    /// The path of a transmission.
    pub(super) fn of(&self, tx: u64) -> Leg {
        if tx < self.boundary {
            return if self.early.binary_search(&tx).is_ok() { Leg::Here } else { Leg::Behind };
        }
        match self.away.binary_search(&tx) {
            Err(_) => Leg::Here,
            Ok(at) if at >= self.given_up => Leg::Ahead,
            Ok(_) => Leg::Behind,
        }
    }

    /// The number of a transmission among those over the current path, from 0.
    pub(super) fn index(&self, tx: u64) -> u64 {
        if tx < self.boundary {
            return self.counted.partition_point(|counted| *counted < tx) as u64;
        }
        let away = self.away.partition_point(|away| *away < tx) as u64;
        (tx - self.boundary + self.counted.len() as u64).saturating_sub(away)
    }

    /// The difference between a later transmission's number and its [`index`](Self::index).
    pub(super) fn base(&self) -> u64 {
        self.boundary + self.away.len() as u64 - self.counted.len() as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_transmission_has_a_path_and_a_number_there() {
        let mut legs = Legs::default();
        assert_eq!((legs.of(7), legs.index(7), legs.base()), (Leg::Here, 7, 0));
        // 5, 7 and 8 go over the path that is being surveyed.
        for tx in [5, 7, 8] {
            legs.release(tx);
        }
        assert_eq!(
            [4, 5, 6, 7, 8, 9].map(|tx| legs.of(tx) == Leg::Ahead),
            [false, true, false, true, true, false]
        );
        assert_eq!((legs.index(4), legs.index(6), legs.index(9), 9 - legs.base()), (4, 5, 6, 6));
        // The sender moves there at 10. 5 is known to have arrived by then, but its own ACK may still come.
        legs.turn(10, vec![5, 7, 8], vec![7, 8]);
        assert_eq!(
            [4, 5, 7, 8, 9, 10].map(|tx| legs.of(tx) == Leg::Here),
            [false, true, true, true, false, true]
        );
        assert_eq!(([7, 8, 10, 12].map(|tx| legs.index(tx)), 12 - legs.base()), ([0, 1, 2, 4], 4));
        // A survey that comes to nothing.
        legs.release(13);
        legs.give_up();
        legs.release(15);
        assert_eq!([13, 14, 15].map(|tx| legs.of(tx)), [Leg::Behind, Leg::Here, Leg::Ahead]);
        assert_eq!((legs.ahead(), legs.index(14), 16 - legs.base()), (&[15][..], 5, 6));
    }

    #[test]
    fn segments_are_known_as_long_as_they_are_outstanding() {
        let mut legs = Legs::default();
        (0..4).for_each(|tx| legs.on_sent(tx, tx + 100, 0));
        assert_eq!((legs.segment(3), legs.segment(4)), (Some(103), None));
        legs.on_sent(4, 101, 101);
        assert_eq!((legs.first(), legs.segment(0), legs.segment(4)), (1, None, Some(101)));
        legs.on_sent(5, 104, 104);
        assert_eq!((legs.first(), legs.segment(5)), (5, Some(104)));
    }
}
