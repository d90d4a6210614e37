//! The move to another path: a controller and an RTT of its own, and what is known of the path to begin with.

use atl_core::measure::RttEstimator;
use atl_core::path::PathId;
use atl_core::roaming::{Knowledge, NewPath};
use atl_core::time::{Span, Time};
use atl_core::window::{Controller, Sent, WindowController};

use super::{Roaming, Sender};
use crate::tcp::connection::Phase;
use crate::tcp::recovery::LossRecovery;

/// A path that was left a short while ago.
#[derive(Clone, Debug)]
pub(super) struct Left {
    pub(super) path: PathId,
    pub(super) window: (f64, f64),
    pub(super) rtt: RttEstimator,
    pub(super) until: Time,
}

/// A new window is filled at its own rate instead of at once: a burst of it would overflow the queue that the survey has
/// just measured.
#[derive(Clone, Copy, Debug)]
pub(super) struct Filling {
    gap: Span,
    pub(super) next: Time,
    until: Time,
}

impl Filling {
    /// When the next packet may go; `None` once the window may be filled at will.
    pub(super) fn release_at(&self, now: Time) -> Option<Time> {
        (now < self.until).then_some(self.next)
    }

    pub(super) fn on_sent(&mut self, now: Time) {
        self.next = self.next.max(now).saturating_add(self.gap);
    }
}

/// What a sender begins with on a path.
#[derive(Debug)]
pub(super) struct Begun {
    pub(super) controller: Controller,
    pub(super) rtt: RttEstimator,
    pub(super) filling: Option<Filling>,
}

impl Sender {
    /// Data takes `path` from now on.
    pub(super) fn move_to(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        path: PathId,
        known: Knowledge,
    ) {
        self.note_return(roaming, now, path);
        if matches!(roaming.how, NewPath::Keep) || self.conn.phase == Phase::Connecting {
            self.path = path;
            return;
        }
        let left = self.path;
        // The old path's packets arrive within its timeout, or not at all.
        let mut old_rtt = self.conn.rtt.clone();
        old_rtt.end_back_off();
        let deadline = now.saturating_add(old_rtt.rto());
        let back = roaming.left.take().filter(|back| back.path == path && now < back.until);
        roaming.note_rtt(left, old_rtt.srtt(), now);
        let window = (self.conn.controller.window(), self.conn.controller.ssthresh());
        roaming.left = Some(Left { path: left, window, rtt: old_rtt, until: deadline });

        let begun = self.begin_on(roaming, now, (left, path), known, back);
        self.path = path;
        self.conn.controller = begun.controller;
        self.conn.rtt = begun.rtt;
        roaming.filling = begun.filling;
        self.take_over(roaming, now);
        self.begin_drain(roaming, left, deadline);
        if roaming.stranded.take() == Some(left) {
            self.end_drain(roaming, now, Some(left));
        }
    }

    /// Begins on a path that is, or is about to be, in use beside or after `left`.
    pub(super) fn begin_on(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        (left, path): (PathId, PathId),
        known: Knowledge,
        back: Option<Left>,
    ) -> Begun {
        // A sender that returns before the path it left has drained goes on where it was.
        let before = back.as_ref().map(|back| back.window);
        let window = if known.sure { known.window } else { before.or(known.window) };
        roaming.moves += 1;
        let start = roaming.start.seed(roaming.start.seed.wrapping_add(roaming.moves));
        let start = Knowledge { window, ..known }.start(start);
        let fresh = window.is_none();
        let controller =
            roaming.known.change(now, (left, &self.conn.controller), (path, fresh), &start);
        let rtt = match (known.rtt, back) {
            (None, Some(back)) => back.rtt,
            (rtt, _) => {
                let mut fresh = RttEstimator::new(roaming.rtt);
                if let Some(rtt) = rtt {
                    fresh.on_sample(rtt);
                }
                fresh
            }
        };
        let filling = rtt.srtt().filter(|_| known.paced).map(|rtt| {
            let window = start.initial_window.max(1.0);
            let gap = Span::from_secs_f64(rtt.secs() / window);
            Filling { gap, next: now, until: now.saturating_add(rtt) }
        });
        Begun { controller, rtt, filling }
    }

    /// What was released over the path that is the current one now belongs to its controller; everything else in flight is
    /// elsewhere.
    fn take_over(&mut self, roaming: &mut Roaming, now: Time) {
        let conn = &mut self.conn;
        let ahead = roaming.legs.ahead().to_vec();
        let mut counted = Vec::new();
        conn.board.turn(|tx| {
            let here = ahead.binary_search(&tx).is_ok();
            if here {
                counted.push(tx);
            }
            here
        });
        counted.sort_unstable();
        for index in 0..counted.len() as u64 {
            let in_flight = index as u32 + 1;
            conn.controller.on_sent(&Sent::new(now, index, conn.packet_bytes, in_flight));
        }
        roaming.legs.turn(conn.next_tx, ahead, counted);
        conn.tx_base = roaming.legs.base();
        conn.arrived_above = 0;
        conn.duplicates = 0;
        conn.partial_acks = 0;
        conn.forced = false;
        conn.reacted = 0;
        if conn.phase != Phase::Open {
            conn.phase = Phase::Open;
        }
        if conn.in_flight() > 0 {
            conn.arm_timer(now);
        } else {
            conn.rto_due = Time::MAX;
        }
        self.strategy.on_split();
        self.consecutive_timeouts = 0;
        self.window_limited = false;
        self.first_probe = self.next_probe;
    }
}
