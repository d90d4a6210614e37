//! What a battery came to, as data.

mod page;
mod words;

use serde::Serialize;

pub use page::{declared, page, protocol_name};
pub use words::{difference, interval, margin, name, value};

use crate::battery::Kind;
use crate::emulated::Timekeeping;
use crate::judge::Verdict;
use crate::margin::Margins;
use crate::measure::{Measure, Unit, What};
use crate::stats::{Interval, clopper_pearson};
use crate::tcp::TcpRow;
use crate::whole::Whole;

/// A battery's results.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Shorter and fewer runs.
    pub quick: bool,
    /// Seed of the emulated runs.
    pub seed: u64,
    /// Runs of the simulator with other seeds, for each case.
    pub simulator_runs: u64,
    /// Family-wise level of all intervals and tests together.
    pub level: f64,
    /// Intervals and tests.
    pub statements: usize,
    /// The level of each.
    pub alpha: f64,
    /// Where it ran.
    pub environment: Environment,
    /// The cases, in the battery's order.
    pub cases: Vec<CaseReport>,
    /// The yardstick's own check.
    pub whole: Vec<Whole>,
    /// Kernel TCP beside the simulator's.
    pub tcp: TcpReport,
}

/// Where a battery ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// Processors.
    pub processors: usize,
    /// The kernel's version.
    pub kernel: String,
    /// The emulator had `SCHED_FIFO`; null without cases of probes.
    pub fifo: Option<bool>,
}

impl Environment {
    /// This machine.
    pub(crate) fn here(fifo: Option<bool>) -> Environment {
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        // Without what a distribution adds.
        let kernel = kernel.trim().split('-').next().unwrap_or_default().to_owned();
        Environment { processors, kernel, fifo }
    }
}

/// A case.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// Its name.
    pub name: &'static str,
    /// What it is about.
    pub kind: Kind,
    /// What it is.
    pub title: &'static str,
    /// The link, in the keys of a scenario file.
    pub link: &'static str,
    /// When probes were sent.
    pub probes: String,
    /// Length of a probe.
    pub bytes: u32,
    /// Probes of the run.
    pub packets: usize,
    /// Runs until one kept time, or all that were allowed.
    pub attempts: u32,
    /// The verdict.
    pub verdict: Verdict,
    /// The margins.
    pub margins: Margins,
    /// What was compared.
    pub measures: Vec<Judged>,
    /// Packet by packet.
    pub fates: Fates,
    /// How well the run kept time.
    pub timekeeping: Timekeeping,
}

/// Packets whose fate (arrived, lost, dropped) is not that of the simulator with the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fates {
    /// Packets compared.
    pub compared: u64,
    /// Other fates with the times at which probes were to be sent.
    pub planned: u64,
    /// Other fates with the times at which they really entered.
    pub replayed: u64,
}

impl Fates {
    /// The exact 95 % interval of the probability of another fate.
    pub fn interval(&self) -> Interval {
        clopper_pearson(self.planned, self.compared.max(1), 0.05)
    }
}

/// A comparison and its verdict.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Judged {
    /// What was compared.
    pub what: What,
    /// What the emulator has, in base units; the statistic of a test.
    pub observed: f64,
    /// What the simulator has; the degrees of freedom of a test.
    pub expected: f64,
    /// The difference, in `unit`.
    pub difference: f64,
    /// Its simultaneous interval; null of a test.
    pub interval: Option<Interval>,
    /// The margin, in `unit`.
    pub margin: f64,
    /// What the difference is counted in.
    pub unit: Unit,
    /// The probability of a test; null of an interval.
    pub p: Option<f64>,
    /// The verdict.
    pub verdict: Verdict,
}

impl Judged {
    pub(crate) fn of(measure: &Measure, verdict: Verdict, alpha: f64) -> Judged {
        Judged {
            what: measure.what,
            observed: measure.observed,
            expected: measure.expected,
            difference: measure.difference,
            interval: measure.interval(alpha),
            margin: measure.margin,
            unit: measure.unit,
            p: measure.p_value(),
            verdict,
        }
    }
}

/// Kernel TCP beside the simulator's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TcpReport {
    /// The rows.
    pub rows: Vec<TcpRow>,
    /// Why some or all are missing; null if none is.
    pub skipped: Option<String>,
}

impl Report {
    /// Cases with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    /// `20 equivalent, 1 different, 2 undecided, 1 not judged`, without those that are none.
    pub fn tally(&self) -> String {
        let all = [Verdict::Equivalent, Verdict::Different, Verdict::Undecided, Verdict::NotJudged];
        let counts = all.iter().map(|verdict| (self.count(*verdict), verdict.name()));
        let shown = counts.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}"));
        shown.collect::<Vec<_>>().join(", ")
    }
}
