//! Prediction of the next cell.
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

/// A host's knowledge at the time of a prediction.
#[derive(Clone, Copy, Debug)]
pub struct View<'a> {
    /// The map: every cell, by index.
    pub cells: &'a [Cell],
    /// The place at which the host changes cells.
    pub trigger: Trigger,
    /// Its motion from now on, as if it never turned.
    pub motion: &'a Leg,
    /// Index of the cell that the host uses now.
    pub current: usize,
    /// The other cells that cover it and may be next; at least one.
    pub candidates: &'a [usize],
    /// The cells that it has been in, in order; the last is the current one.
    pub visited: &'a [usize],
}

/// A rule that names the next cell.
pub trait Predictor {
    /// One of the candidates; `None` if none of them is expected to be the next.
    fn next(&self, view: &View<'_>) -> Option<usize>;
}
