//! Arrivals while packets are in flight over two paths. `roaming::acks` acts on them.

use atl_core::path::PathId;
use atl_core::time::Time;

use super::transmissions::{Leg, Transmissions};
use crate::tcp::scoreboard::Scoreboard;

/// Arrivals over one path.
#[derive(Clone, Copy, Debug, Default)]
pub(in crate::tcp) struct Seen {
    /// The latest transmission that arrived.
    pub(in crate::tcp) newest: Option<u64>,
    /// All transmissions below are known to have arrived or to be lost.
    pub(in crate::tcp) examined: u64,
    /// No transmission below is in flight: the retransmission timer runs for the first from here on
    /// that is.
    oldest: u64,
}

impl Seen {
    fn new(newest: Option<u64>, first: u64) -> Self {
        Seen { newest, examined: first, oldest: first }
    }
}

/// Packets are in flight over two paths.
#[derive(Debug)]
pub(in crate::tcp) struct Split {
    /// It lasts until this segment is the first outstanding one.
    pub(in crate::tcp) until: u64,
    /// Of each transmission from this one on it is known whether it arrived.
    pub(in crate::tcp) known_from: u64,
    seen: [Seen; 3],
    /// The path that was left last.
    pub(in crate::tcp) behind: Option<PathId>,
    /// When what is still on it is lost.
    pub(in crate::tcp) deadline: Time,
    /// This has come.
    pub(in crate::tcp) overdue: bool,
    /// The segment after the last that was outstanding when something was repaired: duplicates up
    /// to there may come from copies.
    pub(in crate::tcp) repaired: Option<u64>,
}

impl Split {
    pub(in crate::tcp) fn new(until: u64, first: u64, known_from: u64) -> Self {
        Split {
            until,
            known_from,
            seen: [Seen::new(None, first); 3],
            behind: None,
            deadline: Time::MAX,
            overdue: false,
            repaired: None,
        }
    }

    /// The timer of a path in use expired; `next` is the next new segment.
    pub(in crate::tcp) fn on_expiry(&mut self, next: u64) {
        self.until = next;
        self.repaired = Some(next);
    }

    pub(in crate::tcp) fn seen(&mut self, leg: Leg) -> &mut Seen {
        &mut self.seen[leg as usize]
    }

    /// The path ahead is the current one, and what was the current one drains until the deadline.
    /// `first` is the first transmission that may be in flight.
    pub(in crate::tcp) fn turn(&mut self, left: PathId, deadline: Time, first: u64) {
        let [here, ahead, behind] = self.seen.map(|seen| seen.newest);
        self.seen = [ahead, None, here.max(behind)].map(|newest| Seen::new(newest, first));
        self.behind = Some(left);
        self.deadline = deadline;
        self.overdue = false;
    }

    /// The path ahead is given up: what was sent over it drains like that of an old one.
    pub(in crate::tcp) fn give_up(&mut self, path: PathId, deadline: Time) {
        let ahead = std::mem::take(self.seen(Leg::Ahead));
        let behind = self.seen(Leg::Behind);
        behind.newest = behind.newest.max(ahead.newest);
        behind.examined = behind.examined.min(ahead.examined);
        behind.oldest = behind.oldest.min(ahead.oldest);
        self.behind = Some(path);
        self.deadline = self.deadline.min(deadline);
        // The packets that drain now have a deadline of their own, even if that of the path left
        // before has passed.
        self.overdue = false;
    }

    /// Goes on to the oldest transmission in flight over this path. True if another one was that
    /// before, so that the retransmission timer restarts (RFC 6298, rule 5.3, for a path: what
    /// arrives behind a hole does not restart it).
    pub(in crate::tcp) fn advances(
        &mut self,
        leg: Leg,
        board: &Scoreboard,
        sent: &Transmissions,
        next: u64,
    ) -> bool {
        let seen = self.seen(leg);
        let mut advanced = false;
        while seen.oldest < next {
            let tx = seen.oldest;
            if sent.of(tx) == leg {
                let seq = sent.segment(tx);
                if seq.is_some_and(|seq| board.out_since(seq, tx).is_some()) {
                    break;
                }
                advanced = true;
            }
            seen.oldest += 1;
        }
        advanced
    }
}
