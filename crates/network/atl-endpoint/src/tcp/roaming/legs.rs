//! Which transmission went over which path. An ACK echoes its transmission, so this also tells of what each ACK speaks.

use std::collections::VecDeque;

/// Transmissions whose segments have arrived that are remembered at least.
const KEPT: usize = 4096;

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
    /// Where those begin that the controller of a path beside the current one counts.
    beside: usize,
    /// Entries of `counted` and of `away` that were dropped, since their ACKs have long come; and of the latter, those that
    /// the controller beside counts.
    dropped: [u64; 3],
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
        self.drop_old();
    }

    /// The path that was being surveyed is given up.
    pub(super) fn give_up(&mut self) {
        self.given_up = self.away.len();
        self.beside = self.given_up;
        self.dropped[2] = 0;
    }

    /// The path that was surveyed is used beside the current one from now on. Its controller counts the transmissions in
    /// flight there, of which `first` is the first.
    pub(super) fn begin_beside(&mut self, first: u64) {
        self.beside = self.given_up + self.ahead().partition_point(|tx| *tx < first);
        self.dropped[2] = 0;
    }

    /// The number of a transmission among those that the controller beside counts, from 0.
    pub(super) fn index_beside(&self, tx: u64) -> u64 {
        let from = self.beside.min(self.away.len());
        self.dropped[2] + self.away[from..].partition_point(|away| *away < tx) as u64
    }

    /// Forgets which path old transmissions took. Some are kept whose segments have arrived: their own ACKs may still come.
    fn drop_old(&mut self) {
        let old = self.away.partition_point(|tx| *tx < self.first);
        if old < 2 * KEPT {
            return;
        }
        let count = old - KEPT;
        self.away.drain(..count);
        self.dropped[1] += count as u64;
        self.dropped[2] += count.saturating_sub(self.beside) as u64;
        self.given_up = self.given_up.saturating_sub(count);
        self.beside = self.beside.saturating_sub(count);
    }

    /// The path beside is the current one. `next` is the next transmission.
    pub(super) fn turn_beside(&mut self, next: u64) {
        let (from, dropped) = (self.beside.min(self.away.len()), self.dropped[2]);
        let (early, counted) = (self.ahead().to_vec(), self.away[from..].to_vec());
        self.turn(next, early, counted);
        self.dropped[0] = dropped;
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
            beside: 0,
            dropped: [0; 3],
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
            let counted = self.counted.partition_point(|counted| *counted < tx) as u64;
            return self.dropped[0] + counted;
        }
        let away = self.dropped[1] + self.away.partition_point(|away| *away < tx) as u64;
        let counted = self.dropped[0] + self.counted.len() as u64;
        (tx - self.boundary + counted).saturating_sub(away)
    }

    /// The difference between a later transmission's number and its [`index`](Self::index).
    pub(super) fn base(&self) -> u64 {
        let away = self.dropped[1] + self.away.len() as u64;
        self.boundary + away - self.dropped[0] - self.counted.len() as u64
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
    fn the_controller_beside_goes_on_counting_when_its_path_is_the_current_one() {
        let mut legs = Legs::default();
        for tx in [3, 5, 6] {
            legs.release(tx);
        }
        // 3 has arrived before the controller begins.
        legs.begin_beside(5);
        legs.release(8);
        assert_eq!([3, 5, 6, 8].map(|tx| legs.index_beside(tx)), [0, 0, 1, 2]);
        assert_eq!((legs.index(4), legs.index(7), 9 - legs.base()), (3, 4, 5));
        legs.turn_beside(10);
        assert_eq!([3, 5, 8, 10].map(|tx| legs.of(tx) == Leg::Here), [true; 4]);
        assert_eq!((legs.of(7), legs.of(9)), (Leg::Behind, Leg::Behind));
        assert_eq!([5, 6, 8, 10].map(|tx| legs.index(tx)), [0, 1, 2, 3]);
        assert_eq!(11 - legs.base(), 4);
    }

    /// Both paths take turns for long: numbers go on, and memory does not grow.
    #[test]
    fn old_transmissions_are_dropped_without_a_trace() {
        let mut legs = Legs::default();
        legs.begin_beside(0);
        for tx in 0..100_000 {
            legs.on_sent(tx, tx, tx.saturating_sub(100));
            if tx % 2 == 1 {
                legs.release(tx);
                assert_eq!((legs.index_beside(tx), tx + 1 - legs.base()), (tx / 2, tx / 2 + 1));
            } else {
                assert_eq!((legs.index(tx), legs.of(tx)), (tx / 2, Leg::Here));
            }
        }
        assert!(legs.away.len() <= 2 * KEPT);
        assert_eq!((legs.of(99_501), legs.of(99_500)), (Leg::Ahead, Leg::Here));
        legs.turn_beside(100_000);
        assert_eq!([99_999, 100_000].map(|tx| legs.index(tx)), [49_999, 50_000]);
        assert_eq!(100_001 - legs.base(), 50_001);
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
