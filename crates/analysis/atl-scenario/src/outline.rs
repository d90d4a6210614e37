//! A scenario in outline: what lists show.

use atl_core::time::Span;

/// What a scenario is about, and how large it is.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Name, as of [`Scenario::name`](crate::scenario::Scenario::name).
    pub name: String,
    /// One line: what it asks.
    pub title: String,
    /// A paragraph: set-up, assumptions, what to expect.
    pub about: String,
    /// The document and section that it comes from, if any.
    pub source: Option<String>,
    /// Names of the swept variables, in the file's order.
    pub swept: Vec<String>,
    /// Number of points of the sweep.
    pub points: usize,
    /// Number of seeds.
    pub seeds: usize,
    /// Simulated time of all runs together.
    pub simulated: Span,
    /// Number of quotes.
    pub quotes: usize,
}

impl Outline {
    /// Number of runs.
    pub fn runs(&self) -> usize {
        self.points * self.seeds
    }
}
