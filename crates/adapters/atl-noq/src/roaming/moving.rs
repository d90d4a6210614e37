//! The move itself, and what becomes of the path before.

use std::time::Instant;

use atl_core::probe::Found;
use atl_core::roaming::{Knowledge, Meanwhile, NewPath};
use atl_core::window::resume::PathToken;
use noq_proto::{PathId, PathStatus};

use super::config::Role;
use super::leg::Stage;
use super::machine::{Happened, RETRY, Roaming};
use super::paths::Paths;

/// Knowledge of a path that is about to carry data.
#[derive(Clone, Copy, Debug)]
enum Known {
    /// Nothing: its controller is as new as the path.
    Nothing,
    /// A whole survey, or one that was cut short.
    Probes { found: Found, whole: bool },
    /// It was left a moment ago, or is used beside the current one: its controller goes on where it
    /// was.
    Running { found: Option<Found> },
}

impl Roaming {
    /// A path is known, and the host has not moved yet.
    pub(super) fn use_early(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        match self.config.new_path.meanwhile() {
            Meanwhile::Old => {}
            Meanwhile::New => {
                self.target.get_or_insert(at);
            }
            // Without a current path there is nothing to use it beside.
            Meanwhile::Both if self.target.is_none() && self.can_stay() => {
                self.use_beside(now, at, paths);
            }
            Meanwhile::Both => {}
        }
    }

    /// Data takes this path, too.
    fn use_beside(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        let leg = &mut self.legs[at];
        let (Some(id), Stage::Ready(found)) = (leg.id, &leg.stage) else { return };
        let found = *found;
        leg.stage = Stage::Beside(found);
        let known = found.map_or(Known::Nothing, |found| Known::Probes { found, whole: true });
        self.begin(now, at, known);
        paths.set_status(id, PathStatus::Available);
        self.happened.push(Happened::Beside { path: id });
    }

    /// Data takes this path from now on.
    pub(super) fn move_to(&mut self, now: Instant, to: usize, paths: &mut impl Paths) {
        let Some(id) = self.legs[to].id else { return };
        self.target = None;
        let at = self.epoch.time(now);
        let known = match std::mem::replace(&mut self.legs[to].stage, Stage::Current) {
            Stage::Ready(Some(found)) => Known::Probes { found, whole: true },
            Stage::Probing(survey) => Known::Probes { found: survey.found(at), whole: false },
            Stage::Left { .. } => Known::Running { found: None },
            Stage::Beside(found) => Known::Running { found },
            _ => Known::Nothing,
        };
        self.begin(now, to, known);
        paths.set_status(id, PathStatus::Available);
        let from = (0..self.legs.len())
            .find(|&leg| leg != to && matches!(self.legs[leg].stage, Stage::Current));
        let from = from.and_then(|from| self.leave(now, from, paths));
        let found = match known {
            Known::Probes { found, .. } => Some(found),
            Known::Running { found } => found,
            Known::Nothing => None,
        };
        self.happened.push(Happened::Moved { from, to: id, found });
    }

    /// The controller of a path that is about to be used begins with what is known of it.
    fn begin(&mut self, now: Instant, to: usize, known: Known) {
        let Some(handle) = &self.legs[to].handle else { return };
        match known {
            Known::Probes { found, whole } => {
                handle.begin(Knowledge::from_survey(found, whole).start(handle.start()));
            }
            Known::Nothing => {
                if let NewPath::Resume(_) = self.config.new_path
                    && let Some(saved) = self.store.take(handle.time(now), PathToken(to as u64))
                {
                    handle.resume(saved);
                }
            }
            Known::Running { .. } => {}
        }
    }

    /// The path is no longer used. Returns it, if it is still open.
    fn leave(&mut self, now: Instant, from: usize, paths: &mut impl Paths) -> Option<PathId> {
        let leg = &mut self.legs[from];
        if let Some(handle) = &leg.handle
            && let Some(saved) = handle.observed().saved
        {
            self.store.save(PathToken(from as u64), saved);
        }
        let Some(id) = leg.id else {
            leg.stage = Stage::Closed { open_at: None };
            return None;
        };
        paths.set_status(id, PathStatus::Backup);
        let drain = paths.rtt(id).unwrap_or_default() * self.config.drain_rtts;
        let closes = self.config.role == Role::Mobile;
        leg.stage = Stage::Left { close: closes.then(|| now + drain) };
        Some(id)
    }

    /// Paths of networks that the host has left are closed as soon as there is another.
    pub(super) fn close_what_is_gone(&mut self, now: Instant, paths: &mut impl Paths) {
        for at in 0..self.legs.len() {
            let leg = &self.legs[at];
            let used = matches!(leg.stage, Stage::Current);
            if leg.gone && leg.is_open() && !used && self.can_stay() {
                self.close(now, at, paths);
            }
        }
    }

    /// Closes a path that is not the last one, at the end that opens paths.
    pub(super) fn close(&mut self, now: Instant, at: usize, paths: &mut impl Paths) {
        if !self.can_stay() {
            if let Stage::Left { close } = &mut self.legs[at].stage {
                *close = Some(now + RETRY);
            }
            return;
        }
        if self.config.role == Role::Fixed {
            return;
        }
        let leg = &mut self.legs[at];
        leg.stage = Stage::Closed { open_at: None };
        leg.handle = None;
        if let Some(path) = leg.id.take() {
            paths.close(now, path);
            self.happened.push(Happened::Closed { path });
        }
    }
}
