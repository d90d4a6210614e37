//! Reading a scenario: from a file, from a text, or a built-in one by its name.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use atl_core::time::{Span, Time};
use toml::de::DeTable;

use crate::brackets;
use crate::builtin::{self, Builtin, builtin};
use crate::controls;
use crate::effects::Effects;
use crate::errors::{Errors, Problem, Sink, Warnings};
use crate::files;
use crate::hash::Fingerprint;
use crate::keys;
use crate::labels::Labels;
use crate::networks;
use crate::outline::{Outline, Size};
use crate::overrides::Overrides;
use crate::points::{Assignment, Points};
use crate::read::{ReadFile, Traces, World, end, figures, quotes, setup};
use crate::scenario::{Point, Scenario};
use crate::size::{MAX_FLOWS, too_many_flows, too_many_runs};
use crate::solved::Solved;
use crate::sweep::{Vars, substitute, values, values_of};
use crate::table::{Cx, Field, Table, join};
use crate::tree::{Kind, Loc, Node, Sources, from_table};
use atl_engine::setup::Setup;

/// Limit on a scenario file's size in bytes.
const MAX_TEXT: usize = 1 << 20;
/// Number of problems after which no further point is read, since they would repeat.
const ENOUGH: usize = 50;
/// Lines below a mistake of syntax on which another is its consequence.
const CONSEQUENT: usize = 3;

/// Opens a file, otherwise a built-in scenario such as `showcase/roaming`, for which `roaming`
/// suffices.
///
/// # Errors
/// All mistakes in it; or an ambiguous last component of built-in names.
pub fn open(spec: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    let found = find(spec)?;
    parse(&found.name, &found.text, &found.origin, &found.read, overrides)
}

/// The text of a scenario to be read.
pub(crate) struct Found {
    pub(crate) name: String,
    pub(crate) text: Cow<'static, str>,
    /// Path for messages, at which relative paths in the file start.
    pub(crate) origin: PathBuf,
    /// Reads a trace that the scenario names.
    pub(crate) read: fn(&Path) -> io::Result<String>,
}

/// Finds the text that [`open`] reads.
pub(crate) fn find(spec: &str) -> Result<Found, Errors> {
    let path = Path::new(spec);
    if path.is_file() {
        return file(path);
    }
    let problem = match builtin::named(spec)[..] {
        [found] => return Ok(found_builtin(found)),
        [] => unknown(spec),
        ref several => {
            let names: Vec<&str> = several.iter().map(|scenario| scenario.name).collect();
            Problem::new(format!("`{spec}` is the name of {} built-in scenarios", names.len()))
                .help(format!("name one of them: {}", names.join(", ")))
        }
    };
    Err(unreadable(spec, problem))
}

/// The error for an unknown name. Suggests similar names and last components.
fn unknown(spec: &str) -> Problem {
    let name = spec.strip_suffix(".toml").unwrap_or(spec);
    let problem = Problem::new(format!("there is no file and no built-in scenario `{spec}`"));
    let names: Vec<&str> = builtin().iter().map(|b| b.name).collect();
    if name.contains('/') {
        return problem.nearest(name, names);
    }
    let last: Vec<&str> = names.iter().filter_map(|name| name.rsplit('/').next()).collect();
    let suggested = problem.clone().suggest(name, &last);
    if suggested == problem { problem.nearest(name, names) } else { suggested }
}

/// A built-in scenario. Its own traces are embedded; a trace named on the command line is a file.
fn found_builtin(builtin: &'static Builtin) -> Found {
    let read = |path: &Path| match builtin::trace(path) {
        Some(text) => Ok(text.to_owned()),
        None => trace(path),
    };
    let origin = PathBuf::from(format!("scenarios/{}.toml", builtin.name));
    Found { name: builtin.name.to_owned(), text: Cow::Borrowed(builtin.text), origin, read }
}

pub(crate) fn trace(path: &Path) -> io::Result<String> {
    files::read(path, files::LONGEST_TRACE)
}

fn file(path: &Path) -> Result<Found, Errors> {
    let shown = path.display().to_string();
    let text = files::read(path, MAX_TEXT as u64)
        .map_err(|e| unreadable(&shown, Problem::new(format!("cannot read {shown}: {e}"))))?;
    let text = Cow::Owned(text);
    Ok(Found { name: name_of(path), text, origin: path.to_path_buf(), read: trace })
}

/// Reads a scenario file and its traces. Relative paths start at the file's directory.
///
/// # Errors
/// All mistakes in it.
pub fn load(path: &Path, overrides: &Overrides) -> Result<Scenario, Errors> {
    let found = file(path)?;
    parse(&found.name, &found.text, &found.origin, &found.read, overrides)
}

/// Reads a scenario from a stream, such as standard input. Messages call it `name`, and relative
/// paths of traces start at the working directory.
///
/// # Errors
/// All mistakes in it; or a stream that is too long, not UTF-8, or cannot be read.
pub fn read_from(
    stream: &mut dyn io::Read,
    name: &str,
    overrides: &Overrides,
) -> Result<Scenario, Errors> {
    let mut text = String::new();
    // One byte beyond the limit shows that there is more.
    stream
        .take(MAX_TEXT as u64 + 1)
        .read_to_string(&mut text)
        .map_err(|e| unreadable(name, Problem::new(format!("cannot read {name}: {e}"))))?;
    parse(name, &text, Path::new(name), &trace, overrides)
}

fn unreadable(name: &str, problem: Problem) -> Errors {
    let mut sources = Sources::default();
    sources.add(name, "");
    Errors::new(sources, vec![problem])
}

/// The path below `scenarios/` without its extension, otherwise the file's stem.
fn name_of(path: &Path) -> String {
    let stem = path.with_extension("");
    let parts: Vec<String> = stem.iter().map(|part| part.to_string_lossy().into_owned()).collect();
    let below = parts.iter().rposition(|part| part == "scenarios").map(|i| &parts[i + 1..]);
    match below {
        Some(parts) if !parts.is_empty() => parts.join("/"),
        _ => parts.last().cloned().unwrap_or_default(),
    }
}

/// Reads a scenario from a text, without access to files. `origin` is the path of the text, for
/// messages and as the start of relative paths; `read` returns the text of a trace.
///
/// # Errors
/// All mistakes in it.
pub fn parse(
    name: &str,
    text: &str,
    origin: &Path,
    read: &dyn Fn(&Path) -> io::Result<String>,
    overrides: &Overrides,
) -> Result<Scenario, Errors> {
    let read = read_file(name, text, origin, overrides, |file, cx| file.scenario(origin, read, cx));
    read.map(|(scenario, warnings)| Scenario { warnings, ..scenario })
}

/// The `read` of [`parse`] for a text that stands alone: every other file is missing.
///
/// # Errors
/// Always: there is no such file ([`io::ErrorKind::NotFound`]).
pub fn no_files(_: &Path) -> io::Result<String> {
    Err(io::ErrorKind::NotFound.into())
}

/// Reads topic and size of a built-in scenario from its text; [`outlines`](crate::outlines) has
/// them stored. Networks and flows are not read, since solving for a channel takes long.
///
/// # Errors
/// All mistakes in the parts that are read.
pub fn outline(builtin: &Builtin) -> Result<Outline, Errors> {
    let origin = PathBuf::from(format!("scenarios/{}.toml", builtin.name));
    let read = |quick| {
        let overrides = Overrides { quick, ..Overrides::default() };
        read_file(builtin.name, builtin.text, &origin, &overrides, |file, cx| file.outline(cx))
    };
    let ((quick, _), (full, _)) = (read(true)?, read(false)?);
    Ok(Outline { quick: quick.full, ..full })
}

/// Parses a file, applies the overrides, and hands the result to `read`.
fn read_file<T>(
    name: &str,
    text: &str,
    origin: &Path,
    overrides: &Overrides,
    read: impl FnOnce(&File<'_>, Cx<'_>) -> Option<T>,
) -> Result<(T, Warnings), Errors> {
    let mut sources = Sources::default();
    let source = sources.add(origin.display().to_string(), text);
    if text.len() > MAX_TEXT {
        let problem = Problem::new(format!("a scenario has at most {MAX_TEXT} bytes"));
        return Err(Errors::new(sources, vec![problem]));
    }
    let (table, errors) = DeTable::parse_recoverable(text);
    if !errors.is_empty() {
        return Err(Errors::new(sources, syntax(source, text, &errors)));
    }
    let mut written = from_table(source, &table);
    let sink = Sink::default();
    brackets::repair(&mut written, &sink);
    networks::add(&mut written, &mut sources);
    let mut tree = written.clone();
    overrides.apply(&mut tree, &mut sources, &sink);
    // The command line may name others.
    networks::add(&mut tree, &mut sources);
    controls::report(&tree, &sink);
    let labels = Labels::of(&written, &sink);
    labels.resolve(&mut written);
    labels.resolve(&mut tree);
    let moved = overrides.touches_duration(&written);
    let file = File { name, text, written: &written, tree: &tree, moved };
    let effects = Effects::default();
    let solved = Solved::default();
    let cx = Cx { sink: &sink, effects: &effects, sources: &sources, solved: &solved };
    let done = read(&file, cx);
    let problems = sink.take();
    match done {
        Some(done) if problems.is_empty() => Ok((done, Warnings::new(sources, effects.take()))),
        _ => Err(Errors::new(sources, problems)),
    }
}

/// Mistakes in a text that is not TOML. One that makes the lines below it wrong too, such as a
/// bracket that is not closed, is reported once: an error so few lines below another is its
/// consequence.
fn syntax(source: usize, text: &str, errors: &[toml::de::Error]) -> Vec<Problem> {
    let mut found = Vec::new();
    let (mut start, mut line, mut wrong) = (0, 0, None);
    let mut headers = brackets::Headers::of(text);
    for error in errors {
        let span = error.span().unwrap_or(text.len()..text.len());
        if error.message().starts_with("duplicate key")
            && let Some(problem) = headers.cause(source, span.start)
        {
            found.extend(problem);
            continue;
        }
        line += text.get(start..span.start).unwrap_or_default().matches('\n').count();
        start = start.max(span.start);
        let follows = wrong.replace(line).is_some_and(|above| line <= above + CONSEQUENT);
        if !follows && found.len() < ENOUGH {
            let message = error.message().trim_end_matches(", expected nothing");
            let at = Loc { source, start: span.start, end: span.end };
            found.push(Problem::new("this is not TOML").at(at).label(message));
        }
    }
    found
}

/// A scenario file that is being read.
struct File<'a> {
    name: &'a str,
    text: &'a str,
    /// Tree as written in the file.
    written: &'a Node,
    /// Tree with the command line's changes.
    tree: &'a Node,
    moved: bool,
}

impl File<'_> {
    /// The end of the run as the file states it, if that is no variable's.
    fn written_end(&self, cx: Cx<'_>) -> Option<Time> {
        let sink = Sink::default();
        end(&Table::unchecked(Cx { sink: &sink, ..cx }, self.written, &keys::TOP))
    }

    /// Its outline, with the size of this tree as both the full and the quick one.
    fn outline(&self, cx: Cx<'_>) -> Option<Outline> {
        let top = Table::unchecked(cx, self.tree, &keys::TOP);
        let vars = Vars::read(&top)?;
        let assignments = vars.points(cx, self.tree.at);
        // A point's duration is all that the outline needs, and few durations are variables.
        let duration = self.tree.entries().iter().filter(|entry| entry.key == "duration");
        let kind = Kind::Table(duration.cloned().collect());
        let timed = Node { at: self.tree.at, used: None, kind };
        let mut varies = false;
        timed.variables(&mut |_, _| varies = true);
        let duration = |point: Assignment<'_>| {
            let tree = substitute(&timed, &point, cx);
            Table::unchecked(cx, &tree, &keys::TOP).read("duration", Field::time)
        };
        let all = match varies {
            true => assignments
                .iter()
                .try_fold(Span::ZERO, |sum, point| Some(sum + duration(point)?))?,
            false => duration(Assignment::new())? * assignments.len() as u64,
        };
        let seeds = top.value("seeds", seeds)?.len();
        let simulated_ns = (all * seeds as u64).nanos();
        let size = Size { points: assignments.len(), seeds, simulated_ns };
        Some(Outline {
            name: self.name.to_owned(),
            title: top.read("title", Field::text)?.trim().to_owned(),
            about: top.read("about", Field::text).unwrap_or_default().trim().to_owned(),
            source: top.read("source", Field::text).map(str::to_owned),
            swept: vars.swept(),
            quotes: self.tree.get("quote").map_or(0, |quotes| quotes.items().len()),
            full: size,
            quick: size,
        })
    }

    fn scenario(&self, origin: &Path, read: ReadFile<'_>, cx: Cx<'_>) -> Option<Scenario> {
        let top = Table::root(cx, self.tree, &keys::TOP);
        let title = top.read("title", Field::text);
        let about = top.read("about", Field::text).unwrap_or_default();
        let source = top.read("source", Field::text);
        let seeds = top.value("seeds", seeds);
        let vars = Vars::read(&top)?;
        let before = Vars::read(&Table::unchecked(cx, self.written, &keys::TOP))?;
        before.check_used(self.written, cx);
        check_quick(&top, &before);

        let assignments = vars.points(cx, self.tree.at);
        let traces = Traces::new(origin, read);
        let many = too_many_runs(self.tree, &assignments, seeds.as_deref(), cx)
            || too_many_flows(self.tree, &assignments, cx);
        let setups = match many {
            true => None,
            false => self.setups(&assignments, &traces, cx),
        };
        // A sweep that was refused for its size is not spelled out for the checks below either.
        let shown = if many { 1 } else { usize::MAX };
        let values: Vec<_> =
            assignments.iter().take(shown).map(|a| values_of(cx.sources, &a)).collect();
        let world = World::new(cx, self.written, &before, setups.as_deref(), self.moved);
        let labels = variable_labels(&top, &before);
        let figures = figures(&top, &world, &values);
        let quotes = quotes(&top, &world);

        let mut print = Fingerprint::new();
        for key in ["seeds", "vars", "sweep"].into_iter().chain(keys::substituted()) {
            if let Some(node) = self.tree.get(key) {
                print.node(key, node);
            }
        }
        traces.fingerprint(&mut print);
        let mut swept = before.swept();
        swept.extend(vars.swept());
        let mut seen = Vec::new();
        swept.retain(|name| {
            !seen.contains(name) && {
                seen.push(name.clone());
                true
            }
        });
        Some(Scenario {
            name: self.name.to_owned(),
            title: title?.trim().to_owned(),
            about: about.trim().to_owned(),
            source: source.map(str::to_owned),
            hash: print.hex(),
            seeds: seeds?,
            swept,
            without: None,
            labels,
            points: values
                .into_iter()
                .zip(setups?)
                .map(|(vars, setup)| Point { vars, setup })
                .collect(),
            figures,
            quotes,
            warnings: Warnings::default(),
            text: self.text.to_owned(),
        })
    }

    /// Reads every point. A problem at some of the points names one of them.
    fn setups(&self, points: &Points<'_>, traces: &Traces<'_>, cx: Cx<'_>) -> Option<Vec<Setup>> {
        let mut setups = Vec::new();
        // Without the parts that all points share: copying those for each point would take time
        // quadratic in their number.
        let mut own = self.tree.clone();
        if let Kind::Table(entries) = &mut own.kind {
            let common = ["vars", "sweep", "labels", "quick", "figure", "quote"];
            entries.retain(|entry| !common.contains(&entry.key.as_str()));
        }
        // The number of points with each problem, and the first of them.
        let mut found: BTreeMap<Problem, (usize, usize)> = BTreeMap::new();
        let mut read = 0;
        let mut flows = 0;
        let written = self.written_end(cx);
        for (i, point) in points.iter().enumerate() {
            let sink = Sink::default();
            let cx = Cx { sink: &sink, ..cx };
            let tree = substitute(&own, &point, cx);
            let top = Table::root(cx, &tree, &keys::TOP);
            setups.extend(setup(&top, traces, self.moved, written));
            read += 1;
            for problem in sink.take() {
                found.entry(problem).or_insert((0, i)).0 += 1;
            }
            flows += setups.last().map_or(0, |s| s.flows.len());
            if flows > MAX_FLOWS {
                let all = format!("all points together have more than {MAX_FLOWS} flows");
                found.insert(Problem::new(all), (read, i));
            }
            if found.len() >= ENOUGH || flows > MAX_FLOWS {
                break;
            }
        }
        let fine = found.is_empty() && setups.len() == points.len();
        for (problem, (times, first)) in found {
            let named = times < read && problem.related.is_empty();
            let point = points.iter().nth(first).filter(|_| named);
            let problem = if let Some(point) = point {
                let values = values_of(cx.sources, &point);
                let at: Vec<String> =
                    values.iter().map(|(name, v)| format!("{name} = {}", v.text)).collect();
                problem.help(format!("this happens at {}", at.join(", ")))
            } else {
                problem
            };
            cx.sink.report(problem);
        }
        fine.then_some(setups)
    }
}

/// A number of seeds, or a list of seeds.
fn seeds(field: &Field<'_>) -> Option<Vec<u64>> {
    if !field.is_list() {
        return field.whole().map(|n| (1..=n).collect());
    }
    let (mut seeds, mut seen) = (Vec::new(), BTreeSet::new());
    for item in field.items()? {
        let seed = item.whole()?;
        if !seen.insert(seed) {
            return item.bad("this seed is already in the list");
        }
        seeds.push(seed);
    }
    Some(seeds)
}

/// Display names of variables from the file.
fn variable_labels(top: &Table<'_>, vars: &Vars) -> BTreeMap<String, String> {
    let mut labels = BTreeMap::new();
    let Some(table) = top.read("labels", Field::table) else {
        return labels;
    };
    let names = vars.names();
    for (entry, field) in table.others() {
        if !names.contains(&entry.key.as_str()) {
            let unknown = crate::sweep::unknown_variable(&entry.key, entry.key_at, &names);
            field.report(unknown.key(join(&table.path, &entry.key)));
        }
        if let Some(label) = field.short_text() {
            labels.insert(entry.key.clone(), label.to_owned());
        }
    }
    labels
}

/// Checks `[quick]` even where it does not take effect.
fn check_quick(top: &Table<'_>, vars: &Vars) {
    let Some(quick) = top.read("quick", Field::table) else {
        return;
    };
    quick.read("seeds", seeds);
    quick.read("duration", Field::time);
    quick.read("warmup", Field::time);
    let Some(lists) = quick.read("sweep", Field::table) else {
        return;
    };
    for (entry, field) in lists.others() {
        let names = vars.names();
        if !names.contains(&entry.key.as_str()) {
            let unknown = crate::sweep::unknown_variable(&entry.key, entry.key_at, &names);
            field.report(unknown.key(join(&quick.path, &entry.key)));
        }
        values(&field, false);
    }
}
