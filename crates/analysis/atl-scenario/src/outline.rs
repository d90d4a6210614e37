//! Outline of a scenario for lists.

use atl_core::time::Span;

/// Topic and size of a scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Outline {
    /// Name, as in [`Scenario::name`](crate::scenario::Scenario::name).
    pub name: String,
    /// The question that it asks, in one line.
    pub title: String,
    /// A paragraph on set-up, assumptions and expectations.
    pub about: String,
    /// Document and section that it comes from, if any.
    pub source: Option<String>,
    /// Names of the swept variables, in the file's order.
    pub swept: Vec<String>,
    /// Number of points of the sweep.
    pub points: usize,
    /// Number of seeds at each point.
    pub seeds: usize,
    /// Simulated time of all runs together.
    pub simulated: Span,
    /// Number of quotes that it is checked against.
    pub quotes: usize,
}

impl Outline {
    /// Number of runs: points times seeds.
    pub fn runs(&self) -> usize {
        self.points * self.seeds
    }
}
