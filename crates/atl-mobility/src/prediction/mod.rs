//! Which cell a host expects to be the next.
//!
//! A prediction decides only which path is announced and prepared. Where the host goes, its track
//! and the [trigger](crate::trigger) decide; a wrong prediction costs the preparation of a path
//! that is never taken, and the one that is taken comes unprepared.

mod heading;
mod history;
mod nearest;

pub use heading::Heading;
pub use history::History;
pub use nearest::Nearest;

use crate::coverage::Cell;
use crate::geometry::Leg;
use crate::trigger::Trigger;

/// What a host knows when it predicts.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// All cells.
    pub cells: &'a [Cell],
    /// Where it changes cells.
    pub trigger: Trigger,
    /// Its motion from now on, as if it never turned.
    pub motion: &'a Leg,
    /// The cell that it is in.
    pub current: usize,
    /// The other cells that cover it and may be next; at least one.
    pub candidates: &'a [usize],
    /// The cells that it has been in, in order; the last is the current one.
    pub visited: &'a [usize],
}

/// Predicts the next cell.
pub trait Predictor {
    /// One of the candidates; `None` if none of them is expected to be the next.
    fn next(&self, view: &View<'_>) -> Option<usize>;
}
