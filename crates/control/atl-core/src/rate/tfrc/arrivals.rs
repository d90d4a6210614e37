//! Search for lost packets, and the times at which they would have arrived (RFC 5348, sec. 5.1 and
//! 5.2).
//!
//! "The loss of a packet is detected by the arrival of at least NDUPACK packets with a higher
//! sequence number": every gap below the third-highest packet that has arrived is lost. So no more
//! than two holes are open at a time, whatever arrives, and no other history must be kept.
//!
//! Left open by the RFC, and chosen: packets before the first one that arrives would have arrived
//! with it.

use crate::time::Time;

/// Arrivals above a missing packet by which it is lost.
const NDUPACK: u8 = 3;

/// Missing packets in a row.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Hole {
    /// Number of the first.
    pub first: u64,
    /// One past the number of the last.
    pub end: u64,
    /// S_before: "the last packet to arrive, before any packet arrivals with a sequence number
    /// above S_loss"; none where nothing had arrived.
    before: Option<(u64, Time)>,
    /// S_after: the first packet to arrive with a higher number.
    after: (u64, Time),
    /// Number of arrivals with higher numbers.
    above: u8,
}

impl Hole {
    /// Time and numbers from S_before to S_after.
    fn extent(&self) -> (Time, u64, u128, u128) {
        let (seq, at) = self.before.unwrap_or((self.after.0, self.after.1));
        let apart = self.after.1.since(at).nanos();
        (at, seq, u128::from(apart), u128::from(self.after.0.saturating_sub(seq)))
    }

    /// T_loss of a packet in the hole: "T_before + ( (T_after - T_before) * (S_loss -
    /// S_before)/(S_after - S_before) )".
    pub(super) fn arrival(&self, seq: u64) -> Time {
        let (from, first, apart, packets) = self.extent();
        if packets == 0 {
            return self.after.1;
        }
        let share = apart * u128::from(seq.saturating_sub(first)) / packets;
        from.saturating_add(crate::time::Span::from_nanos(share as u64))
    }

    /// The first packet of the hole, from `seq` on, that would have arrived later than `limit`.
    pub(super) fn first_after(&self, seq: u64, limit: Time) -> Option<u64> {
        let seq = seq.max(self.first);
        if seq >= self.end {
            return None;
        }
        if self.arrival(seq) > limit {
            return Some(seq);
        }
        let (from, first, apart, packets) = self.extent();
        if apart == 0 {
            return None;
        }
        // apart (S - S_before) / packets, rounded down, is at least what is missing and one more
        // nanosecond.
        let missing = u128::from(limit.since(from).nanos()) + 1;
        let steps = u64::try_from((missing * packets).div_ceil(apart)).ok()?;
        let found = first.checked_add(steps)?;
        (found < self.end).then_some(found)
    }
}

/// The kind of an arrival.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Arrival {
    /// The highest number so far, or one that was missing and not yet lost.
    Fresh,
    /// A packet that has arrived before, or that counts as lost.
    Old,
}

/// The highest numbers that have arrived, and the gaps below them.
#[derive(Clone, Debug, Default)]
pub(super) struct Arrivals {
    /// One past the highest number that has arrived.
    next: u64,
    /// The last packet that arrived.
    last: Option<(u64, Time)>,
    /// In the order of their numbers, two at most.
    holes: Vec<Hole>,
}

impl Arrivals {
    /// The highest number that has arrived; 0 before one has.
    pub(super) fn highest(&self) -> u64 {
        self.next.saturating_sub(1)
    }

    /// Notes an arrival; `lost` gets each hole that is lost by now, in the order of the numbers.
    #[inline]
    pub(super) fn on_arrival(&mut self, seq: u64, now: Time, lost: impl FnMut(&Hole)) -> Arrival {
        // The very highest number has none above it: it counts as the one before.
        let seq = seq.min(u64::MAX - 1);
        if seq == self.next && self.holes.is_empty() {
            (self.next, self.last) = (seq + 1, Some((seq, now)));
            return Arrival::Fresh;
        }
        if seq >= self.next {
            if seq > self.next {
                let (first, end) = (self.next, seq);
                let hole = Hole { first, end, before: self.last, after: (seq, now), above: 0 };
                self.holes.push(hole);
            }
            self.next = seq + 1;
        } else if let Some(i) = self.holes.iter().position(|h| h.first <= seq && seq < h.end) {
            self.fill(i, seq);
        } else {
            return Arrival::Old;
        }
        self.last = Some((seq, now));
        self.count(seq, lost);
        Arrival::Fresh
    }

    /// Takes a packet out of a hole.
    fn fill(&mut self, i: usize, seq: u64) {
        let hole = self.holes[i];
        let (lower, upper) = (Hole { end: seq, ..hole }, Hole { first: seq + 1, ..hole });
        let left = [lower, upper].into_iter().filter(|h| h.first < h.end);
        self.holes.splice(i..=i, left);
    }

    /// Counts a packet for all holes below it; those that it makes lost are closed.
    fn count(&mut self, seq: u64, mut lost: impl FnMut(&Hole)) {
        self.holes.retain_mut(|hole| {
            hole.above += u8::from(hole.end <= seq);
            if hole.above < NDUPACK {
                return true;
            }
            lost(hole);
            false
        });
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Packets arrive 10 ms apart; returns the losses found at each.
    fn arrive(seqs: &[u64]) -> Vec<Vec<(u64, u64)>> {
        let mut arrivals = Arrivals::default();
        let mut found = Vec::new();
        for (i, &seq) in seqs.iter().enumerate() {
            let mut lost = Vec::new();
            arrivals.on_arrival(seq, ms(10 * i as u64), |hole| lost.push((hole.first, hole.end)));
            assert!(arrivals.holes.len() <= 2, "{arrivals:?}");
            found.push(lost);
        }
        found
    }

    /// "At least NDUPACK packets with a higher sequence number than the lost packet, for NDUPACK
    /// set to 3."
    #[test]
    fn three_higher_ones_make_a_loss() {
        assert_eq!(arrive(&[0, 1, 3, 4, 5]), [vec![], vec![], vec![], vec![], vec![(2, 3)]]);
        // The same with another gap between them.
        assert_eq!(arrive(&[0, 2, 4, 5, 6])[3..], [vec![(1, 2)], vec![(3, 4)]]);
        assert_eq!(arrive(&[0, 2, 4, 6])[3..], [vec![(1, 2)]]);
    }

    #[test]
    fn one_that_comes_late_is_not_lost_and_counts_for_those_below() {
        assert_eq!(arrive(&[0, 2, 3, 1, 4]).concat(), []);
        // 1 and 3 are missing below 4; 3 comes late and is the second above 1, 5 is the third.
        assert_eq!(arrive(&[0, 2, 4, 3])[3..], [vec![(1, 2)]]);
        assert_eq!(arrive(&[0, 9, 5, 7])[3..], [vec![(1, 5)]]);
        assert_eq!(arrive(&[0, 9, 7, 5])[3..], [vec![(1, 5)]]);
        // A repeated packet does not count as the third.
        assert_eq!(arrive(&[0, 2, 3, 3, 2, 0]).concat(), []);
    }

    #[test]
    fn packets_before_the_first_are_missing_too() {
        assert_eq!(arrive(&[2, 3, 4]).concat(), [(0, 2)]);
        let mut arrivals = Arrivals::default();
        let mut lost = None;
        for i in 0..3 {
            arrivals.on_arrival(2 + i, ms(50 + i), |hole| lost = Some(*hole));
        }
        let hole = lost.expect("two");
        assert_eq!((hole.arrival(0), hole.arrival(1)), (ms(50), ms(50)));
        assert_eq!((hole.first_after(0, ms(49)), hole.first_after(0, ms(50))), (Some(0), None));
    }

    /// 4 comes at 40 ms, 9 at 140 ms: T_loss of 5 is 40 + 100 (5 - 4)/(9 - 4) = 60 ms.
    #[test]
    fn the_arrival_of_a_lost_packet_is_interpolated() {
        let hole =
            Hole { first: 5, end: 9, before: Some((4, ms(40))), after: (9, ms(140)), above: 3 };
        let times: Vec<_> = (5..9).map(|seq| hole.arrival(seq)).collect();
        assert_eq!(times, [ms(60), ms(80), ms(100), ms(120)]);
        assert_eq!(hole.first_after(0, ms(59)), Some(5));
        assert_eq!(hole.first_after(5, ms(60)), Some(6));
        assert_eq!(hole.first_after(6, ms(60)), Some(6));
        assert_eq!(hole.first_after(5, ms(99)), Some(7));
        assert_eq!(hole.first_after(5, ms(119)), Some(8));
        assert_eq!(hole.first_after(5, ms(120)), None);
        assert_eq!(hole.first_after(9, ms(0)), None);
    }

    /// S_before is the last to arrive, not the highest: after 5 and 3 come 7 ... 9, and 6 is
    /// missing.
    #[test]
    fn interpolation_begins_at_the_packet_that_came_last() {
        let mut arrivals = Arrivals::default();
        let mut lost = Vec::new();
        for (seq, at) in [(2, 20), (5, 50), (3, 60), (4, 70), (7, 100), (8, 110), (9, 120)] {
            arrivals.on_arrival(seq, ms(at), |hole| lost.push(*hole));
        }
        assert_eq!(lost.len(), 2);
        // 6: 70 + 30 (6 - 4)/(7 - 4).
        assert_eq!((lost[1].first, lost[1].arrival(6)), (6, ms(90)));
    }

    #[test]
    fn numbers_at_the_end_of_their_range_do_no_harm() {
        let found = arrive(&[u64::MAX, u64::MAX, 0, u64::MAX - 2, 7, 8]);
        assert_eq!(found.concat().first(), Some(&(1, 7)));
        let hole = Hole {
            first: 1,
            end: u64::MAX - 1,
            before: Some((0, ms(0))),
            after: (u64::MAX - 1, Time::MAX),
            above: 3,
        };
        assert!(hole.arrival(u64::MAX - 2) < Time::MAX);
        assert!(hole.first_after(1, ms(1)).is_some());
        assert_eq!(hole.first_after(1, Time::MAX), None);
    }

    #[test]
    fn the_very_highest_number_counts_as_the_one_before() {
        for (seq, expected) in
            [(0, 0), (7, 7), (u64::MAX - 1, u64::MAX - 1), (u64::MAX, u64::MAX - 1)]
        {
            let mut arrivals = Arrivals::default();
            arrivals.on_arrival(seq, ms(0), |_| ());
            assert_eq!(arrivals.highest(), expected);
        }
    }
}
