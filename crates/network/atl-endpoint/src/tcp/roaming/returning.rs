//! Back to the last path whose far end has answered, when that of the current one does not.
//!
//! Source: RFC 9000, sec. 9.3.2: when the validation of a new address fails, an endpoint must revert to the last validated one.
//! Without it, whoever can write an unsigned notice stops the connection for good. Sec. 8.2.4 for how long to wait: three
//! times the larger of the current PTO and that of a path without an RTT, which is 1 s.
//!
//! Left open by the source, and chosen:
//! - The time runs from the departure. Another move meanwhile, to another path that has not answered, does not make it longer:
//!   otherwise two forged notices in turn would keep the sender away for good.
//! - A path that has failed is challenged, and data moves there only with its answer, whatever notices say. So a forged
//!   notice stops the data once for each path, and never again.
//! - The sender returns as after an idle period (RFC 2861): the initial window, and slow start up to three quarters of the
//!   window of before.
//! - The path to return to may be said to be gone. With a key this is true, and there is no return; without one it counts
//!   only once the new path has answered.

use atl_core::path::PathId;
use atl_core::roaming::Knowledge;
use atl_core::time::{Span, Time};
use atl_core::window::WindowController;

use super::{Roaming, Sender};

/// Timeouts of the slower path until its validation has failed (RFC 9000, sec. 8.2.4).
const TIMEOUTS: u64 = 3;
/// The timeout of a path without an RTT (RFC 9002, sec. 6.2.2).
const UNKNOWN: Span = Span::from_secs(1);

/// Where a sender goes back to if the current path does not answer.
#[derive(Clone, Copy, Debug)]
pub(super) struct Return {
    /// The last path whose far end has answered.
    to: PathId,
    /// Window and slow start threshold there, in packets.
    window: (f64, f64),
    rtt: Option<Span>,
    /// A notice without a tag says that it is gone.
    gone: bool,
    /// The current path has failed by then; [`Time::MAX`] while the sender is frozen.
    pub(super) at: Time,
    /// What was left of the time when the sender was frozen: it asks nothing meanwhile, so nobody can answer.
    left: Option<Span>,
}

impl Roaming {
    /// The far end of a path has answered, while data takes `current`.
    pub(super) fn on_answer(&mut self, path: PathId, current: PathId) {
        self.guard.validate(path);
        if path == current
            && let Some(back) = self.back.take()
            && back.gone
            && back.to != path
        {
            self.guard.forget(back.to);
        }
    }

    /// The sender is frozen: time does not count.
    pub(in crate::tcp) fn hold_return(&mut self, now: Time) {
        if let Some(back) = &mut self.back
            && back.left.is_none()
        {
            back.left = Some(back.at.since(now));
            back.at = Time::MAX;
        }
    }

    /// The sender goes on.
    pub(in crate::tcp) fn resume_return(&mut self, now: Time) {
        if let Some(back) = &mut self.back
            && let Some(left) = back.left.take()
        {
            back.at = now.saturating_add(left);
        }
    }

    /// The host has left a path that data does not take: its address may be somebody else's by the time that a notice names
    /// it again.
    pub(super) fn forget(&mut self, path: PathId) {
        match &mut self.back {
            Some(back) if back.to == path && !self.guard.has_key() => back.gone = true,
            _ => {
                self.back.take_if(|back| back.to == path);
                self.guard.forget(path);
            }
        }
    }
}

impl Sender {
    /// Data is about to leave the current path for `path`: notes where it returns to if that does not answer.
    pub(super) fn note_return(&self, roaming: &mut Roaming, now: Time, path: PathId) {
        if !roaming.validates() || roaming.guard.is_validated(path) {
            roaming.on_answer(path, path);
            return;
        }
        if roaming.guard.is_validated(self.path) {
            let mut rtt = self.conn.rtt.clone();
            rtt.end_back_off();
            let limit = rtt.rto().max(UNKNOWN) * TIMEOUTS;
            let (at, left) = match self.frozen {
                None => (now.saturating_add(limit), None),
                Some(_) => (Time::MAX, Some(limit)),
            };
            let controller = &self.conn.controller;
            let window = (controller.window(), controller.ssthresh());
            let (to, rtt) = (self.path, rtt.srtt());
            roaming.back = Some(Return { to, window, rtt, gone: false, at, left });
        }
    }

    /// Leaves a path that has not answered in time.
    pub(super) fn return_if_due(&mut self, roaming: &mut Roaming, now: Time) {
        let Some(back) = roaming.back.take_if(|back| back.at <= now) else { return };
        let failed = self.path;
        roaming.guard.fail(failed);
        if roaming.beside.is_some() {
            // That path has answered since.
            self.adopt(roaming, now);
        } else {
            let Return { to, window: (window, ssthresh), rtt, .. } = back;
            let initial = roaming.start.initial_window.min(window);
            let known = Knowledge::after_idle((initial, ssthresh.max(window * 0.75)), rtt);
            self.move_to(roaming, now, to, known);
        }
        roaming.announced = self.path;
        // Nobody was there to take it.
        self.end_drain(roaming, now, Some(failed));
        self.want(roaming, now, failed);
    }

    /// The host is said to be on a path that has failed: it is asked there, and data follows if it answers.
    pub(super) fn want(&mut self, roaming: &mut Roaming, now: Time, path: PathId) {
        roaming.wanted = Some(path);
        if roaming.underway.as_ref().is_none_or(|underway| underway.path != path) {
            self.abandon_survey(roaming, now);
            Sender::challenge(roaming, now, path);
        }
    }

    /// A path has answered. If it had failed, and the host is said to be there, data takes it. True if it does.
    pub(super) fn move_to_wanted(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        path: PathId,
        rtt: Span,
    ) -> bool {
        if roaming.wanted.take_if(|wanted| *wanted == path).is_none() {
            return false;
        }
        roaming.underway = None;
        roaming.announced = path;
        self.conn.counts.handoffs += 1;
        self.give_up_beside(roaming, now);
        self.move_to(roaming, now, path, Knowledge::of_rtt(rtt));
        true
    }
}
