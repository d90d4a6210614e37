//! Fingerprint of a results page's inputs, so that a test can tell when the page is stale.

use std::fmt::Write as _;

use atl_scenario::quote::Standing;
use atl_scenario::scenario::Scenario;
use sha2::{Digest, Sha256};

use crate::outcome::Outcome;
use crate::verdict::quoted;

/// First line of the HTML comment.
const OPEN: &str = "<!-- results of atl";
const CLOSE: &str = "-->";

/// Version, engine and scenarios of a page.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Stamp {
    /// Version of the program, as `1.2.3`.
    pub version: String,
    /// Name of the engine that ran the scenarios.
    pub engine: String,
    /// Scenarios in the order of the runs.
    pub scenarios: Vec<ScenarioStamp>,
}

/// Fingerprint of one scenario.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ScenarioStamp {
    /// Name, such as `atl/fig06`.
    pub name: String,
    /// Hash of all that decides the results ([`Scenario::hash`]).
    pub results: String,
    /// Hash of the texts on the page apart from measurements: title, source, claims and notes.
    pub words: String,
}

impl ScenarioStamp {
    /// Fingerprint of a scenario as it is now.
    pub fn of(scenario: &Scenario) -> ScenarioStamp {
        let mut words = Sha256::new();
        let mut add = |text: &str| {
            // Each text is preceded by its length, so that no two sequences give the same bytes.
            words.update(format!("{}:", text.len()));
            words.update(text);
        };
        add(&scenario.title);
        add(scenario.source.as_deref().unwrap_or_default());
        for quote in &scenario.quotes {
            add(&quote.id);
            add(&quote.text);
            add(&quote.source);
            add(&quoted(scenario, &quote.claim));
            match &quote.standing {
                Standing::Own => add("own"),
                Standing::Paper { claim, fitted } => {
                    add(claim);
                    add(fitted.as_deref().unwrap_or_default());
                }
            }
            add(quote.note.as_deref().unwrap_or_default());
        }
        let words = words.finalize().iter().take(8).fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        });
        ScenarioStamp { name: scenario.name.clone(), results: scenario.hash.clone(), words }
    }
}

impl Stamp {
    /// Fingerprint of a page of these outcomes.
    pub fn of(outcomes: &[Outcome]) -> Stamp {
        let first = outcomes.first();
        Stamp {
            version: first.map(|o| o.version.clone()).unwrap_or_default(),
            engine: first.map(|o| o.engine.name.clone()).unwrap_or_default(),
            scenarios: outcomes.iter().map(|o| ScenarioStamp::of(&o.scenario)).collect(),
        }
    }

    /// An HTML comment, which Markdown does not show.
    pub fn comment(&self) -> String {
        let mut out = format!("{OPEN}\nversion {}\nengine {}\n", self.version, self.engine);
        for s in &self.scenarios {
            let _ = writeln!(out, "{} {} {}", s.name, s.results, s.words);
        }
        out.push_str(CLOSE);
        out.push('\n');
        out
    }

    /// Reads the fingerprint from a page; `None` if it has none or a malformed one.
    pub fn read(page: &str) -> Option<Stamp> {
        let start = page.rfind(OPEN)? + OPEN.len();
        let body = &page[start..];
        let mut lines = body[..body.find(CLOSE)?].trim().lines();
        let version = lines.next()?.strip_prefix("version ")?.to_owned();
        let engine = lines.next()?.strip_prefix("engine ")?.to_owned();
        let scenarios = lines.map(|line| {
            let mut parts = line.rsplitn(3, ' ').map(str::to_owned);
            let (words, results, name) = (parts.next()?, parts.next()?, parts.next()?);
            Some(ScenarioStamp { name, results, words })
        });
        Some(Stamp { version, engine, scenarios: scenarios.collect::<Option<_>>()? })
    }

    /// A sentence for each difference between the scenarios today and those of the page; none if
    /// the page is up to date.
    pub fn stale<'a>(&self, today: impl IntoIterator<Item = &'a Scenario>) -> Vec<String> {
        let mut differences = Vec::new();
        let mut known = Vec::new();
        for scenario in today {
            let now = ScenarioStamp::of(scenario);
            let name = now.name.clone();
            match self.scenarios.iter().find(|s| s.name == name) {
                None => differences.push(format!("{name} is not on the page.")),
                Some(then) if then.results != now.results => {
                    differences.push(format!("{name} runs differently now."));
                }
                Some(then) if then.words != now.words => {
                    differences.push(format!(
                        "The title, the claims or the notes of {name} have changed."
                    ));
                }
                Some(_) => {}
            }
            known.push(name);
        }
        let gone = self.scenarios.iter().filter(|s| !known.contains(&s.name));
        differences.extend(gone.map(|s| format!("{} no longer exists.", s.name)));
        differences
    }
}
