//! A journey: the rules that it follows, and the signals that come of it.

use core::fmt;

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};

use crate::trigger::Trigger;

/// The rules by which a host changes cells.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rules {
    /// The place at which it changes.
    pub trigger: Trigger,
    /// Time from asking for a care-of address to using it.
    pub binding: Span,
    /// The host can be in one network at a time, and is in none for this long at each handoff;
    /// `None`: it can be in two.
    pub gap: Option<Span>,
}

impl Default for Rules {
    /// A change in the middle of the overlap, with addresses that are ready at once and two radios.
    fn default() -> Self {
        Rules { trigger: Trigger::Middle, binding: Span::ZERO, gap: None }
    }
}

/// A signal and its time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Step {
    /// Time since the start of the run.
    pub at: Time,
    /// The signal, with the path that it is about.
    pub signal: PathSignal,
}

/// A host's way through the cells.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Journey {
    /// The cell of each path, by index, in the order in which they were first used: path 0 is the
    /// first.
    pub cells: Vec<usize>,
    /// All signals, in order of time.
    pub steps: Vec<Step>,
}

/// The reason why a track and a map give no journey.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum JourneyError {
    /// The host is never in a cell.
    NeverCovered,
    /// It uses more cells than a flow can have paths.
    TooManyCells,
}

impl fmt::Display for JourneyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            JourneyError::NeverCovered => write!(f, "it never enters a cell"),
            JourneyError::TooManyCells => {
                write!(f, "it uses more than {} cells", PathId::MAX_PATHS)
            }
        }
    }
}

impl core::error::Error for JourneyError {}
