//! The results of a case.

use std::fmt;
use std::path::PathBuf;

use crate::monitor::Finding;

/// The results of a case.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Report {
    /// Name of the case, such as `showcase/roaming`.
    pub case: String,
    /// The library that the controller ran in.
    pub library: &'static str,
    /// The number of runs with the controller under test.
    pub runs: usize,
    /// The measurements, for each expectation and point of the sweep.
    pub measured: Vec<Measured>,
    /// The rules that the controller broke.
    pub broken: Vec<Broken>,
    /// The qlogs of the worst run, unless the case passed.
    pub logs: Vec<PathBuf>,
}

/// An expectation at a point of the sweep.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Measured {
    /// The reason given for the expectation, if any.
    pub what: Option<String>,
    /// The expectation in words.
    pub expected: String,
    /// The point, of a scenario that sweeps: `loss = 1e-2`; empty otherwise.
    pub point: String,
    /// The value, in base units; `None` if there is none.
    pub value: Option<f64>,
    /// The value with its unit, for people.
    pub shown: String,
    /// The value of each seed, for people.
    pub seeds: Vec<(u64, String)>,
    /// The seed whose value is furthest outside the bounds, or closest to them.
    pub worst: u64,
    /// True if the value is as expected.
    pub met: bool,
    /// The reason for which a miss is accepted, if it was declared.
    pub known: Option<String>,
}

/// A rule that a controller broke.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Broken {
    /// The rule, with the first occurrence.
    pub finding: Finding,
    /// The point of the sweep.
    pub point: String,
    /// The seed of the run.
    pub seed: u64,
    /// The reason for which it is accepted, if it was declared.
    pub known: Option<String>,
}

impl Report {
    /// True if all expectations were met and no rule was broken, apart from accepted ones.
    pub fn passed(&self) -> bool {
        self.failures() == 0
    }

    /// Unmet expectations and broken rules, without accepted ones.
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

/// The reason why a case did not pass.
#[derive(Debug)]
#[non_exhaustive]
pub enum Failure {
    /// The case itself has a mistake: in its scenario, an expectation, or the file that holds it.
    Wrong(String),
    /// A run could not be carried out.
    Stopped(String),
    /// An expectation was not met, or a rule was broken.
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
