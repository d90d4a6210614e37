//! Somebody who writes notices in the name of a mobile.
//!
//! The attacker is not on the path: it neither sees nor delays what the two hosts send, and its
//! packets take no room on any link of the network. It knows the flow, the paths and, for a replay,
//! the notices that have reached the sender. It does not know the key of the session.

use atl_core::path::PathId;
use atl_core::time::{Span, Time};
use atl_endpoint::handoff::Notice;
use atl_engine::setup::{Forged, Forgery};

/// Number of the first forged notice: no mobile gets as far, so that each is newer than all that
/// the mobile has said.
const FIRST_NUMBER: u32 = 1 << 31;

/// The attacker of one flow.
#[derive(Debug)]
pub(crate) struct Forger {
    says: Forgery,
    every: Span,
    due: Time,
    number: u32,
    /// Notices of the mobile, with the path that each took. Empty unless the attacker replays them.
    heard: Vec<(PathId, Notice)>,
    /// The next of these to be said again.
    next: usize,
}

impl Forger {
    /// An attacker of a flow that starts then.
    pub(crate) fn new(plan: Forged, start: Time) -> Self {
        let (says, every) = (plan.says, plan.every);
        let mut due = plan.start;
        if due < start {
            // Nobody listens yet.
            let missed = start.since(due).nanos().div_ceil(every.nanos().max(1));
            due = due.saturating_add(every * missed);
        }
        Forger { says, every, due, number: FIRST_NUMBER, heard: Vec::new(), next: 0 }
    }

    /// When its next notice arrives.
    pub(crate) fn due(&self) -> Time {
        self.due
    }

    /// A notice of the mobile reached the sender over this path.
    pub(crate) fn overhear(&mut self, path: PathId, notice: Notice) {
        if self.says == Forgery::Replay && !self.heard.contains(&(path, notice)) {
            self.heard.push((path, notice));
        }
    }

    /// The next notice that arrives now, and the path over which it seems to come.
    pub(crate) fn poll(&mut self, now: Time) -> Option<(PathId, Notice)> {
        while self.due <= now {
            self.due = self.due.saturating_add(self.every);
            match self.says {
                Forgery::Signal(signal) => {
                    let sequence = self.number;
                    self.number = self.number.saturating_add(1);
                    return Some((signal.path(), Notice { sequence, signal, tag: 0 }));
                }
                Forgery::Replay if self.heard.is_empty() => {}
                Forgery::Replay => {
                    let said = self.heard[self.next % self.heard.len()];
                    self.next += 1;
                    return Some(said);
                }
            }
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use atl_core::path::PathSignal;

    use super::*;

    const B: PathId = PathId::new(1);

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn forger(says: Forgery) -> Forger {
        let (start, every) = (ms(100), Span::from_millis(50));
        Forger::new(Forged { says, start, every }, ms(120))
    }

    #[test]
    fn forged_notices_come_at_even_times_under_rising_numbers_above_the_mobiles() {
        let mut forger = forger(Forgery::Signal(PathSignal::Done(B)));
        assert_eq!(forger.due(), ms(150), "not before the flow starts");
        assert_eq!(forger.poll(ms(149)), None);
        let (path, first) = forger.poll(ms(150)).expect("due");
        assert_eq!((path, first.signal, first.tag), (B, PathSignal::Done(B), 0));
        assert_eq!((forger.poll(ms(150)), forger.due()), (None, ms(200)));
        let (_, second) = forger.poll(ms(200)).expect("due");
        assert!(first.sequence >= FIRST_NUMBER && second.sequence > first.sequence);
    }

    #[test]
    fn a_replay_says_in_turn_what_was_heard_and_nothing_before() {
        let mut forger = forger(Forgery::Replay);
        assert_eq!(forger.poll(ms(150)), None);
        let notice = |sequence| Notice { sequence, signal: PathSignal::Imminent(B), tag: 9 };
        for copy in [notice(1), notice(1), notice(2)] {
            forger.overhear(B, copy);
        }
        let said: Vec<_> = [200, 250, 300].iter().filter_map(|at| forger.poll(ms(*at))).collect();
        assert_eq!(said, [(B, notice(1)), (B, notice(2)), (B, notice(1))]);
    }
}
