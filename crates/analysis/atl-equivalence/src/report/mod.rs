//! The results of a battery, as data.

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

/// A battery's results, as `--json` writes them.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Report {
    /// Runs were shorter and fewer.
    pub quick: bool,
    /// Seed of the emulated runs.
    pub seed: u64,
    /// Runs of the simulator with other seeds, for each case.
    pub simulator_runs: u64,
    /// Family-wise level of all intervals and tests together.
    pub level: f64,
    /// The number of intervals and tests.
    pub statements: usize,
    /// The level of each of them: [`level`](Self::level) over their number.
    pub alpha: f64,
    /// The machine on which it ran.
    pub environment: Environment,
    /// The cases, in the battery's order.
    pub cases: Vec<CaseReport>,
    /// The check of the yardstick against the whole simulator.
    pub whole: Vec<Whole>,
    /// Kernel TCP compared with the simulator's.
    pub tcp: TcpReport,
}

/// The machine on which a battery ran.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Environment {
    /// Processors that the program may use.
    pub processors: usize,
    /// The kernel's version, without a distribution's suffix.
    pub kernel: String,
    /// The emulator had `SCHED_FIFO`; null without cases of probes.
    pub fifo: Option<bool>,
}

impl Environment {
    /// The environment on this machine.
    pub(crate) fn here(fifo: Option<bool>) -> Environment {
        let kernel = std::fs::read_to_string("/proc/sys/kernel/osrelease").unwrap_or_default();
        let processors = std::thread::available_parallelism().map_or(1, usize::from);
        // A distribution's suffix begins at the first hyphen.
        let kernel = kernel.trim().split('-').next().unwrap_or_default().to_owned();
        Environment { processors, kernel, fifo }
    }
}

/// The results of a case of probes.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CaseReport {
    /// Its name, as `--only` takes it.
    pub name: &'static str,
    /// The property of a link that it tests.
    pub kind: Kind,
    /// A description in a few words.
    pub title: &'static str,
    /// The link, in the keys of a scenario file.
    pub link: &'static str,
    /// The times at which probes were sent, in words.
    pub probes: String,
    /// Length of a probe, headers included, in bytes.
    pub bytes: u32,
    /// Probes sent in the run.
    pub packets: usize,
    /// Runs until one kept time, or all that were allowed.
    pub attempts: u32,
    /// The worst verdict of its measures.
    pub verdict: Verdict,
    /// The greatest differences that count as equivalent.
    pub margins: Margins,
    /// The comparisons, each with its verdict.
    pub measures: Vec<Judged>,
    /// The comparison packet by packet.
    pub fates: Fates,
    /// The timeliness of the run.
    pub timekeeping: Timekeeping,
}

/// Packets whose fate (arrived, lost, dropped) is not that of the simulator with the same seed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Fates {
    /// Packets that entered the link in both runs.
    pub compared: u64,
    /// Differences when the simulator is given the times at which probes were to be sent.
    pub planned: u64,
    /// Differences when it is given the times at which they really entered.
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
    /// The quantity that is compared.
    pub what: What,
    /// The emulator's value, in base units; the statistic of a test.
    pub observed: f64,
    /// The simulator's value; the degrees of freedom of a test.
    pub expected: f64,
    /// The difference, in `unit`.
    pub difference: f64,
    /// Its simultaneous interval; null of a test.
    pub interval: Option<Interval>,
    /// The margin, in `unit`.
    pub margin: f64,
    /// The unit of the difference and the margin.
    pub unit: Unit,
    /// The probability of a test; null of an interval.
    pub p: Option<f64>,
    /// Equivalent, undecided or different.
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

/// Kernel TCP compared with the simulator's.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct TcpReport {
    /// A row for each path, congestion control and protocol.
    pub rows: Vec<TcpRow>,
    /// The reason why some or all rows are missing; null if none is.
    pub skipped: Option<String>,
}

impl Report {
    /// The number of cases with a verdict.
    pub fn count(&self, verdict: Verdict) -> usize {
        self.cases.iter().filter(|case| case.verdict == verdict).count()
    }

    /// `20 equivalent, 1 different, 2 undecided, 1 not judged`, without verdicts that no case has.
    pub fn tally(&self) -> String {
        let all = [Verdict::Equivalent, Verdict::Different, Verdict::Undecided, Verdict::NotJudged];
        let counts = all.iter().map(|verdict| (self.count(*verdict), verdict.name()));
        let shown = counts.filter(|(n, _)| *n > 0).map(|(n, name)| format!("{n} {name}"));
        shown.collect::<Vec<_>>().join(", ")
    }
}
