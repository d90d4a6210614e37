//! Puts the packets of several paths back into the order in which they were sent.
//!
//! Each path keeps its packets in order, but a packet on a short path overtakes those that were
//! sent before it on a long one. A packet above a gap waits while an older path may still fill the
//! gap: until one of the path's last packets before the move has arrived, its network is left, or
//! the packet has waited for [`Resequencer::new`]'s time. A gap that no path can fill any more is a
//! loss, and nothing waits for it; so a flow on one path waits for nothing.
//!
//! A move shows by the first packet on the new path. A host that is there and back again before one
//! has arrived (two moves within the difference of the paths' delays) is not noticed: the packets
//! of the path between come late, and are discarded.

use std::collections::{BTreeMap, VecDeque};

use atl_core::path::PathId;
use atl_core::time::{Span, Time};

/// Most packets that wait, and that are ready and not fetched; beyond it the oldest is not handed
/// over.
const MOST: usize = 1 << 14;

/// A stretch of the stream that was sent over one path.
#[derive(Clone, Copy, Debug)]
struct Run {
    path: PathId,
    /// Number of its first packet that arrived.
    start: u64,
    /// One more than the newest of its packets that arrived: earlier ones do not follow.
    passed: u64,
}

/// Packets by their fate in the resequencer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Sequenced {
    /// Packets handed over.
    pub delivered: u64,
    /// Packets that had waited for others.
    pub held: u64,
    /// Packets that were not handed over: copies, and those that came after their turn.
    pub discarded: u64,
}

/// Hands each packet over once and in order.
#[derive(Clone, Debug)]
pub(in crate::paced) struct Resequencer {
    wait: Span,
    /// The next number to hand over.
    next: u64,
    /// Packets that wait, with the time until which.
    held: BTreeMap<u64, Time>,
    /// The newest last; there is one from the first arrival on.
    runs: VecDeque<Run>,
    ready: VecDeque<u64>,
    counts: Sequenced,
}

impl Resequencer {
    /// No packet waits longer than `wait`.
    pub(in crate::paced) fn new(wait: Span) -> Self {
        Resequencer {
            wait,
            next: 0,
            held: BTreeMap::new(),
            runs: VecDeque::new(),
            ready: VecDeque::new(),
            counts: Sequenced::default(),
        }
    }

    pub(in crate::paced) fn counts(&self) -> Sequenced {
        self.counts
    }

    /// Packet `seq` arrived on `path`.
    pub(in crate::paced) fn on_packet(&mut self, now: Time, seq: u64, path: PathId) {
        self.note(seq, path);
        if seq < self.next || self.held.contains_key(&seq) {
            self.counts.discarded += 1;
            return;
        }
        self.held.insert(seq, now.saturating_add(self.wait));
        self.advance(now);
        // Whatever is left did not go through at once.
        self.counts.held += u64::from(self.held.contains_key(&seq));
    }

    /// Notes how far its path has come.
    fn note(&mut self, seq: u64, path: PathId) {
        let passed = seq.saturating_add(1);
        match self.runs.back() {
            None => self.runs.push_back(Run { path, start: 0, passed }),
            Some(newest) if newest.path != path && seq >= newest.passed => {
                self.runs.push_back(Run { path, start: seq, passed });
            }
            Some(_) => {
                let mut runs = self.runs.iter_mut().rev();
                if let Some(run) = runs.find(|run| run.path == path && run.start <= seq) {
                    run.passed = run.passed.max(passed);
                }
            }
        }
    }

    /// One more than the last number of a run.
    fn end(&self, run: usize) -> u64 {
        self.runs.get(run + 1).map_or(u64::MAX, |later| later.start)
    }

    /// True if this run's path may still carry a packet from `next` on and below `until`.
    fn may_fill(&self, run: usize, until: u64) -> bool {
        let Run { start, passed, .. } = self.runs[run];
        self.next.max(start).max(passed) < until.min(self.end(run))
    }

    /// Hands over what need not wait any more.
    pub(in crate::paced) fn advance(&mut self, now: Time) {
        while let Some((&seq, &until)) = self.held.first_key_value() {
            let waits = |run| self.may_fill(run, seq);
            if now < until && self.held.len() <= MOST && (0..self.runs.len()).any(waits) {
                break;
            }
            // The wait for packets before `seq` is over: no path counts as able to fill the gap any
            // more.
            for run in 0..self.runs.len() {
                if self.may_fill(run, seq) {
                    self.runs[run].passed = seq.min(self.end(run));
                }
            }
            self.held.pop_first();
            self.next = seq.saturating_add(1);
            self.counts.delivered += 1;
            if self.ready.len() >= MOST {
                self.ready.pop_front();
            }
            self.ready.push_back(seq);
        }
        while self.runs.get(1).is_some_and(|later| later.start <= self.next) {
            self.runs.pop_front();
        }
    }

    /// The network of a path is left: it carries nothing any more.
    pub(in crate::paced) fn leave(&mut self, now: Time, path: PathId) {
        for run in 0..self.runs.len().saturating_sub(1) {
            if self.runs[run].path == path {
                self.runs[run].passed = self.end(run);
            }
        }
        self.advance(now);
    }

    /// When [`advance`](Self::advance) has something to do; [`Time::MAX`] if nothing waits.
    pub(in crate::paced) fn next(&self) -> Time {
        self.held.first_key_value().map_or(Time::MAX, |(_, until)| *until)
    }

    /// The next packet for the application.
    pub(in crate::paced) fn poll(&mut self) -> Option<u64> {
        self.ready.pop_front()
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    const A: PathId = PathId::FIRST;
    const B: PathId = PathId::new(1);

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn all(r: &mut Resequencer) -> Vec<u64> {
        core::iter::from_fn(|| r.poll()).collect()
    }

    fn arrive(r: &mut Resequencer, packets: &[(u64, u64, PathId)]) -> Vec<u64> {
        packets.iter().for_each(|&(at, seq, path)| r.on_packet(ms(at), seq, path));
        all(r)
    }

    #[test]
    fn on_one_path_nothing_waits() {
        let mut r = Resequencer::new(Span::from_millis(500));
        assert_eq!(arrive(&mut r, &[(0, 1, A), (1, 2, A), (2, 5, A), (3, 6, A)]), [1, 2, 5, 6]);
        assert_eq!((r.next(), r.counts().held), (Time::MAX, 0));
        // A copy, and one that comes late.
        assert_eq!(arrive(&mut r, &[(4, 6, A), (5, 3, A)]), []);
        assert_eq!(r.counts(), Sequenced { delivered: 4, held: 0, discarded: 2 });
    }

    #[test]
    fn the_new_path_waits_for_the_last_packet_of_the_old_one() {
        let mut r = Resequencer::new(Span::from_millis(500));
        assert_eq!(arrive(&mut r, &[(0, 0, A), (10, 3, B), (11, 4, B), (12, 1, A)]), [0, 1]);
        assert_eq!(r.next(), ms(510));
        assert_eq!(arrive(&mut r, &[(13, 5, B), (20, 2, A)]), [2, 3, 4, 5]);
        // The old path is done: a loss on the new one holds nothing up.
        assert_eq!(arrive(&mut r, &[(30, 7, B)]), [7]);
        assert_eq!(r.counts(), Sequenced { delivered: 7, held: 3, discarded: 0 });
        assert_eq!(r.runs.len(), 1);
    }

    #[test]
    fn a_loss_on_the_old_path_shows_when_a_later_packet_of_it_comes() {
        let mut r = Resequencer::new(Span::from_millis(500));
        // 1 is lost, 2 is the last one before the move.
        assert_eq!(arrive(&mut r, &[(0, 0, A), (10, 3, B), (20, 2, A)]), [0, 2, 3]);
    }

    #[test]
    fn the_wait_is_bounded_and_ends_when_the_network_is_left() {
        let mut r = Resequencer::new(Span::from_millis(500));
        assert_eq!(arrive(&mut r, &[(0, 0, A), (10, 3, B), (20, 4, B)]), [0]);
        r.advance(ms(509));
        assert_eq!(all(&mut r), []);
        r.advance(ms(510));
        assert_eq!(all(&mut r), [3, 4], "nobody waits a second time");
        assert_eq!(arrive(&mut r, &[(520, 2, A)]), []);
        let mut r = Resequencer::new(Span::from_millis(500));
        assert_eq!(arrive(&mut r, &[(0, 0, A), (10, 3, B)]), [0]);
        r.leave(ms(30), A);
        assert_eq!((all(&mut r), r.next()), (vec![3], Time::MAX));
    }

    #[test]
    fn there_and_back_again_stays_in_order() {
        let mut r = Resequencer::new(Span::from_millis(500));
        // 0, 1 on A; 2, 3 on B, which is slow; 4, 5 on A again.
        let all =
            arrive(&mut r, &[(0, 0, A), (1, 1, A), (5, 2, B), (6, 4, A), (7, 5, A), (9, 3, B)]);
        assert_eq!(all, [0, 1, 2, 3, 4, 5]);
    }

    #[test]
    fn memory_is_bounded_for_a_host_that_fetches_nothing() {
        let mut r = Resequencer::new(Span::from_secs(3600));
        r.on_packet(ms(0), 0, A);
        for seq in 5..3 * MOST as u64 {
            r.on_packet(ms(1), seq, B);
        }
        assert!(r.held.len() <= MOST && r.ready.len() <= MOST);
    }

    proptest! {
        /// Packets on two paths with delays and losses of their own, moves at random: each packet
        /// that arrives within the wait is handed over once, in order, and at most the wait later.
        #[test]
        fn every_packet_once_and_in_order(
            delays in (1_u64..80, 1_u64..80),
            gaps in prop::collection::vec(40_u64..100, 0..5),
            lost in prop::collection::vec(0_u64..200, 0..20),
        ) {
            let wait = Span::from_millis(100);
            let moves: Vec<u64> =
                gaps.iter().scan(0, |at, gap| { *at += gap; Some(*at) }).collect();
            let mut arrivals = Vec::new();
            for seq in 0..200_u64 {
                let on_b = moves.iter().filter(|at| **at <= seq).count() % 2 == 1;
                let (delay, path) = if on_b { (delays.1, B) } else { (delays.0, A) };
                if !lost.contains(&seq) {
                    arrivals.push((2 * seq + delay, seq, path));
                }
            }
            let sent = arrivals.len();
            arrivals.sort_unstable();
            let mut r = Resequencer::new(wait);
            let mut got = Vec::new();
            for (at, seq, path) in arrivals {
                while r.next() <= ms(at) {
                    let due = r.next();
                    r.advance(due);
                    prop_assert!(r.next() > due);
                }
                r.on_packet(ms(at), seq, path);
                got.extend(all(&mut r));
            }
            r.advance(Time::MAX);
            got.extend(all(&mut r));
            prop_assert!(got.is_sorted_by(|a, b| a < b));
            // No delay is longer than the wait, so none comes after its turn.
            prop_assert_eq!((got.len(), r.counts().discarded), (sent, 0));
        }
    }
}
