//! Lost packets put together into loss events, of which the newest can be taken back (RFC 5348,
//! sec. 5.1 and 5.2).
//!
//! "If a packet arrives late (after NDUPACK subsequent packets arrived) in TFRC, the late packet
//! can fill the hole in TFRC's reception record, and the receiver can recalculate the loss event
//! rate." Chosen: the newest loss event is taken back once all packets of which it was made have
//! arrived after all; older events stay, and so does an event of which only a part arrives.

use super::arrivals::Hole;
use super::config::Config;
use super::loss_intervals::{Event, LossIntervals};
use crate::time::{Span, Time};

/// Limit on the stretches of lost packets of an event that are remembered. An event of more cannot
/// be taken back.
const STRETCHES: usize = 16;

/// The packets of an event, and the state before it.
#[derive(Clone, Debug)]
struct Newest {
    before: LossIntervals,
    /// First number, and one past the last, of the packets still missing.
    lost: Vec<(u64, u64)>,
}

/// Loss intervals, computed from lost packets.
#[derive(Clone, Debug)]
pub(super) struct Losses {
    intervals: LossIntervals,
    /// The newest event, while it can be taken back.
    newest: Option<Newest>,
}

impl Losses {
    pub(super) fn new(config: &Config) -> Self {
        Losses { intervals: LossIntervals::new(config), newest: None }
    }

    /// p, where `highest` is the highest number that has arrived.
    pub(super) fn loss_event_rate(&self, highest: u64) -> f64 {
        self.intervals.loss_event_rate(highest)
    }

    /// True before the first loss event.
    pub(super) fn is_empty(&self) -> bool {
        self.intervals.event().is_none()
    }

    /// Adds lost packets; `first` is the length of the synthetic first interval. True if they begin
    /// an event.
    pub(super) fn on_hole(&mut self, hole: &Hole, rtt: Span, first: impl Fn() -> f64) -> bool {
        let rest = |from: u64| (from, hole.end);
        let mut begins = hole.first;
        if !self.intervals.is_new(hole.arrival(begins), rtt) {
            let Some(found) = self.next(hole, begins, rtt) else {
                self.remember(rest(begins));
                return false;
            };
            begins = found;
        }
        loop {
            let at = hole.arrival(begins);
            self.begin(Event { seq: begins, at }, rest(begins), first());
            // A hole of many round-trip times: all but its last events would be forgotten again.
            let kept = rtt * (self.intervals.n() as u64 + 2);
            let last = hole.arrival(hole.end - 1);
            let from = if last.since(at) > kept { last - kept } else { at.saturating_add(rtt) };
            if rtt.is_zero() {
                return true;
            }
            match hole.first_after(begins + 1, from) {
                Some(next) => begins = next,
                None => return true,
            }
        }
    }

    /// The first packet of the hole that is beyond the current event.
    fn next(&self, hole: &Hole, from: u64, rtt: Span) -> Option<u64> {
        let event = self.intervals.event().filter(|_| !rtt.is_zero())?;
        hole.first_after(from, event.at.saturating_add(rtt))
    }

    /// Adds a lost packet that would have arrived at `at`; true if it begins an event.
    pub(super) fn on_loss(
        &mut self,
        seq: u64,
        at: Time,
        rtt: Span,
        first: impl Fn() -> f64,
    ) -> bool {
        let begins = self.intervals.is_new(at, rtt);
        if begins {
            self.begin(Event { seq, at }, (seq, seq.saturating_add(1)), first());
        }
        begins
    }

    /// Adds a marked packet that arrived at `at` (sec. 5.1: a mark is "the same as the loss" of
    /// the packet in a congestion event); true if it begins an event. The event of a mark cannot
    /// be taken back: the packet has arrived already.
    pub(super) fn on_marked(
        &mut self,
        seq: u64,
        at: Time,
        rtt: Span,
        first: impl Fn() -> f64,
    ) -> bool {
        let begins = self.on_loss(seq, at, rtt, first);
        self.newest = None;
        begins
    }

    fn begin(&mut self, event: Event, lost: (u64, u64), first: f64) {
        // The list of the event before is used again.
        let mut list = self.newest.take().map_or_else(Vec::new, |newest| newest.lost);
        list.clear();
        list.push(lost);
        self.newest = Some(Newest { before: self.intervals, lost: list });
        self.intervals.begin(event, first);
    }

    fn remember(&mut self, lost: (u64, u64)) {
        if let Some(newest) = &mut self.newest {
            if newest.lost.len() < STRETCHES {
                newest.lost.push(lost);
            } else {
                self.newest = None;
            }
        }
    }

    /// Handles an arrival that is not missing, or was given up; true if it takes the newest event
    /// back.
    pub(super) fn on_late(&mut self, seq: u64) -> bool {
        let Some(newest) = &mut self.newest else {
            return false;
        };
        let Some(i) = newest.lost.iter().position(|&(first, end)| first <= seq && seq < end) else {
            return false;
        };
        let (first, end) = newest.lost[i];
        let left = [(first, seq), (seq + 1, end)];
        newest.lost.splice(i..=i, left.into_iter().filter(|&(first, end)| first < end));
        if !newest.lost.is_empty() {
            if newest.lost.len() > STRETCHES {
                self.newest = None;
            }
            return false;
        }
        self.intervals = newest.before;
        self.newest = None;
        true
    }
}

#[cfg(test)]
mod tests {
    use super::super::arrivals::Arrivals;
    use super::*;

    const RTT: Span = Span::from_millis(100);

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Packets arrive 10 ms apart, by their numbers, apart from those named as lost.
    fn losses(until: u64, lost: &[u64]) -> (Losses, Arrivals, Vec<bool>) {
        let mut losses = Losses::new(&Config::default());
        let (mut arrivals, mut begun) = (Arrivals::default(), Vec::new());
        for seq in (0..until).filter(|seq| !lost.contains(seq)) {
            arrivals.on_arrival(seq, ms(seq * 10), |hole| {
                begun.push(losses.on_hole(hole, RTT, || 40.0));
            });
        }
        (losses, arrivals, begun)
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    /// Before a round-trip time is known a hole is one event, and all later ones belong to it.
    #[test]
    fn without_a_round_trip_all_is_one_event() {
        let (mut losses, mut begun) = (Losses::new(&Config::default()), Vec::new());
        let mut arrivals = Arrivals::default();
        for seq in [0, 1, 400, 401, 402, 900, 901, 902] {
            arrivals.on_arrival(seq, ms(seq * 10), |hole| {
                begun.push(losses.on_hole(hole, Span::ZERO, || 40.0));
            });
        }
        assert_eq!(begun, [true, false]);
    }

    #[test]
    fn an_event_is_what_is_lost_in_a_round_trip() {
        // 100 would have come at 1000 ms, 110 at 1100: the same event; 111 begins another.
        let (found, arrivals, begun) = losses(130, &[100, 105, 110, 111]);
        // 110 and 111 are one hole.
        assert_eq!(begun, [true, false, true]);
        // Intervals of 40 and 111 - 100 = 11, I_0 = 129 - 111 + 1 = 19.
        near(found.loss_event_rate(arrivals.highest()), 2.0 / 51.0);
    }

    #[test]
    fn a_hole_of_several_round_trips_is_several_events() {
        let lost: Vec<u64> = (100..140).collect();
        let (found, arrivals, begun) = losses(160, &lost);
        assert_eq!(begun, [true]);
        // Events at 100, 111, 122, 133: closed intervals 11, 11, 11, 40; I_0 = 159 - 133 + 1 = 27.
        near(found.loss_event_rate(arrivals.highest()), 4.0 / 73.0);
    }

    #[test]
    fn a_hole_without_end_costs_no_more_than_a_few_events() {
        let mut losses = Losses::new(&Config { history_discounting: false, ..Config::default() });
        let mut arrivals = Arrivals::default();
        let hour = Span::from_secs(3600);
        let mut holes = 0;
        let packets = 3_600_000_000_000;
        for (seq, at) in [(0, 0), (packets, hour.nanos()), (packets + 1, hour.nanos() + 1)] {
            arrivals.on_arrival(seq, Time::from_nanos(at), |_| ());
        }
        arrivals.on_arrival(packets + 2, Time::from_nanos(hour.nanos() + 2), |hole| {
            holes += 1;
            // With a round-trip time of a microsecond the hole lasts 3.6 10^9 of them, with a loss
            // each nanosecond.
            losses.on_hole(hole, Span::from_micros(1), || 1.0);
        });
        assert_eq!(holes, 1);
        near(losses.loss_event_rate(packets + 2) * 1001.0, 1.0);
    }

    #[test]
    fn an_event_all_of_whose_packets_come_late_is_taken_back() {
        let (mut found, arrivals, _) = losses(150, &[50, 100, 101, 105]);
        let highest = arrivals.highest();
        // I_0 = 149 - 100 + 1 = 50, I_1 = 50, I_2 = 40: the current one is counted, 50 + 50 over 2.
        near(found.loss_event_rate(highest), 2.0 / 100.0);
        // 50 belongs to an older event.
        assert!(!found.on_late(50));
        assert!(!found.on_late(101) && !found.on_late(105) && !found.on_late(105));
        near(found.loss_event_rate(highest), 2.0 / 100.0);
        assert!(found.on_late(100));
        // One closed interval, of 40; I_0 = 149 - 50 + 1 = 100 is the only one of k = 1 that
        // counts.
        near(found.loss_event_rate(highest), 1.0 / 100.0);
        assert!(!found.on_late(50));
    }

    #[test]
    fn the_first_event_can_be_taken_back() {
        let (mut found, arrivals, _) = losses(60, &[50]);
        assert!(!found.is_empty());
        assert!(found.on_late(50) && found.is_empty());
        near(found.loss_event_rate(arrivals.highest()), 0.0);
    }

    #[test]
    fn an_event_of_too_many_stretches_is_not_taken_back() {
        let mut found = Losses::new(&Config::default());
        let mut arrivals = Arrivals::default();
        for seq in (0..200).step_by(2) {
            arrivals.on_arrival(seq, ms(seq / 10), |hole| {
                found.on_hole(hole, RTT, || 40.0);
            });
        }
        assert!(found.newest.is_none());
        assert!((1..200).step_by(2).all(|seq| !found.on_late(seq)));
    }

    /// A hole of these packets and then holes of one packet each, all within a round trip.
    fn stretches(first: (u64, u64), singles: u64) -> Losses {
        let mut found = Losses::new(&Config::default());
        let hole = |first, end| {
            let mut arrivals = Arrivals::default();
            let mut holes = Vec::new();
            (0..first).chain(end..end + 3).for_each(|seq| {
                arrivals.on_arrival(seq, ms(seq / 100), |hole| holes.push(*hole));
            });
            holes[0]
        };
        found.on_hole(&hole(first.0, first.1), RTT, || 40.0);
        for i in 0..singles {
            let seq = first.1 + 2 * i + 1;
            found.on_hole(&hole(seq, seq + 1), RTT, || 40.0);
        }
        found
    }

    /// A packet that comes late in the middle of a stretch leaves two of them.
    #[test]
    fn an_event_of_sixteen_stretches_can_be_taken_back() {
        for (singles, kept) in [(14, true), (15, false)] {
            let mut found = stretches((100, 103), singles);
            assert!(!found.on_late(101));
            assert_eq!(found.newest.is_some(), kept, "{singles}");
            let others = (0..singles).map(|i| 104 + 2 * i);
            let taken = [100, 102].into_iter().chain(others).any(|seq| found.on_late(seq));
            assert_eq!((taken, found.is_empty()), (kept, kept), "{singles}");
        }
        // Sixteen without a late one in between, and one too many.
        for (singles, kept) in [(15, true), (16, false)] {
            assert_eq!(stretches((100, 101), singles).newest.is_some(), kept, "{singles}");
        }
    }

    /// A marked packet has arrived: a copy of it takes back neither its event nor the one to which
    /// it was added.
    #[test]
    fn the_event_of_a_mark_is_not_taken_back() {
        let mut found = Losses::new(&Config::default());
        assert!(found.on_marked(50, ms(500), RTT, || 40.0));
        assert!(!found.on_late(50));
        assert!(found.on_loss(70, ms(700), RTT, || 40.0));
        assert!(!found.on_marked(72, ms(720), RTT, || 40.0));
        assert!(!found.on_late(70));
    }
}
