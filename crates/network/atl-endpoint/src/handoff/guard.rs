//! The checks that a notice passes before it makes a sender send anything: who wrote it, whether it
//! is new, and how much may go over a path whose far end has not answered yet.
//!
//! The paper (Taleb et al.) leaves this out, and its probing is an amplifier without it: a notice
//! of some 50 octets would draw a receive window of dummies to wherever its writer points.
//!
//! - A notice with a number that was seen is a copy or a replay, and does nothing. Numbers are kept
//!   for each path, since the copies of notices on different paths may overtake each other; a move
//!   is only believed if it is the latest.
//! - Where the session has a key, a notice without its tag is forged. Without a key the check is
//!   that what speaks for a path came over it, as an attacker off that path could only pretend.
//! - Until the far end of a path has answered, at most three times the bytes that came from it go
//!   there (RFC 9000, sec. 8.1 and 9.3).
//! - Dummies are rationed: as many as one survey sends, and refilled within a second. Notices that
//!   come faster, from a host on the edge of a cell or from an attacker, buy nothing.

use atl_core::path::{PathId, PathSignal};
use atl_core::time::Time;

use super::tag::Key;
use atl_wire::HandoffReport;
use atl_wire::Notice;

/// Bytes that may go to an unvalidated path for each that came from it (RFC 9000, sec. 8.1).
pub const AMPLIFICATION: u64 = 3;

/// The reason why a notice does nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Refusal {
    /// Its tag is not that of the session's key.
    Forged,
    /// It speaks for a path over which it did not come.
    Elsewhere,
    /// Its number, or a later one, has come before.
    Replayed,
}

/// Octets exchanged over a path, which bound the dummies that it may get until it is validated.
#[derive(Clone, Copy, Debug)]
struct Account {
    path: PathId,
    /// Highest number of a notice about it.
    newest: Option<u32>,
    received: u64,
    sent: u64,
    validated: bool,
    /// It was asked for an answer, and none came in time.
    failed: bool,
}

/// A sender's checks, one for each flow.
#[derive(Debug)]
pub struct Guard {
    key: Option<Key>,
    accounts: Vec<Account>,
    /// Number of the latest move.
    moved: Option<u32>,
    /// Dummies that may be sent, and when this was so.
    ration: Option<(f64, Time)>,
}

impl Guard {
    /// A guard of a flow that begins on the first path, whose far end is known. With a key it
    /// admits only notices that bear its tag.
    pub fn new(key: Option<Key>) -> Self {
        let mut guard = Guard { key, accounts: Vec::new(), moved: None, ration: None };
        guard.validate(PathId::FIRST);
        guard
    }

    fn account(&mut self, path: PathId) -> &mut Account {
        let at = self.accounts.iter().position(|account| account.path == path);
        let at = at.unwrap_or_else(|| {
            let (received, sent, validated, failed) = (0, 0, false, false);
            let account = Account { path, newest: None, received, sent, validated, failed };
            self.accounts.push(account);
            self.accounts.len() - 1
        });
        &mut self.accounts[at]
    }

    /// A notice of `bytes` bytes on the wire came over the path `over`.
    ///
    /// # Errors
    /// Why it must be ignored. A copy of the latest notice on a path still adds to what may be sent
    /// there.
    pub fn admit(&mut self, notice: &Notice, over: PathId, bytes: u32) -> Result<(), Refusal> {
        let Notice { sequence, signal, tag } = *notice;
        if self.key.as_ref().is_some_and(|key| key.tag(sequence, signal) != tag) {
            return Err(Refusal::Forged);
        }
        let path = signal.path();
        let speaks_for = !matches!(signal, PathSignal::Gone(_));
        if speaks_for && path != over {
            return Err(Refusal::Elsewhere);
        }
        let newest = self.account(path).newest;
        if newest.is_some_and(|newest| sequence < newest) {
            return Err(Refusal::Replayed);
        }
        self.received(over, bytes);
        if newest == Some(sequence) {
            return Err(Refusal::Replayed);
        }
        self.account(path).newest = Some(sequence);
        if let PathSignal::Done(_) = signal {
            if self.moved.is_some_and(|moved| sequence < moved) {
                return Err(Refusal::Replayed);
            }
            self.moved = Some(sequence);
        }
        Ok(())
    }

    /// This many bytes came over a path.
    pub fn received(&mut self, path: PathId, bytes: u32) {
        let account = self.account(path);
        account.received = account.received.saturating_add(u64::from(bytes));
    }

    /// True if a packet of this size may go over the path.
    pub fn may_send(&self, path: PathId, bytes: u32) -> bool {
        let account = self.accounts.iter().find(|account| account.path == path);
        account.is_some_and(|account| {
            let most = account.received.saturating_mul(AMPLIFICATION);
            account.validated || account.sent.saturating_add(u64::from(bytes)) <= most
        })
    }

    /// A packet of this size was sent over the path.
    pub fn sent(&mut self, path: PathId, bytes: u32) {
        let account = self.account(path);
        account.sent = account.sent.saturating_add(u64::from(bytes));
    }

    /// The far end of the path has answered what was sent there, or is known otherwise.
    pub fn validate(&mut self, path: PathId) {
        let account = self.account(path);
        (account.validated, account.failed) = (true, false);
    }

    /// The far end of the path has not answered in time.
    pub fn fail(&mut self, path: PathId) {
        let account = self.account(path);
        (account.validated, account.failed) = (false, true);
    }

    /// True if the path has [failed](Self::fail) and not answered since, whatever notices have said
    /// meanwhile.
    pub fn has_failed(&self, path: PathId) -> bool {
        self.accounts.iter().any(|account| account.path == path && account.failed)
    }

    /// True if only notices with the tags of a key are admitted.
    pub fn has_key(&self) -> bool {
        self.key.is_some()
    }

    /// The host has left the path: its address may be somebody else's when it comes back.
    pub fn forget(&mut self, path: PathId) {
        let account = self.account(path);
        (account.received, account.sent, account.validated) = (0, 0, false);
    }

    /// True if the report bears the tag of the session's key, or there is none.
    pub fn admits(&self, report: &HandoffReport) -> bool {
        self.key.as_ref().is_none_or(|key| key.report_tag(report) == report.tag)
    }

    /// True if the far end of the path has answered.
    pub fn is_validated(&self, path: PathId) -> bool {
        self.accounts.iter().any(|account| account.path == path && account.validated)
    }

    /// Dummies that a survey may send if it wants this many. None if fewer than half are left: they
    /// would say too little of the path.
    pub fn ration(&mut self, now: Time, wanted: u32) -> u32 {
        let most = f64::from(wanted);
        let left =
            self.ration.map_or(most, |(left, at)| (left + most * now.since(at).secs()).min(most));
        self.ration = Some((left, now));
        if left < most / 2.0 { 0 } else { left as u32 }
    }

    /// A dummy of the ration was sent.
    pub fn on_dummy(&mut self) {
        if let Some((left, _)) = &mut self.ration {
            *left = (*left - 1.0).max(0.0);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::notifier::Notifier;
    use super::*;

    const B: PathId = PathId::new(1);

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn notice(sequence: u32, signal: PathSignal) -> Notice {
        Notice { sequence, signal, tag: 0 }
    }

    #[test]
    fn a_notice_counts_once_and_old_ones_never() {
        let mut guard = Guard::new(None);
        let imminent = notice(1, PathSignal::Imminent(B));
        assert_eq!(guard.admit(&imminent, B, 60), Ok(()));
        assert_eq!(guard.admit(&imminent, B, 60), Err(Refusal::Replayed));
        // Copies about different paths overtake each other; a move that is not the latest is not
        // believed.
        let farewell = notice(3, PathSignal::Gone(PathId::FIRST));
        assert_eq!(guard.admit(&farewell, B, 60), Ok(()));
        assert_eq!(guard.admit(&notice(2, PathSignal::Done(B)), B, 60), Ok(()));
        let back = notice(5, PathSignal::Done(PathId::FIRST));
        assert_eq!(guard.admit(&back, PathId::FIRST, 60), Ok(()));
        assert_eq!(guard.admit(&notice(4, PathSignal::Done(B)), B, 60), Err(Refusal::Replayed));
    }

    #[test]
    fn what_speaks_for_a_path_comes_over_it() {
        let mut guard = Guard::new(None);
        let imminent = notice(1, PathSignal::Imminent(B));
        assert_eq!(guard.admit(&imminent, PathId::FIRST, 60), Err(Refusal::Elsewhere));
        assert_eq!(guard.admit(&imminent, B, 60), Ok(()));
    }

    #[test]
    fn a_tag_is_that_of_the_key_over_all_that_a_notice_says() {
        let key = Key::new([7; 32]);
        let mut notifier = Notifier::new(Some(key.clone()));
        notifier.signal(ms(0), PathSignal::Imminent(B));
        let (over, signed) = notifier.poll(ms(0)).expect("a notice");
        let mut guard = Guard::new(Some(key));
        for forged in [
            Notice { sequence: 2, ..signed },
            Notice { signal: PathSignal::Done(B), ..signed },
            Notice { tag: signed.tag ^ 1, ..signed },
            Notice { tag: 0, ..signed },
        ] {
            assert_eq!(guard.admit(&forged, over, 60), Err(Refusal::Forged));
            assert!(!guard.may_send(B, 1), "a forged notice buys nothing");
        }
        let mut other = Guard::new(Some(Key::new([8; 32])));
        assert_eq!(other.admit(&signed, over, 60), Err(Refusal::Forged));
        assert_eq!(guard.admit(&signed, over, 60), Ok(()));
    }

    #[test]
    fn at_most_three_times_what_came_goes_to_a_path_that_has_not_answered() {
        let mut guard = Guard::new(None);
        assert!(guard.may_send(PathId::FIRST, u32::MAX) && !guard.may_send(B, 1));
        guard.received(B, 60);
        assert!(guard.may_send(B, 180) && !guard.may_send(B, 181));
        guard.sent(B, 100);
        assert!(guard.may_send(B, 80) && !guard.may_send(B, 81));
        guard.validate(B);
        assert!(guard.may_send(B, u32::MAX) && guard.is_validated(B));
    }

    #[test]
    fn a_path_that_was_left_has_to_answer_anew() {
        let mut guard = Guard::new(None);
        guard.received(B, 60);
        guard.validate(B);
        guard.forget(B);
        assert!(!guard.is_validated(B) && !guard.may_send(B, 1));
    }

    #[test]
    fn a_path_that_has_failed_stays_so_until_it_answers() {
        let mut guard = Guard::new(None);
        guard.received(B, 60);
        guard.fail(B);
        assert!(guard.has_failed(B) && !guard.is_validated(B) && guard.may_send(B, 180));
        guard.forget(B);
        assert!(guard.has_failed(B), "a farewell is no answer");
        guard.validate(B);
        assert!(!guard.has_failed(B) && guard.is_validated(B));
    }

    #[test]
    fn a_report_bears_the_tag_of_the_key() {
        let key = Key::new([7; 32]);
        let unsigned =
            HandoffReport { path: B, received: 9, bytes: 4500, ..HandoffReport::default() };
        let guard = Guard::new(Some(key.clone()));
        assert!(Guard::new(None).admits(&unsigned) && !guard.admits(&unsigned));
        let signed = HandoffReport { tag: key.report_tag(&unsigned), ..unsigned };
        assert!(guard.admits(&signed));
        assert!(!guard.admits(&HandoffReport { bytes: 9000, ..signed }));
    }

    #[test]
    fn dummies_are_rationed_to_one_survey_a_second() {
        let mut guard = Guard::new(None);
        assert_eq!(guard.ration(ms(0), 100), 100);
        (0..100).for_each(|_| guard.on_dummy());
        assert_eq!(guard.ration(ms(0), 100), 0);
        assert_eq!(guard.ration(ms(400), 100), 0, "too few");
        assert_eq!(guard.ration(ms(600), 100), 60);
        (0..60).for_each(|_| guard.on_dummy());
        assert_eq!(guard.ration(ms(600), 100), 0);
        assert_eq!(guard.ration(ms(5250), 100), 100, "never more than one survey's");
    }
}
