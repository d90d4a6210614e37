//! Handoffs that a receiver claims, held against the round-trip times around them.
//!
//! A handoff voids what was measured of the path. A receiver that claims one while a queue stands
//! would have the sender take that queue for the path, and begin again with twice the window. So
//! the model of before is kept until the start that follows is judged:
//!
//! - On one path round-trip times go on from where they were, packet by packet, however long the
//!   queue is. A step between two packets that is larger than any of the rounds before is another
//!   path's. Jitter makes steps all the time, and hides one.
//! - Round-trip times near the old least one say that no queue stands. It stays the least one.
//! - Otherwise the window tells. On a path that has room it doubles, and round-trip times stay as
//!   they are. Where they do not, the model of before is in force again.

use super::{LEAST_SECS, Residual};
use crate::time::Time;

/// Rounds after which a start that goes on is judged. The second half of the third one shows the
/// packets of a window that is half as large again, or more.
const ROUNDS: u64 = 3;
/// The window then, over that of before: as good as doubled.
const GROWN: f64 = 1.9;
/// Round trips for which a step is remembered: so long may a path be another one before its
/// receiver's claim arrives.
const STEP_ROUNDS: f64 = 1.5;
/// A step over the largest of the rounds before that is another path's.
const UNUSUAL: f64 = 2.0;

/// The path after a claim, beside the one before.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Found {
    /// It is another one.
    Other,
    /// No queue stands on it that the model of before would see.
    Empty,
    /// It is longer, or the same with a queue.
    Unclear,
}

impl Residual {
    /// Seconds for which a step of the round-trip time is remembered.
    pub(super) fn step_memory(&self) -> f64 {
        if self.before.is_some() { f64::INFINITY } else { STEP_ROUNDS * self.srtt }
    }

    /// The receiver says that it has changed networks.
    pub(super) fn on_claimed_handoff(&mut self, now: Time) {
        if !self.claims.is_due(now, self.srtt) {
            return;
        }
        // An earlier claim that is not judged yet has left no model.
        let before = self.before.take().unwrap_or_else(|| Box::new(self.clone()));
        self.forget_path(now);
        self.claims.at = Some(now);
        self.before = Some(before).filter(|before| before.base.secs().is_some());
    }

    /// A round of the start is over, with `low` seconds as its least round-trip time. True as for
    /// [`Residual::refuses_claim`].
    pub(super) fn refuses_claim_after(&mut self, now: Time, low: f64) -> bool {
        let (Some(before), Some(least)) = (self.before.as_deref(), self.base.secs()) else {
            return false;
        };
        let room = self.cwnd >= GROWN * before.cwnd && low <= least + before.noise(LEAST_SECS);
        self.rounds_here() >= ROUNDS && self.judges_claim(now, room)
    }

    /// The start is to end. True if nothing bears out the claim that it began with: the model of
    /// before is in force again then, and there is no start to end.
    pub(super) fn refuses_claim(&mut self, now: Time) -> bool {
        self.judges_claim(now, false)
    }

    /// Judges a claim, if one waits for it; `room`: a larger window has made no queue.
    fn judges_claim(&mut self, now: Time, room: bool) -> bool {
        let Some(before) = self.before.take() else { return false };
        let found = self.found(&before);
        self.claims.empty = if found == Found::Other { 0 } else { self.claims.empty + 1 };
        match (found, before.base.secs()) {
            (Found::Empty, Some(old)) => self.note_low(now, old, 0.0),
            (Found::Unclear, _) if !room => {
                self.resume(*before);
                return true;
            }
            _ => {}
        }
        false
    }

    fn found(&self, before: &Residual) -> Found {
        let (Some(least), Some(old)) = (self.base.secs(), before.base.secs()) else {
            return Found::Empty;
        };
        let usual = before.noise(LEAST_SECS).max(UNUSUAL * before.claims.usual);
        if self.claims.step.0 > usual {
            Found::Other
        } else if least <= old + before.trace(old) {
            Found::Empty
        } else {
            Found::Unclear
        }
    }

    /// Goes on with the model of before a claim. What is under way, and what was told, is new.
    fn resume(&mut self, before: Residual) {
        let now = core::mem::replace(self, before);
        self.links.hear(&now.links);
        self.open = now.open;
        self.rounds = now.rounds;
        self.pace = now.pace;
        self.srtt = now.srtt;
        self.last_rtt = now.last_rtt;
        self.in_flight = now.in_flight;
        self.train = now.train;
        self.first = now.first;
        self.marked_tx = now.marked_tx;
        self.claims = now.claims;
        self.drain = None;
        self.alone.dip = None;
        self.alone.wait = self.alone.wait.max(2);
    }
}
