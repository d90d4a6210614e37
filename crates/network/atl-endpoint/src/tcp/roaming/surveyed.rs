//! What a survey has found, kept until the host moves ([`Meanwhile::Old`](atl_core::roaming::Meanwhile)).
//!
//! What was found ages: others come and go in the new cell. Nobody knows when the host will move, so the path is surveyed
//! again after two seconds, and then whenever the wait since the first survey has doubled. So what is known is never older
//! than the longer of two seconds and half of the wait, and the dummies grow with the logarithm of the wait only. The guard
//! rations them as any others.

use atl_core::path::PathId;
use atl_core::roaming::{Knowledge, NewPath};
use atl_core::time::{Span, Time};

use super::{Roaming, Sender};

/// Least time until a path is surveyed again.
const LEAST_AGE: Span = Span::from_secs(2);

/// A path whose survey is over.
#[derive(Clone, Copy, Debug)]
pub(super) struct Surveyed {
    pub(super) path: PathId,
    known: Knowledge,
    /// When the first survey ended.
    first: Time,
    /// When the path is surveyed again.
    pub(super) again: Time,
}

impl Surveyed {
    fn wait(&mut self, now: Time) {
        self.again = now.saturating_add(now.since(self.first).max(LEAST_AGE));
    }
}

impl Sender {
    /// Keeps what a survey has found.
    pub(super) fn keep_survey(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        path: PathId,
        known: Knowledge,
    ) {
        roaming.note_rtt(path, known.rtt, now);
        let before = roaming.surveyed.iter().position(|surveyed| surveyed.path == path);
        let mut surveyed = match before {
            Some(at) => Surveyed { known, ..roaming.surveyed.swap_remove(at) },
            None => Surveyed { path, known, first: now, again: now },
        };
        surveyed.wait(now);
        roaming.surveyed.push(surveyed);
    }

    /// The host has moved to this path: goes there with what the last whole survey found. False if there was none.
    pub(super) fn move_to_surveyed(
        &mut self,
        roaming: &mut Roaming,
        now: Time,
        path: PathId,
    ) -> bool {
        let Some(at) = roaming.surveyed.iter().position(|surveyed| surveyed.path == path) else {
            return false;
        };
        let Surveyed { known, .. } = roaming.surveyed.swap_remove(at);
        self.abandon_survey(roaming, now);
        self.move_to(roaming, now, path, known);
        true
    }

    /// Surveys paths again whose survey has aged.
    pub(super) fn survey_again(&mut self, roaming: &mut Roaming, now: Time) {
        let due = roaming.surveyed.iter_mut().find(|surveyed| surveyed.again <= now);
        let (Some(surveyed), NewPath::Probe(probe)) = (due, roaming.how) else { return };
        surveyed.wait(now);
        let path = surveyed.path;
        if roaming.underway.is_none() && path != self.path {
            self.survey(roaming, now, path, probe);
        }
    }
}
