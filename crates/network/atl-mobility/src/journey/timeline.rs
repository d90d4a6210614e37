//! The events that a track alone decides: it enters and leaves cells, and turns.

use atl_core::time::Time;

use crate::coverage::Cell;
use crate::geometry::Track;

/// An event on a host's track. Events of the same instant happen in this order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum What {
    /// It enters a cell.
    Enter(usize),
    /// It starts, stops or turns.
    Turn,
    /// It leaves a cell. Last, so that two cells that only touch have no hole between them.
    Leave(usize),
}

/// An event and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Event {
    pub(super) at: Time,
    pub(super) what: What,
}

/// All events after the start and before `until`, in order.
pub(super) fn of(cells: &[Cell], track: &Track, until: Time) -> Vec<Event> {
    let turns = track.legs().iter().map(|leg| Event { at: leg.start, what: What::Turn });
    let mut events: Vec<Event> = turns.collect();
    for (cell, circle) in cells.iter().enumerate() {
        for (from, to) in circle.visits(track) {
            events.push(Event { at: from, what: What::Enter(cell) });
            events.push(Event { at: to, what: What::Leave(cell) });
        }
    }
    events.retain(|event| event.at > Time::ZERO && event.at < until);
    events.sort_unstable();
    events
}
