//! A host's walk from event to event.

use std::collections::BTreeSet;

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};

use super::timeline::{Event, What};
use super::{Journey, JourneyError, Rules, Step};
use crate::binding::Bindings;
use crate::coverage::Cell;
use crate::geometry::Track;
use crate::prediction::{Predictor, View};

/// The cell that the predictor expects to be the next.
#[derive(Clone, Copy, Debug)]
struct Expected {
    cell: usize,
    /// The time from which its address can be used.
    ready: Time,
    /// `Imminent` has been signalled.
    announced: bool,
}

/// A host's state between two events of its track.
pub(super) struct Walk<'a> {
    cells: &'a [Cell],
    track: &'a Track,
    rules: &'a Rules,
    predictor: &'a dyn Predictor,
    now: Time,
    current: Option<usize>,
    covered: BTreeSet<usize>,
    /// Covered cells that it has been in since it last entered them or turned: they are no
    /// candidates.
    left_behind: BTreeSet<usize>,
    expected: Option<Expected>,
    /// The cell that it changes to, and the time from which the address there can be used.
    changing: Option<(usize, Time)>,
    /// The time of its last change of cells: at one instant it changes only once.
    changed: Option<Time>,
    bindings: Bindings,
    /// Cells whose paths have been signalled and are not gone.
    there: BTreeSet<usize>,
    visited: Vec<usize>,
    used: Vec<usize>,
    steps: Vec<(Time, Signal)>,
}

/// A signal about a cell's path.
#[derive(Clone, Copy, Debug)]
enum Signal {
    Imminent(usize),
    Done(usize),
    Gone(usize),
}

impl<'a> Walk<'a> {
    pub(super) fn new(
        cells: &'a [Cell],
        track: &'a Track,
        rules: &'a Rules,
        predictor: &'a dyn Predictor,
    ) -> Self {
        Walk {
            cells,
            track,
            rules,
            predictor,
            now: Time::ZERO,
            current: None,
            covered: BTreeSet::new(),
            left_behind: BTreeSet::new(),
            expected: None,
            changing: None,
            changed: None,
            bindings: Bindings::new(rules.binding, cells.len()),
            there: BTreeSet::new(),
            visited: Vec::new(),
            used: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Puts the host where its track begins.
    pub(super) fn begin(&mut self) {
        let starts =
            |cell: &Cell| cell.visits(self.track).first().is_some_and(|v| v.0 == Time::ZERO);
        self.covered = (0..self.cells.len()).filter(|&cell| starts(&self.cells[cell])).collect();
        let Some(first) = self.best() else { return };
        self.bindings.hold(first);
        self.current = Some(first);
        self.there.insert(first);
        self.visited.push(first);
        self.used.push(first);
        self.predict();
    }

    /// Lets addresses become ready and triggers fire up to an event.
    pub(super) fn advance(&mut self, to: Time, before: What) {
        // Of the same instant, addresses and triggers come before the event only if the host leaves
        // a cell then.
        let within = |at: Time| at < to || at == to && matches!(before, What::Leave(_));
        loop {
            let announces = self.expected.filter(|e| !e.announced).map(|e| e.ready);
            let changes = self.changing.map(|(_, ready)| ready);
            let fires = self.trigger(to);
            let next = [announces, changes, fires.map(|(at, _)| at)].into_iter().flatten().min();
            let Some(at) = next.filter(|&at| within(at)) else { break };
            self.now = at;
            if announces == Some(at) {
                self.announce();
            } else if let Some((cell, _)) = self.changing.filter(|_| changes == Some(at)) {
                self.change(cell);
            } else if let Some((_, cell)) = fires {
                self.aim(cell);
            }
        }
        self.now = to;
    }

    /// Takes an event of the track.
    pub(super) fn take(&mut self, event: Event) {
        match event.what {
            What::Enter(cell) => self.enter(cell),
            What::Turn => {
                self.left_behind.clear();
                self.predict();
            }
            What::Leave(cell) => self.leave(cell),
        }
    }

    /// Goes on until `until`, and returns all signals.
    pub(super) fn finish(mut self, until: Time) -> Result<Journey, JourneyError> {
        self.advance(until, What::Turn);
        if self.used.is_empty() {
            return Err(JourneyError::NeverCovered);
        }
        if self.used.len() > PathId::MAX_PATHS {
            return Err(JourneyError::TooManyCells);
        }
        let used = self.used;
        let path = |cell: usize| {
            let index = used.iter().position(|&c| c == cell).unwrap_or_default();
            PathId::new(u8::try_from(index).unwrap_or_default())
        };
        let signals = self.steps.iter().map(|&(at, signal)| {
            let signal = match signal {
                Signal::Imminent(cell) => PathSignal::Imminent(path(cell)),
                Signal::Done(cell) => PathSignal::Done(path(cell)),
                Signal::Gone(cell) => PathSignal::Gone(path(cell)),
            };
            Step { at, signal }
        });
        Ok(Journey { steps: signals.collect(), cells: used })
    }

    /// The first instant before or at the next event at which a trigger fires, and the best cell
    /// then.
    fn trigger(&self, to: Time) -> Option<(Time, usize)> {
        let current = self.current.filter(|_| self.changing.is_none())?;
        let after = match self.changed {
            Some(at) if at == self.now => self.now.saturating_add(Span::from_nanos(1)),
            _ => self.now,
        };
        let leg = self.track.leg(self.now);
        let fires = |cell: usize| {
            let (own, next) = (&self.cells[current], &self.cells[cell]);
            let better = leg.positive(self.rules.trigger.advantage(leg, own, next)?);
            better.filter(|(_, end)| *end > after).map(|(from, _)| from.max(after)).next()
        };
        let others = || self.covered.iter().copied().filter(|&cell| cell != current);
        let at = others().filter_map(fires).min().filter(|&at| at <= to)?;
        let together = others().filter(|&cell| fires(cell) == Some(at));
        let best = self.rules.trigger.best(self.cells, together, leg.position(at))?;
        Some((at, best))
    }

    fn enter(&mut self, cell: usize) {
        self.covered.insert(cell);
        self.left_behind.remove(&cell);
        match self.current {
            None if self.changing.is_none() => self.aim(cell),
            // The address of a second cell is asked for at the same time: the first cell may be
            // left before its own is ready.
            None => {
                self.bindings.ask(cell, self.now);
            }
            Some(_) if self.rules.trigger == crate::trigger::Trigger::Entry => {
                if self.changing.is_none() {
                    self.aim(cell);
                }
            }
            Some(_) => self.predict(),
        }
    }

    fn leave(&mut self, cell: usize) {
        self.covered.remove(&cell);
        self.left_behind.remove(&cell);
        self.expected.take_if(|e| e.cell == cell);
        self.changing.take_if(|(to, _)| *to == cell);
        let lost = self.current == Some(cell);
        if lost {
            // With an address that is ready the path changes without a gap.
            if self.changing.is_none()
                && let Some(next) = self.best()
            {
                self.aim(next);
            }
            if self.current == Some(cell) {
                self.current = None;
                // The host's next cell comes without an announcement.
                self.expected = None;
            }
        }
        if self.there.remove(&cell) {
            self.steps.push((self.now, Signal::Gone(cell)));
        }
        self.bindings.release(cell);
        if self.current.is_some() {
            self.predict();
        } else if self.changing.is_none()
            && let Some(next) = self.best()
        {
            self.aim(next);
        }
    }

    /// The best of the cells that cover the host; among them, cells whose addresses are ready come
    /// before those whose are not.
    fn best(&self) -> Option<usize> {
        let place = self.track.position(self.now);
        let best = |cells: &mut dyn Iterator<Item = usize>| {
            self.rules.trigger.best(self.cells, cells, place)
        };
        let ready = |cell: &usize| self.bindings.ready(*cell, self.now) <= self.now;
        best(&mut self.covered.iter().copied().filter(ready))
            .or_else(|| best(&mut self.covered.iter().copied()))
    }

    /// Asks the predictor for another cell to expect.
    fn predict(&mut self) {
        let Some(current) = self.current.filter(|_| self.changing.is_none()) else { return };
        let may = |cell: &usize| *cell != current && !self.left_behind.contains(cell);
        let candidates: Vec<usize> = self.covered.iter().copied().filter(may).collect();
        if candidates.is_empty() {
            return;
        }
        let motion = self.track.leg(self.now).onwards(self.now);
        let view = View {
            cells: self.cells,
            trigger: self.rules.trigger,
            motion: &motion,
            current,
            candidates: &candidates,
            visited: &self.visited,
        };
        let Some(cell) = self.predictor.next(&view) else { return };
        if self.expected.is_some_and(|e| e.cell == cell) {
            return;
        }
        let ready = self.bindings.ask(cell, self.now).max(self.now);
        self.expected = Some(Expected { cell, ready, announced: false });
        if ready == self.now {
            self.announce();
        }
    }

    fn announce(&mut self) {
        if let Some(expected) = &mut self.expected {
            expected.announced = true;
            let cell = expected.cell;
            self.signal_imminent(cell);
        }
    }

    fn signal_imminent(&mut self, cell: usize) {
        self.uses(cell);
        self.there.insert(cell);
        self.steps.push((self.now, Signal::Imminent(cell)));
    }

    fn uses(&mut self, cell: usize) {
        if !self.used.contains(&cell) {
            self.used.push(cell);
        }
    }

    /// Changes to a cell once the address there can be used.
    fn aim(&mut self, cell: usize) {
        let ready = self.bindings.ask(cell, self.now);
        if ready <= self.now {
            self.change(cell);
        } else {
            self.changing = Some((cell, ready));
        }
    }

    fn change(&mut self, cell: usize) {
        let known = self.expected.is_some_and(|e| e.cell == cell && e.announced);
        if self.current.is_some() && !known {
            self.signal_imminent(cell);
        }
        if self.used.is_empty() && self.steps.is_empty() {
            // The host started outside of all cells.
            self.steps.push((Time::ZERO, Signal::Gone(cell)));
        }
        self.uses(cell);
        self.there.insert(cell);
        self.steps.push((self.now, Signal::Done(cell)));
        self.left_behind.extend(self.current);
        self.current = Some(cell);
        self.visited.push(cell);
        self.expected = None;
        self.changing = None;
        self.changed = Some(self.now);
        self.predict();
    }
}
