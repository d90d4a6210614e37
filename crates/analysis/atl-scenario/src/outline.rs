//! Outlines of the built-in scenarios, for lists.
//!
//! Reading every scenario takes longer than anybody waits for a list, so the outlines are kept in a
//! generated file. A test compares it with the scenarios.

use std::sync::OnceLock;

use atl_core::time::Span;
use serde::{Deserialize, Serialize};

/// The outlines as JSON, as `make generate` writes them.
static WRITTEN: &str = include_str!("../../../../scenarios/outlines.json");

/// Topic and size of a scenario.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
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
    /// Number of quotes that it is checked against.
    pub quotes: usize,
    /// Size of a run without options.
    pub full: Size,
    /// Size of a run with `--quick`.
    pub quick: Size,
}

/// Size of a scenario.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Size {
    /// Number of points of the sweep.
    pub points: usize,
    /// Number of seeds at each point.
    pub seeds: usize,
    /// Simulated time of all runs together, in nanoseconds.
    pub simulated_ns: u64,
}

impl Size {
    /// Number of runs: points times seeds.
    pub fn runs(&self) -> usize {
        self.points * self.seeds
    }

    /// Simulated time of all runs together.
    pub fn simulated(&self) -> Span {
        Span::from_nanos(self.simulated_ns)
    }
}

/// The outlines of all built-in scenarios, in the order of [`builtin`](crate::builtin).
pub fn outlines() -> &'static [Outline] {
    static READ: OnceLock<Vec<Outline>> = OnceLock::new();
    READ.get_or_init(|| {
        serde_json::from_str(WRITTEN).expect("`make generate` wrote what it can read again")
    })
}
