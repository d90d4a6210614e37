//! The path of each transmission. An ACK echoes its transmission, so this also tells of which path
//! it speaks.

use std::collections::VecDeque;

/// Transmissions that are remembered after their segments have arrived: their own ACKs may still
/// come.
const KEPT: u64 = 4096;

/// The path of a transmission, seen from the current one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::tcp) enum Leg {
    /// The current path.
    Here,
    /// The path that is being surveyed, or used beside the current one.
    Ahead,
    /// A path that was left or given up.
    Behind,
}

impl Leg {
    pub(in crate::tcp) const ALL: [Leg; 3] = [Leg::Here, Leg::Ahead, Leg::Behind];
}

#[derive(Clone, Copy, Debug)]
struct Sent {
    seq: u64,
    /// Number among those that the path's controller counts, from 0.
    number: u64,
    /// The stay on its path: a path that is taken again has another.
    stay: u32,
}

/// The transmissions of all paths.
#[derive(Debug)]
pub(in crate::tcp) struct Transmissions {
    sent: VecDeque<Sent>,
    /// Number of the first of `sent`.
    kept: u64,
    /// The first whose segment may be outstanding.
    first: u64,
    /// The stays on the current path and on the one ahead.
    here: u32,
    ahead: u32,
    /// Something was sent on the path ahead.
    released: bool,
}

impl Default for Transmissions {
    fn default() -> Self {
        Transmissions {
            sent: VecDeque::new(),
            kept: 0,
            first: 0,
            here: 0,
            ahead: 1,
            released: false,
        }
    }
}

impl Transmissions {
    /// Transmission `tx`, the next one, of segment `seq` takes a path that is in use, where it has
    /// this number. No segment below `una` matters any more.
    #[inline]
    pub(in crate::tcp) fn on_sent(
        &mut self,
        (tx, seq): (u64, u64),
        (leg, number): (Leg, u64),
        una: u64,
    ) {
        while self.get(self.first).is_some_and(|sent| sent.seq < una) {
            self.first += 1;
        }
        while self.kept + KEPT < self.first {
            self.sent.pop_front();
            self.kept += 1;
        }
        if self.sent.is_empty() {
            (self.kept, self.first) = (tx, tx);
        }
        let stay = if leg == Leg::Here { self.here } else { self.ahead };
        self.released |= leg == Leg::Ahead;
        self.sent.push_back(Sent { seq, number, stay });
    }

    fn get(&self, tx: u64) -> Option<&Sent> {
        self.sent.get(usize::try_from(tx.checked_sub(self.kept)?).ok()?)
    }

    /// The path of a transmission.
    #[inline]
    pub(in crate::tcp) fn of(&self, tx: u64) -> Leg {
        match self.get(tx) {
            Some(sent) if sent.stay == self.here => Leg::Here,
            Some(sent) if sent.stay == self.ahead => Leg::Ahead,
            _ => Leg::Behind,
        }
    }

    /// Its segment, if it may be outstanding.
    pub(in crate::tcp) fn segment(&self, tx: u64) -> Option<u64> {
        self.get(tx).map(|sent| sent.seq)
    }

    /// Its number among those that the path's controller counts.
    pub(in crate::tcp) fn number(&self, tx: u64) -> u64 {
        self.get(tx).map_or(0, |sent| sent.number)
    }

    /// The first transmission whose segment may be outstanding.
    pub(in crate::tcp) fn first(&self) -> u64 {
        self.first
    }

    /// True if something was sent on the path ahead.
    pub(in crate::tcp) fn has_released(&self) -> bool {
        self.released
    }

    /// A controller begins on the path ahead. It counts what is in flight there, as `in_flight`
    /// says of segments and transmissions. Returns how many these are.
    pub(in crate::tcp) fn count_ahead(&mut self, in_flight: impl Fn(u64, u64) -> bool) -> u64 {
        let mut count = 0;
        for (tx, sent) in (self.kept..).zip(&mut self.sent) {
            if sent.stay == self.ahead {
                sent.number = count;
                count += u64::from(in_flight(sent.seq, tx));
            }
        }
        count
    }

    /// The path ahead is the current one.
    pub(in crate::tcp) fn turn(&mut self) {
        self.here = self.ahead;
        self.give_up();
    }

    /// The path ahead is given up.
    pub(in crate::tcp) fn give_up(&mut self) {
        self.ahead = self.here.max(self.ahead) + 1;
        self.released = false;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Sends transmissions, each of the segment with its number, over these legs.
    fn send(sent: &mut Transmissions, from: u64, legs: &[Leg]) {
        for (tx, leg) in (from..).zip(legs) {
            sent.on_sent((tx, tx), (*leg, tx), 0);
        }
    }

    #[test]
    fn each_transmission_has_a_path_and_a_number_there() {
        use Leg::{Ahead, Behind, Here};
        let mut sent = Transmissions::default();
        // 5, 7 and 8 go over the path that is being surveyed.
        send(&mut sent, 0, &[Here, Here, Here, Here, Here, Ahead, Here, Ahead, Ahead, Here]);
        assert_eq!(
            [4, 5, 6, 7, 8, 9].map(|tx| sent.of(tx)),
            [Here, Ahead, Here, Ahead, Ahead, Here]
        );
        assert!(sent.has_released());
        // The sender moves there at 10. 5 is known to have arrived by then, but its own ACK may
        // still come.
        assert_eq!(sent.count_ahead(|_, tx| tx != 5), 2);
        sent.turn();
        assert_eq!([4, 5, 7, 8, 9].map(|tx| sent.of(tx)), [Behind, Here, Here, Here, Behind]);
        assert_eq!([7, 8].map(|tx| sent.number(tx)), [0, 1]);
        // A survey that comes to nothing.
        send(&mut sent, 10, &[Here, Here, Here, Ahead]);
        sent.give_up();
        assert!(!sent.has_released());
        send(&mut sent, 14, &[Here, Ahead]);
        assert_eq!([13, 14, 15].map(|tx| sent.of(tx)), [Behind, Here, Ahead]);
    }

    #[test]
    fn a_path_that_is_taken_again_begins_anew() {
        use Leg::{Behind, Here};
        let mut sent = Transmissions::default();
        send(&mut sent, 0, &[Here, Here]);
        sent.turn();
        send(&mut sent, 2, &[Here]);
        sent.turn();
        assert_eq!([0, 1, 2].map(|tx| sent.of(tx)), [Behind; 3]);
    }

    /// Both paths take turns for long: memory does not grow.
    #[test]
    fn old_transmissions_are_dropped() {
        let mut sent = Transmissions::default();
        for tx in 0..100_000_u64 {
            let leg = if tx % 2 == 1 { Leg::Ahead } else { Leg::Here };
            sent.on_sent((tx, tx), (leg, tx / 2), tx.saturating_sub(100));
            assert_eq!((sent.of(tx), sent.number(tx)), (leg, tx / 2));
        }
        assert!(sent.sent.len() <= KEPT as usize + 200);
        assert_eq!((sent.of(99_501), sent.of(99_500)), (Leg::Ahead, Leg::Here));
        // The own ACKs of transmissions whose segments have arrived may still come.
        assert_eq!((sent.of(95_901), sent.of(95_900)), (Leg::Ahead, Leg::Here));
        sent.turn();
        assert_eq!((sent.of(99_999), sent.of(99_998)), (Leg::Here, Leg::Behind));
    }

    #[test]
    fn segments_are_known_as_long_as_they_are_outstanding() {
        let mut sent = Transmissions::default();
        let here = |tx| (Leg::Here, tx);
        (0..4).for_each(|tx| sent.on_sent((tx, tx + 100), here(tx), 0));
        assert_eq!((sent.segment(3), sent.segment(4)), (Some(103), None));
        sent.on_sent((4, 101), here(4), 101);
        assert_eq!((sent.first(), sent.segment(4)), (1, Some(101)));
        sent.on_sent((5, 104), here(5), 104);
        assert_eq!((sent.first(), sent.segment(5)), (5, Some(104)));
    }
}
