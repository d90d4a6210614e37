//! A case: a scenario, a controller, and expectations of their runs.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use atl_scenario::{Overrides, open, parse};
use noq_proto::congestion::ControllerFactory;

use crate::expectation::Expectation;
use crate::file::{self, Expected};
use crate::library::{Library, Noq};
use crate::monitor::{Rule, Trial};
use crate::report::{Failure, Report};
use crate::running::{Plan, carry_out};

/// A test case for a controller. See [the crate](crate) for an example.
#[must_use = "nothing runs before `run` or `check`"]
pub struct Case {
    name: String,
    text: Option<String>,
    overrides: Overrides,
    library: Option<Arc<dyn Library>>,
    groups: Vec<String>,
    expectations: Vec<Expectation>,
    known: Vec<(String, String)>,
    /// The reason why unmet expectations are accepted, if one was given.
    unmet_known: Option<String>,
    trial: Option<Trial>,
    logs: Option<PathBuf>,
    wrong: Option<String>,
}

impl std::fmt::Debug for Case {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Case").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A case on a scenario: a file, or a built-in one such as `showcase/roaming` (`atl list` shows
/// all).
pub fn scenario(name: &str) -> Case {
    Case::new(name, None)
}

/// A case on a scenario that is given as text.
pub fn scenario_text(name: &str, text: &str) -> Case {
    Case::new(name, Some(text.to_owned()))
}

impl Case {
    fn new(name: &str, text: Option<String>) -> Case {
        Case {
            name: name.to_owned(),
            text,
            overrides: Overrides::default(),
            library: None,
            groups: Vec::new(),
            expectations: Vec::new(),
            known: Vec::new(),
            unmet_known: None,
            trial: None,
            logs: None,
            wrong: None,
        }
    }

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
        self.shared(Arc::new(library))
    }

    pub(crate) fn shared(self, library: Arc<dyn Library>) -> Self {
        Case { library: Some(library), ..self }
    }

    /// Gives the controller only to the flows of this group; repeat it for several groups. The
    /// other flows keep the protocols of the file. Without it all flows have the controller.
    pub fn on(mut self, group: &str) -> Self {
        self.groups.push(group.to_owned());
        self
    }

    /// Changes the scenario, as `atl run --set key=value` does.
    pub fn set(mut self, key: &str, value: impl std::fmt::Display) -> Self {
        self.overrides.set.push((key.to_owned(), value.to_string()));
        self
    }

    /// Runs the seeds from 1 to this number, instead of the file's.
    pub fn seeds(mut self, seeds: u32) -> Self {
        self.overrides.seeds = Some(seeds.to_string());
        self
    }

    /// Applies the file's `[quick]` table, which makes runs fewer or shorter.
    pub fn quick(mut self) -> Self {
        self.overrides.quick = true;
        self
    }

    /// Adds a bound on a metric, which every point of the sweep must keep.
    pub fn expect(mut self, expectation: Expectation) -> Self {
        self.expectations.push(expectation);
        self
    }

    /// Adds the expectations of a file. Its form is in `docs/lab.md`.
    pub fn expect_file(self, path: impl AsRef<Path>) -> Self {
        let path = path.as_ref();
        let name = path.display().to_string();
        match std::fs::read_to_string(path) {
            Ok(text) => self.expect_text(&name, &text),
            Err(error) => self.wrong(format!("cannot read {name}: {error}")),
        }
    }

    /// Adds the expectations of a text in the form of such a file. Messages call it `name`.
    pub fn expect_text(self, name: &str, text: &str) -> Self {
        match file::read(name, text) {
            Ok(expected) => self.expected(expected),
            Err(problem) => self.wrong(problem),
        }
    }

    pub(crate) fn expected(mut self, expected: Expected) -> Self {
        self.groups.extend(expected.under_test);
        self.expectations.extend(expected.expectations);
        self
    }

    fn wrong(mut self, problem: String) -> Self {
        self.wrong.get_or_insert(problem);
        self
    }

    /// Accepts that the controller breaks a rule ([`Rule::name`]), for a reason that the report
    /// prints.
    pub fn known(self, rule: &str, reason: &str) -> Self {
        if Rule::named(rule).is_none() {
            let rules: Vec<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
            let all = rules.join(", ");
            return self.wrong(format!("there is no rule `{rule}`; there are {all}"));
        }
        self.knowing(rule, reason)
    }

    pub(crate) fn knowing(mut self, name: &str, reason: &str) -> Self {
        self.known.push((name.to_owned(), reason.to_owned()));
        self
    }

    pub(crate) fn knowing_all(self, reason: &str) -> Self {
        Case { unmet_known: Some(reason.to_owned()), ..self }
    }

    /// Reports an event to the controller in the middle of each run.
    pub fn trial(self, trial: Trial) -> Self {
        Case { trial: Some(trial), ..self }
    }

    /// Folder for the qlogs of a failed run, instead of `target/atl-lab/` and the case's name.
    pub fn logs(self, folder: impl Into<PathBuf>) -> Self {
        Case { logs: Some(folder.into()), ..self }
    }

    /// Carries the case out, as a test.
    ///
    /// # Panics
    /// Panics with the whole report unless everything is as expected.
    #[track_caller]
    pub fn run(self) -> Report {
        self.check().unwrap_or_else(|failure| panic!("{failure}"))
    }

    /// Carries the case out.
    ///
    /// # Errors
    /// If the case is wrong, if a run cannot be carried out, or if not everything is as expected.
    pub fn check(self) -> Result<Report, Failure> {
        let report = self.outcome()?;
        if report.passed() { Ok(report) } else { Err(Failure::Unmet(Box::new(report))) }
    }

    /// The report of the case, whether it passed or not.
    pub(crate) fn outcome(self) -> Result<Report, Failure> {
        if let Some(problem) = self.wrong {
            return Err(Failure::Wrong(problem));
        }
        let Some(library) = self.library else {
            return Err(Failure::Wrong(format!(
                "{}: no controller was given: use `with`",
                self.name
            )));
        };
        let read = match &self.text {
            None => open(&self.name, &self.overrides),
            Some(text) => {
                let files = |path: &Path| std::fs::read_to_string(path);
                parse(&self.name, text, Path::new(&self.name), &files, &self.overrides)
            }
        };
        let scenario = read.map_err(|errors| Failure::Wrong(errors.to_string()))?;
        carry_out(&Plan {
            name: &self.name,
            scenario: &scenario,
            library: &*library,
            groups: &self.groups,
            expectations: &self.expectations,
            known: &self.known,
            unmet_known: self.unmet_known.as_deref(),
            trial: self.trial,
            logs: self.logs.as_deref(),
        })
    }
}
