//! Reading when a flow's application stops.

use atl_core::time::{Span, Time};
use atl_engine::setup::{FlowSetup, Source};

use super::clock::Clock;
use crate::table::Table;

/// When the application writes nothing any more, if it stops before the run ends; `None` after an
/// error of the file.
pub(super) fn read(table: &Table<'_>) -> Option<Option<Time>> {
    let Some(field) = table.get("stop") else { return Some(None) };
    Some(Some(Time::ZERO + field.time()?))
}

/// Checks that each copy of a flow, with its own start and source, starts before it stops.
pub(super) fn check(table: &Table<'_>, flow: &FlowSetup, copies: &[(Time, Source)], clock: &Clock) {
    let Some((field, stop)) = table.get("stop").zip(flow.stop) else { return };
    let latest = |start: Time| start.saturating_add(flow.start_jitter);
    let late = copies.iter().filter(|(start, _)| latest(*start) >= stop).count();
    if late > 0 {
        let first = copies.iter().map(|(start, _)| *start).min().unwrap_or(flow.start);
        field.bad::<()>(match (copies.len(), flow.start_jitter) {
            (1, Span::ZERO) => format!("it must be later than its start at {} s", first.secs()),
            (1, _) => format!("it may start as late as {} s", latest(first).secs()),
            (all, _) => format!("{late} of its {all} flows may start later than that"),
        });
    }
    let at_once = |(_, source): &(Time, Source)| matches!(source, Source::Fixed { .. });
    match copies.iter().all(at_once) {
        true => field.effect(false, "all of its bytes are written at its start"),
        false => field.effect(stop < clock.last, "the run has ended by then"),
    }
}
