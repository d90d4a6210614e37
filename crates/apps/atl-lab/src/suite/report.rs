//! The results of a suite.

use std::fmt;

use crate::report::Report;

/// The results of a suite.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct SuiteReport {
    /// The suite's name or folder.
    pub name: String,
    /// The report of each case.
    pub cases: Vec<Report>,
    /// Questions that no run answers, each with the reason.
    pub left_out: &'static [(&'static str, &'static str)],
    /// Declared failures that no longer occur.
    pub outdated: Vec<String>,
}

impl SuiteReport {
    pub(super) fn new(
        name: String,
        cases: Vec<Report>,
        left_out: &'static [(&'static str, &'static str)],
        known: &[(String, String)],
        whole: bool,
    ) -> SuiteReport {
        let occurs = |declared: &str| {
            cases.iter().any(|case| {
                let here = case.case.ends_with(&format!("/{declared}"));
                let rule = |b: &crate::report::Broken| b.finding.rule.name() == declared;
                case.broken.iter().any(rule) || here && case.measured.iter().any(|m| !m.met)
            })
        };
        let names = known.iter().map(|(name, _)| name);
        let outdated = names.filter(|name| whole && !occurs(name)).cloned().collect();
        SuiteReport { name, cases, left_out, outdated }
    }

    /// True if every case passed and no declaration is outdated.
    pub fn passed(&self) -> bool {
        self.outdated.is_empty() && self.cases.iter().all(Report::passed)
    }
}

impl fmt::Display for SuiteReport {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let passed = self.cases.iter().filter(|case| case.passed()).count();
        writeln!(f, "Suite {}: {passed} of {} cases passed", self.name, self.cases.len())?;
        for case in &self.cases {
            write!(f, "{case}")?;
        }
        for name in &self.outdated {
            writeln!(f, "FAILED `{name}` is declared as known, and does not occur: take it back")?;
        }
        for (what, why) in self.left_out {
            writeln!(f, "not computed: {what}: {why}")?;
        }
        Ok(())
    }
}
