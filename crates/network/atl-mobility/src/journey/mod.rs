//! The signals of a host's lower layers along its track, worked out before the run.
//!
//! - Within one cell, a host that enters another one expects a handoff: once the address there can
//!   be used, that path is [`Imminent`], if the predictor says that it is the
//!   next. The host predicts again when it turns, when it leaves a cell and when it has changed
//!   cells; a cell that it has just come from counts again only once it has turned or come back to
//!   it.
//! - Where the trigger says so the host changes cells: [`Done`]. A path that was
//!   not announced is so at that moment. If its address is not ready, the handoff waits for it.
//! - The old path stays until the host leaves its cell: [`Gone`]. So does one
//!   that was announced and never taken.
//! - If it leaves its cell and others cover it, it changes to the best of those whose addresses are
//!   ready. If none is, it has no path: `Gone` without `Done`. It then takes the best cell that
//!   covers it, or the first that it reaches, as soon as the address there is ready: `Done` without
//!   `Imminent`.
//! - At the start it is in the best cell that covers it. If there is none, path 0, that of the
//!   first cell that it reaches, is `Gone` at once.
//! - A host with one radio ([`Rules::gap`]) announces nothing: it leaves its cell before it has the
//!   next one.
//! - A path is a cell: a host that comes back to a cell comes back to its path.
//!
//! [`Imminent`]: atl_core::path::PathSignal::Imminent
//! [`Done`]: atl_core::path::PathSignal::Done
//! [`Gone`]: atl_core::path::PathSignal::Gone

mod hard;
mod plan;
mod timeline;
mod walk;

use atl_core::time::Time;

use crate::coverage::Cell;
use crate::geometry::Track;
use crate::prediction::Predictor;

pub use plan::{Journey, JourneyError, Rules, Step};

/// Works out what a host on a track through cells signals before a time.
///
/// # Errors
/// It is never in a cell by then, or in too many.
pub fn compile(
    cells: &[Cell],
    track: &Track,
    rules: &Rules,
    predictor: &dyn Predictor,
    until: Time,
) -> Result<Journey, JourneyError> {
    let walk = |until| {
        let mut walk = walk::Walk::new(cells, track, rules, predictor);
        walk.begin();
        for event in timeline::of(cells, track, until) {
            walk.advance(event.at, event.what);
            walk.take(event);
        }
        walk.finish(until)
    };
    let journey: Journey = walk(until)?;
    let Some(gap) = rules.gap else { return Ok(journey) };
    // The host begins a change of cells before `until` that ends up to a gap after it.
    let beyond = walk(until.saturating_add(gap)).map_or_else(|_| journey.steps, |all| all.steps);
    let mut steps = hard::harden(beyond, gap);
    steps.retain(|step| step.at < until);
    Ok(Journey { steps, cells: journey.cells })
}
