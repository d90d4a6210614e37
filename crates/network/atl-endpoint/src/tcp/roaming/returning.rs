//! Back to the last path whose far end has answered, when that of the current one does not.
//!
//! Source: RFC 9000, sec. 9.3.2: when the validation of a new address fails, an endpoint must
//! revert to the last validated one. Without it, whoever can write an unsigned notice stops the
//! connection for good. Sec. 8.2.4 for how long to wait: three times the larger of the current PTO
//! and that of a path without an RTT, which is 1 s.
//!
//! Left open by the source, and chosen:
//! - The time runs from the departure. Another move meanwhile, to another path that has not
//!   answered, does not make it longer: otherwise two forged notices in turn would keep the sender
//!   away for good.
//! - A path that has failed is challenged, and data moves there only with its answer, whatever
//!   notices say. So a forged notice stops the data once for each path, and never again.
//! - The sender returns as after an idle period (RFC 2861): the initial window, and slow start up
//!   to three quarters of the window of before.
//! - The path to return to may be said to be gone. With a key this is true, and there is no return;
//!   without one it counts only once the new path has answered.

use atl_core::path::PathId;
use atl_core::roaming::Knowledge;
use atl_core::time::{Span, Time};

use crate::tcp::paths::{Paths, Return};
use crate::tcp::sender::Sender;

/// Timeouts of the slower path until its validation has failed (RFC 9000, sec. 8.2.4).
const TIMEOUTS: u64 = 3;
/// The timeout of a path without an RTT (RFC 9002, sec. 6.2.2).
const UNKNOWN: Span = Span::from_secs(1);

impl Sender {
    /// Data is about to leave the current path for `path`: notes where it returns to if that does
    /// not answer.
    pub(super) fn note_return(&self, paths: &mut Paths, now: Time, path: PathId) {
        if !paths.validates() || paths.guard.is_validated(path) {
            paths.on_answer(path, path);
            return;
        }
        let current = &self.conn.path;
        if paths.guard.is_validated(current.id) {
            let mut rtt = current.rtt.clone();
            rtt.end_back_off();
            let limit = rtt.rto().max(UNKNOWN) * TIMEOUTS;
            let known = (current.window(), rtt.srtt());
            let back = Return::new(now, current.id, known, (limit, self.frozen.is_some()));
            paths.back = Some(back);
        }
    }

    /// Leaves a path that has not answered in time.
    pub(super) fn return_if_due(&mut self, paths: &mut Paths, now: Time) {
        let Some(back) = paths.back.take_if(|back| back.at <= now) else { return };
        let failed = self.path();
        paths.guard.fail(failed);
        if paths.beside.is_some() {
            // That path has answered since.
            self.adopt(paths, now);
        } else {
            let Return { to, window: (window, ssthresh), rtt, .. } = back;
            let initial = paths.start.initial_window.min(window);
            let known = Knowledge::after_idle((initial, ssthresh.max(window * 0.75)), rtt);
            self.move_to(paths, now, to, known);
        }
        paths.announced = self.path();
        // Nobody was there to take it.
        self.end_drain(paths, now, Some(failed));
        self.want(paths, now, failed);
    }

    /// The host is said to be on a path that has failed: it is asked there, and data follows if it
    /// answers.
    pub(super) fn want(&mut self, paths: &mut Paths, now: Time, path: PathId) {
        paths.wanted = Some(path);
        if paths.underway.as_ref().is_none_or(|underway| underway.path != path) {
            self.abandon_survey(paths, now);
            Sender::challenge(paths, now, path);
        }
    }

    /// A path has answered. If it had failed, and the host is said to be there, data takes it.
    pub(super) fn move_to_wanted(&mut self, paths: &mut Paths, now: Time, path: PathId, rtt: Span) {
        if paths.wanted.take_if(|wanted| *wanted == path).is_none() {
            return;
        }
        paths.underway = None;
        paths.announced = path;
        self.conn.counts.handoffs += 1;
        self.give_up_beside(paths, now);
        self.move_to(paths, now, path, Knowledge::of_rtt(rtt));
    }
}
