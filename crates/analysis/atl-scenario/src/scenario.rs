//! A scenario: a question as data, which expands into runs.

use std::collections::BTreeMap;

use atl_core::time::Span;
use atl_engine::Plan;

use crate::ablation::Ablation;
use crate::errors::Warnings;
pub use crate::measure::{During, Measure};
pub use crate::metric::{Metric, Trace};
use crate::quote::Quote;
pub use crate::value::Value;
use atl_engine::setup::Setup;

/// A scenario file, read, checked and expanded.
#[derive(Clone, Debug)]
pub struct Scenario {
    /// Path below `scenarios/` without the extension (`atl/fig06`), otherwise the file's stem.
    pub name: String,
    /// The question that it asks, in one line.
    pub title: String,
    /// A paragraph on set-up, assumptions and expectations.
    pub about: String,
    /// Document and section that it comes from, if any.
    pub source: Option<String>,
    /// SHA-256 over all that decides its results (text after overrides, traces), in hexadecimal.
    pub hash: String,
    /// Seeds of the runs at each point.
    pub seeds: Vec<u64>,
    /// Names of the swept variables, in the file's order.
    pub swept: Vec<String>,
    /// Ablation of its protocols; `None` for the scenario as written.
    pub without: Option<Ablation>,
    /// Display names of variables with their units (`SNR (dB)` for `snr_db`), where the file gives
    /// one.
    pub labels: BTreeMap<String, String>,
    /// Points of the sweep, in order.
    pub points: Vec<Point>,
    /// Figures of the report; empty for default ones.
    pub figures: Vec<Figure>,
    /// Claims that it is checked against.
    pub quotes: Vec<Quote>,
    /// Parts that are allowed but probably not meant.
    pub warnings: Warnings,
    /// Text of the file, for the report.
    pub text: String,
}

/// One point of the sweep.
#[derive(Clone, Debug)]
pub struct Point {
    /// Values of all variables, swept or not, by name.
    pub vars: BTreeMap<String, Value>,
    /// Network and flows to run.
    pub setup: Setup,
}

/// Definition of a figure of the report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Title above the figure.
    pub title: String,
    /// One or two sentences below the figure.
    pub caption: String,
    /// Type of figure, and what it draws.
    pub kind: FigureKind,
}

/// Type of a figure, with the quantities and selections it needs.
#[derive(Clone, Debug)]
pub enum FigureKind {
    /// A metric against a swept variable, one curve for each value of another (or for each flow
    /// group).
    Sweep {
        /// Swept variable along x.
        x: String,
        /// True for a logarithmic x axis.
        x_log: bool,
        /// Metric along y, over the whole run or a part.
        y: Measure,
        /// Variable whose values make the curves; `flow` for the flow groups.
        series: String,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
        /// Flow groups to include; empty for all.
        of: Vec<String>,
    },
    /// Several metrics against a swept variable, one curve for each of them.
    Metrics {
        /// Swept variable along x.
        x: String,
        /// True for a logarithmic x axis.
        x_log: bool,
        /// Metrics along y, which share one unit.
        ys: Vec<Measure>,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
    },
    /// A sample over time, one curve for each value of a variable (or for each flow).
    Time {
        /// Quantity along y, from samples.
        y: Trace,
        /// Variable whose values make the curves; `flow` for the flows.
        series: String,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
        /// Flow groups to include; empty for all.
        of: Vec<String>,
    },
    /// Distribution over flows of the bytes delivered so far, over time: one curve for each value
    /// of a variable, or a single one.
    Shares {
        /// Measure of the distribution.
        share: Share,
        /// Variable whose values make the curves.
        series: Option<String>,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
    },
    /// One metric against another, a mark for each point or flow group.
    Scatter {
        /// Metric along x, over the whole run or a part.
        x: Measure,
        /// Metric along y, over the whole run or a part.
        y: Measure,
        /// Variable whose values select the marks' colours; `flow` for the flow groups.
        series: String,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
    },
    /// Mean of a quantity in each network that the flows visit, as bars: one for each value of a
    /// variable (or for each flow group).
    Networks {
        /// Quantity to average, from samples.
        y: Trace,
        /// Variable whose values make the bars; `flow` for the flow groups.
        series: String,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
    },
    /// Share of the flows, over all seeds, whose metric is at most x: one curve for each value of a
    /// variable (or for each flow group).
    Distribution {
        /// Metric along x, over whole runs.
        x: Metric,
        /// True for a logarithmic x axis.
        x_log: bool,
        /// Variable whose values make the curves; `flow` for the flow groups.
        series: String,
        /// Values that variables must have at a point.
        at: BTreeMap<String, Value>,
    },
}

/// Measure of how delivered bytes are distributed over flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    /// Mean bytes per flow of some groups over those of others.
    Ratio {
        /// Groups of the numerator.
        of: Vec<String>,
        /// Groups of the denominator.
        over: Vec<String>,
    },
    /// Jain's fairness index of the bytes delivered so far.
    Jain {
        /// Groups whose flows count; empty for all.
        of: Vec<String>,
    },
}

impl FigureKind {
    /// Values that variables must have at the points it shows.
    pub fn at(&self) -> &BTreeMap<String, Value> {
        match self {
            FigureKind::Sweep { at, .. }
            | FigureKind::Metrics { at, .. }
            | FigureKind::Time { at, .. }
            | FigureKind::Shares { at, .. }
            | FigureKind::Scatter { at, .. }
            | FigureKind::Networks { at, .. }
            | FigureKind::Distribution { at, .. } => at,
        }
    }
}

impl Plan for Scenario {
    fn name(&self) -> &str {
        &self.name
    }

    fn points(&self) -> usize {
        self.points.len()
    }

    fn setup(&self, point: usize) -> &Setup {
        &self.points[point].setup
    }

    fn seeds(&self) -> &[u64] {
        &self.seeds
    }

    fn describe(&self, point: usize) -> String {
        let vars = &self.points[point].vars;
        let value = |name: &String| vars.get(name).map(|v| format!("{name} = {}", v.text));
        self.swept.iter().filter_map(value).collect::<Vec<_>>().join(", ")
    }
}

/// Sizes of the whole scenario, for progress bars.
impl Scenario {
    /// Number of runs: points times seeds.
    pub fn runs(&self) -> usize {
        Plan::runs(self)
    }

    /// Simulated time of all runs together.
    pub fn simulated(&self) -> Span {
        let nanos: u64 = self.points.iter().map(|p| p.setup.duration.nanos()).sum();
        Span::from_nanos(nanos) * self.seeds.len() as u64
    }
}
