//! What came of a case.

use std::fmt;
use std::path::PathBuf;

use crate::monitor::Finding;

/// What came of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// The case: `showcase/roaming`.
    pub case: String,
    /// The library that the controller ran in.
    pub library: &'static str,
    /// The number of runs with the controller under test.
    pub runs: usize,
    /// What was measured, for each expectation and point of the sweep.
    pub measured: Vec<Measured>,
    /// The rules that it broke.
    pub broken: Vec<Broken>,
    /// Where the qlogs of the worst run are, if anything was not as expected.
    pub logs: Vec<PathBuf>,
}

/// An expectation at a point of the sweep.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// What it stands for, if that was said.
    pub what: Option<String>,
    /// What was expected.
    pub expected: String,
    /// The point, of a scenario that sweeps: `loss = 1e-2`; empty otherwise.
    pub point: String,
    /// The value, in base units; `None` if there is none.
    pub value: Option<f64>,
    /// The value, for people.
    pub shown: String,
    /// The values of the seeds, for people.
    pub seeds: Vec<(u64, String)>,
    /// The seed that is furthest from what was expected.
    pub worst: u64,
    /// True if the value is as expected.
    pub met: bool,
    /// Why it is known not to be, if that was declared.
    pub known: Option<String>,
}

/// A rule that was broken.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// What happened.
    pub finding: Finding,
    /// At this point of the sweep.
    pub point: String,
    /// With this seed.
    pub seed: u64,
    /// Why it is known, if that was declared.
    pub known: Option<String>,
}

impl Report {
    /// True if everything is as expected, what is known left out.
    pub fn passed(&self) -> bool {
        self.failures() == 0
    }

    /// The number of expectations that are not met and of rules that are broken, what is known left
    /// out.
    pub fn failures(&self) -> usize {
        let unmet = self.measured.iter().filter(|m| !m.met && m.known.is_none()).count();
        unmet + self.broken.iter().filter(|b| b.known.is_none()).count()
    }
}

impl fmt::Display for Measured {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = match (self.met, &self.known) {
            (true, _) => "ok     ",
            (false, Some(_)) => "known  ",
            (false, None) => "FAILED ",
        };
        write!(f, "  {mark}{}", self.shown)?;
        if !self.point.is_empty() {
            write!(f, " at {}", self.point)?;
        }
        write!(f, ": {}", self.expected)?;
        if let Some(what) = &self.what {
            write!(f, "\n         {what}")?;
        }
        if let Some(reason) = &self.known {
            write!(f, "\n         known: {reason}")?;
        }
        if !self.met {
            let seeds: Vec<String> =
                self.seeds.iter().map(|(seed, value)| format!("{seed}: {value}")).collect();
            write!(f, "\n         by seed: {}", seeds.join(", "))?;
        }
        Ok(())
    }
}

impl fmt::Display for Broken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mark = if self.known.is_some() { "known  " } else { "FAILED " };
        write!(f, "  {mark}{} (seed {}", self.finding, self.seed)?;
        if !self.point.is_empty() {
            write!(f, ", {}", self.point)?;
        }
        f.write_str(")")?;
        if let Some(reason) = &self.known {
            write!(f, "\n         known: {reason}")?;
        }
        Ok(())
    }
}

impl fmt::Display for Report {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let plural = if self.runs == 1 { "" } else { "s" };
        writeln!(f, "{} with {}, {} run{plural}:", self.case, self.library, self.runs)?;
        for measured in &self.measured {
            writeln!(f, "{measured}")?;
        }
        for broken in &self.broken {
            writeln!(f, "{broken}")?;
        }
        for path in &self.logs {
            writeln!(f, "  qlog of the worst run: {}", path.display())?;
        }
        Ok(())
    }
}

/// Why a case did not pass.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The case is wrong: its scenario, an expectation, the file that it stands in.
    Wrong(String),
    /// A run could not be carried out.
    Stopped(String),
    /// Not everything was as expected.
    Unmet(Box<Report>),
}

impl fmt::Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Wrong(problem) | Failure::Stopped(problem) => f.write_str(problem),
            Failure::Unmet(report) => write!(f, "{report}"),
        }
    }
}

impl std::error::Error for Failure {}
