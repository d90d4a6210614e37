//! Suites of cases: built-in ones, and folders of the caller's own.

mod built_in;
mod report;

use std::fs;
use std::path::Path;
use std::sync::Arc;

use noq_proto::congestion::ControllerFactory;

use crate::case::{Case, scenario_text};
use crate::library::{Library, Noq};
use crate::monitor::{Rule, Trial};
use crate::report::{Failure, Report};

pub use report::SuiteReport;

/// A set of cases for one controller.
#[must_use = "nothing runs before `run` or `check`"]
pub struct Suite {
    name: String,
    cases: Vec<Member>,
    /// Questions that no run answers, each with the reason.
    left_out: &'static [(&'static str, &'static str)],
    library: Option<Arc<dyn Library>>,
    known: Vec<(String, String)>,
    only: Vec<String>,
    logs: Option<std::path::PathBuf>,
    wrong: Option<String>,
}

impl std::fmt::Debug for Suite {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Suite").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A case of a suite.
#[derive(Clone, Debug)]
struct Member {
    name: String,
    scenario: String,
    expected: String,
    trial: Option<Trial>,
}

/// A built-in suite (`rfc9743`, `rfc9002`, `bbr`), or a folder in which each folder is a case, with
/// a `scenario.toml` and an `expect.toml`.
pub fn suite(name: &str) -> Suite {
    let empty = |wrong: Option<String>| Suite {
        name: name.to_owned(),
        cases: Vec::new(),
        left_out: &[],
        library: None,
        known: Vec::new(),
        only: Vec::new(),
        logs: None,
        wrong,
    };
    if let Some(shipped) = built_in::SUITES.iter().find(|suite| suite.name == name) {
        let cases = shipped.cases.iter().map(|case| Member {
            name: case.name.to_owned(),
            scenario: case.scenario.to_owned(),
            expected: case.expected.to_owned(),
            trial: case.trial,
        });
        return Suite { cases: cases.collect(), left_out: shipped.left_out, ..empty(None) };
    }
    match folder(Path::new(name)) {
        Ok(cases) => Suite { cases, ..empty(None) },
        Err(problem) => {
            let names: Vec<&str> = built_in::SUITES.iter().map(|suite| suite.name).collect();
            let names = names.join(", ");
            empty(Some(format!("{problem}; a suite is a folder, or one of {names}")))
        }
    }
}

fn folder(path: &Path) -> Result<Vec<Member>, String> {
    let shown = path.display();
    let read = |file: &Path| {
        fs::read_to_string(file).map_err(|error| format!("cannot read {}: {error}", file.display()))
    };
    let entries = fs::read_dir(path).map_err(|error| format!("cannot read {shown}: {error}"))?;
    let mut cases = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| format!("cannot read {shown}: {error}"))?.path();
        if !entry.is_dir() {
            continue;
        }
        cases.push(Member {
            name: entry.file_name().unwrap_or_default().to_string_lossy().into_owned(),
            scenario: read(&entry.join("scenario.toml"))?,
            expected: read(&entry.join("expect.toml"))?,
            trial: None,
        });
    }
    cases.sort_by(|a, b| a.name.cmp(&b.name));
    if cases.is_empty() {
        return Err(format!("{shown} has no folder with a case in it"));
    }
    Ok(cases)
}

impl Suite {
    /// Tests a controller of the library noq, given by the configuration that builds it.
    pub fn with(self, factory: impl ControllerFactory + Send + Sync + 'static) -> Self {
        self.in_library(Noq(Arc::new(factory)))
    }

    /// Tests a controller of the library quinn, given by the configuration that builds it. The
    /// connection is noq's, a fork of quinn; the estimator of the round-trip time is quinn's own.
    #[cfg(feature = "quinn")]
    pub fn with_quinn(
        self,
        factory: impl quinn_proto::congestion::ControllerFactory + Send + Sync + 'static,
    ) -> Self {
        match crate::quinn::Quinn::new(Arc::new(factory)) {
            Ok(library) => self.in_library(library),
            Err(error) => self.wrong(error.to_string()),
        }
    }

    /// Tests a controller in any library.
    pub fn in_library(self, library: impl Library + 'static) -> Self {
        Suite { library: Some(Arc::new(library)), ..self }
    }

    #[cfg(feature = "quinn")]
    fn wrong(mut self, problem: String) -> Self {
        self.wrong.get_or_insert(problem);
        self
    }

    /// Restricts the suite to this case; repeat it for several.
    pub fn only(mut self, case: &str) -> Self {
        if !self.names().any(|name| name == case) {
            let names: Vec<&str> = self.names().collect();
            let names = names.join(", ");
            let problem = format!("{}: it has no case `{case}`; it has {names}", self.name);
            self.wrong.get_or_insert(problem);
        }
        self.only.push(case.to_owned());
        self
    }

    /// Accepts that the controller breaks a rule, or does not meet a case's expectations, for a
    /// reason that the report prints. A declared failure that no longer occurs makes the suite
    /// fail, so that the declaration is removed.
    pub fn known(mut self, rule_or_case: &str, reason: &str) -> Self {
        let is_rule = Rule::named(rule_or_case).is_some();
        if !is_rule && !self.names().any(|name| name == rule_or_case) {
            let problem = format!("{}: there is no rule and no case `{rule_or_case}`", self.name);
            self.wrong.get_or_insert(problem);
        }
        self.known.push((rule_or_case.to_owned(), reason.to_owned()));
        self
    }

    /// Folder for the qlogs of failed runs, instead of `target/atl-lab/`.
    pub fn logs(self, folder: impl Into<std::path::PathBuf>) -> Self {
        Suite { logs: Some(folder.into()), ..self }
    }

    /// The names of its cases, in order.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.cases.iter().map(|case| case.name.as_str())
    }

    /// Carries all cases out, as a test.
    ///
    /// # Panics
    /// Panics with the whole report unless everything is as expected.
    #[track_caller]
    pub fn run(self) -> SuiteReport {
        let report = self.check().unwrap_or_else(|failure| panic!("{failure}"));
        assert!(report.passed(), "{report}");
        report
    }

    /// Carries all cases out. Unmet expectations and broken rules are in the report.
    ///
    /// # Errors
    /// If a case is wrong, or a run cannot be carried out.
    pub fn check(self) -> Result<SuiteReport, Failure> {
        if let Some(problem) = self.wrong {
            return Err(Failure::Wrong(problem));
        }
        let Some(library) = &self.library else {
            let problem = format!("{}: no controller was given: use `with`", self.name);
            return Err(Failure::Wrong(problem));
        };
        let mut reports = Vec::new();
        let chosen = |case: &&Member| self.only.is_empty() || self.only.contains(&case.name);
        for member in self.cases.iter().filter(chosen) {
            reports.push(self.report(member, Arc::clone(library))?);
        }
        let whole = self.only.is_empty();
        Ok(SuiteReport::new(self.name, reports, self.left_out, &self.known, whole))
    }

    fn report(&self, member: &Member, library: Arc<dyn Library>) -> Result<Report, Failure> {
        let name = format!("{}/{}", self.name, member.name);
        let mut case: Case = scenario_text(&name, &member.scenario)
            .shared(library)
            .expect_text(&format!("{name}/expect.toml"), &member.expected);
        for (known, reason) in &self.known {
            case = if *known == member.name {
                case.knowing_all(reason)
            } else {
                case.knowing(known, reason)
            };
        }
        if let Some(trial) = member.trial {
            case = case.trial(trial);
        }
        if let Some(folder) = &self.logs {
            case = case.logs(folder.clone());
        }
        case.outcome()
    }
}
