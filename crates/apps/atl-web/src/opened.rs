//! Opening a scenario from an editor's text. Gives runs to carry out, or all mistakes.

use std::path::PathBuf;

use atl_scenario::scenario::{Point, Scenario};
use atl_scenario::{Errors, Overrides, Report, builtin, builtin_trace};
use atl_sim::Sim;
use serde::{Deserialize, Serialize};

/// The scenario to open, with options.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Request {
    /// Text of the scenario.
    pub text: String,
    /// Name of the built-in scenario that the text is derived from, for its traces; empty for none.
    pub from: String,
    /// True for the option `--quick`.
    pub quick: bool,
    /// Argument of `--seeds`; empty for the text's own seeds.
    pub seeds: String,
}

/// A mistake or a warning with its place.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Problem {
    /// Start in the text in UTF-16 units, as browsers count.
    pub from: usize,
    /// End in the text in UTF-16 units.
    pub to: usize,
    /// Path of the key, such as `link.air.delay`.
    pub key: String,
    /// Description of the problem.
    pub message: String,
    /// Suggestions: allowed values, or what was probably meant.
    pub help: Vec<String>,
}

/// The reasons why a scenario cannot be opened.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Refused {
    /// All mistakes by increasing place.
    pub errors: Vec<Problem>,
}

/// An open scenario, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct Opened {
    /// Name of the scenario.
    pub name: String,
    /// Title of the scenario.
    pub title: String,
    /// SHA-256 over all that decides the results, in hexadecimal.
    pub hash: String,
    /// Command that repeats the runs.
    pub command: String,
    /// Seeds of each point.
    pub seeds: Vec<u64>,
    /// Points of the sweep, by index.
    pub points: Vec<PointView>,
    /// Parts that are allowed but probably not meant.
    pub warnings: Vec<Problem>,
}

/// A point of the sweep, as the page shows it.
#[derive(Clone, Debug, Serialize)]
pub struct PointView {
    /// Values of the swept variables in words.
    pub label: String,
    /// Names of the flows, by index.
    pub flows: Vec<String>,
    /// Names of the links, by index.
    pub links: Vec<String>,
    /// For each flow, the index of the first link on its first path.
    pub first_links: Vec<usize>,
    /// Duration in simulated seconds.
    pub duration_s: f64,
}

/// A scenario with the command that repeats its runs.
pub(crate) struct Read {
    pub scenario: Scenario,
    pub command: String,
}

pub(crate) fn read(request: &Request) -> Result<Read, Refused> {
    let Request { text, from, quick, seeds } = request;
    let origin = builtin().iter().find(|scenario| scenario.name == from);
    let unchanged = origin.filter(|scenario| scenario.text == text || scenario.copy() == text);
    let overrides = Overrides {
        quick: *quick,
        seeds: (!seeds.is_empty()).then(|| seeds.clone()),
        ..Overrides::default()
    };
    let folder = origin.and_then(|scenario| scenario.name.rsplit_once('/')).map(|(dir, _)| dir);
    let (name, spec, whole) = match unchanged {
        Some(scenario) => (scenario.name, scenario.name, scenario.text),
        None => ("mine", "mine.toml", text.as_str()),
    };
    let last = name.rsplit('/').next().unwrap_or(name);
    let path: PathBuf =
        ["scenarios", folder.unwrap_or(""), &format!("{last}.toml")].iter().collect();
    let trace = |path: &std::path::Path| match builtin_trace(path) {
        Some(text) => Ok(text.to_owned()),
        None => Err(std::io::Error::other("a page has no files, only the built-in traces")),
    };
    let shift = whole.len() - text.len().min(whole.len());
    let found = atl_scenario::parse(name, whole, &path, &trace, &overrides);
    let scenario = found.map_err(|errors| Refused { errors: problems(&errors, text, shift) })?;
    if let Err(gaps) = atl_engine::check(&[&Sim], &[&scenario]) {
        let message = gaps.to_string();
        let problem = Problem { from: 0, to: 0, key: String::new(), message, help: Vec::new() };
        return Err(Refused { errors: vec![problem] });
    }
    let mut command = format!("atl run {spec}");
    if *quick {
        command.push_str(" --quick");
    }
    if !seeds.is_empty() {
        // A shell would interpret brackets and spaces.
        let plain = seeds.chars().all(|c| c.is_ascii_digit() || c == ',');
        let quote = if plain { "" } else { "'" };
        command.push_str(&format!(" --seeds {quote}{seeds}{quote}"));
    }
    Ok(Read { scenario, command })
}

fn problems(errors: &Errors, text: &str, shift: usize) -> Vec<Problem> {
    errors.reports().iter().map(|report| problem(report, text, shift)).collect()
}

/// Locates a report in the editor's text. If the text is without the file's first line, `shift`
/// accounts for it.
fn problem(report: &Report, text: &str, shift: usize) -> Problem {
    let skipped = usize::from(shift > 0);
    let line = report.line.and_then(|line| line.checked_sub(1 + skipped));
    let place = line.map(|line| place(text, line, report.column.unwrap_or(1), &report.value));
    let (from, to) = place.unwrap_or((0, 0));
    let Report { key, message, help, .. } = report.clone();
    Problem { from, to, key, message, help }
}

/// Range in UTF-16 units: from a column (in characters, from 1) of a line (from 0), as long as
/// `value`.
fn place(text: &str, line: usize, column: usize, value: &str) -> (usize, usize) {
    let units = |text: &str| text.chars().map(char::len_utf16).sum::<usize>();
    let start: usize = text.split_inclusive('\n').take(line).map(units).sum();
    let rest = text.split_inclusive('\n').nth(line).unwrap_or("");
    let before: usize = rest.chars().take(column.saturating_sub(1)).map(char::len_utf16).sum();
    let from = start + before;
    (from, (from + units(value)).min(units(text)))
}

impl Opened {
    pub(crate) fn new(read: &Read, request: &Request) -> Opened {
        let Read { scenario, command } = read;
        let warnings = scenario.warnings.reports();
        Opened {
            name: scenario.name.clone(),
            title: scenario.title.clone(),
            hash: scenario.hash.clone(),
            command: command.clone(),
            seeds: scenario.seeds.clone(),
            points: scenario.points.iter().map(|point| point_view(scenario, point)).collect(),
            warnings: warnings.iter().map(|report| problem(report, &request.text, 0)).collect(),
        }
    }
}

fn point_view(scenario: &Scenario, point: &Point) -> PointView {
    let value = |name: &String| point.vars.get(name).map(|value| value.text.clone());
    let swept: Vec<String> = scenario.swept.iter().filter_map(value).collect();
    let setup = &point.setup;
    let first = |flow: &atl_engine::setup::FlowSetup| {
        flow.paths.first().and_then(|path| path.forward.first()).copied().unwrap_or(0)
    };
    PointView {
        label: swept.join(", "),
        flows: setup.flows.iter().map(|flow| flow.name.clone()).collect(),
        links: setup.links.iter().map(|link| link.name.clone()).collect(),
        first_links: setup.flows.iter().map(first).collect(),
        duration_s: setup.duration.secs(),
    }
}
