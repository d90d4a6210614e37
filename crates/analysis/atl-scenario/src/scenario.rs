//! A scenario: a question put as data, that expands into runs.

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
    /// Name: its path below `scenarios/` without the ending (`atl/fig06`), or the file's stem.
    pub name: String,
    /// One line: what it asks.
    pub title: String,
    /// A paragraph: set-up, assumptions, what to expect.
    pub about: String,
    /// The document and section that it comes from, if any.
    pub source: Option<String>,
    /// SHA-256 of everything that decides its results (file text after overrides, traces), in hex.
    pub hash: String,
    /// Seeds, each run at each point.
    pub seeds: Vec<u64>,
    /// Names of the swept variables, in the file's order.
    pub swept: Vec<String>,
    /// What its protocols are run without; `None` of a scenario as it was written.
    pub without: Option<Ablation>,
    /// What people call variables, with their units: `snr_db` is `SNR (dB)`. Only those that the file names so.
    pub labels: BTreeMap<String, String>,
    /// The sweep's points, in order.
    pub points: Vec<Point>,
    /// The figures that its report shows.
    pub figures: Vec<Figure>,
    /// The claims that it is held to.
    pub quotes: Vec<Quote>,
    /// What has no effect in it, or is probably not meant.
    pub warnings: Warnings,
    /// The file's text, for the report.
    pub text: String,
}

/// One point of the sweep.
#[derive(Clone, Debug)]
pub struct Point {
    /// Values of the variables, swept or not.
    pub vars: BTreeMap<String, Value>,
    /// What to run.
    pub setup: Setup,
}

/// A figure of the report.
#[derive(Clone, Debug)]
pub struct Figure {
    /// Title.
    pub title: String,
    /// One or two sentences under it.
    pub caption: String,
    /// What it draws.
    pub kind: FigureKind,
}

/// What a figure draws.
#[derive(Clone, Debug)]
pub enum FigureKind {
    /// A metric against a swept variable, one curve for each value of another (or for each flow group).
    Sweep {
        /// The variable along x.
        x: String,
        /// Logarithmic x axis.
        x_log: bool,
        /// The metric along y.
        y: Measure,
        /// Variable whose values are the curves; `flow` for the flow groups.
        series: String,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
    /// Several metrics against a swept variable, one curve for each of them.
    Metrics {
        /// The variable along x.
        x: String,
        /// Logarithmic x axis.
        x_log: bool,
        /// The metrics along y, which have one unit.
        ys: Vec<Measure>,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
    /// A sample over time, one curve for each value of a variable (or for each flow).
    Time {
        /// What is drawn.
        y: Trace,
        /// Variable whose values are the curves; `flow` for the flows.
        series: String,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
        /// Only the flows of these groups; all if there are none.
        of: Vec<String>,
    },
    /// How the bytes delivered since the start are shared out, over time: one curve for each value of a
    /// variable, or a single one.
    Shares {
        /// What is drawn.
        share: Share,
        /// Variable whose values are the curves.
        series: Option<String>,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
    /// One metric against another, a mark for each point or flow group.
    Scatter {
        /// The metric along x.
        x: Measure,
        /// The metric along y.
        y: Measure,
        /// Variable whose values are the marks' colours; `flow` for the flow groups.
        series: String,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
    /// The mean of a sample in each network that the flows are in, as bars: one for each value of a variable (or for
    /// each flow group).
    Networks {
        /// What is drawn.
        y: Trace,
        /// Variable whose values are the bars; `flow` for the flow groups.
        series: String,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
    /// The share of the flows, of all seeds, whose metric is at most x: one curve for each value of a variable (or for
    /// each flow group).
    Distribution {
        /// The metric along x.
        x: Metric,
        /// Logarithmic x axis.
        x_log: bool,
        /// Variable whose values are the curves; `flow` for the flow groups.
        series: String,
        /// Only the points where these variables have these values.
        at: BTreeMap<String, Value>,
    },
}

/// How delivered bytes are shared out among flows.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Share {
    /// The bytes of a flow of some groups over those of a flow of others, each the mean over its flows.
    Ratio {
        /// Groups of the numerator.
        of: Vec<String>,
        /// Groups of the denominator.
        over: Vec<String>,
    },
    /// Jain's index.
    Jain {
        /// Groups whose flows count; empty: all.
        of: Vec<String>,
    },
}

impl FigureKind {
    /// The points that it shows: those where these variables have these values.
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

impl Scenario {
    /// Number of runs.
    pub fn runs(&self) -> usize {
        Plan::runs(self)
    }

    /// Simulated time of all runs together.
    pub fn simulated(&self) -> Span {
        let nanos: u64 = self.points.iter().map(|p| p.setup.duration.nanos()).sum();
        Span::from_nanos(nanos) * self.seeds.len() as u64
    }
}
