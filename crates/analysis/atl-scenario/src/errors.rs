//! The problems of a scenario, each with its place.

use std::cell::RefCell;
use std::collections::BTreeSet;
use std::fmt;

use annotate_snippets::{AnnotationKind, Group, Level, Renderer, Snippet};
use serde::Serialize;

use crate::tree::{Loc, Sources};
use crate::visible::visible;

/// Limit on the problems shown; a file with more usually repeats one mistake.
const MAX_SHOWN: usize = 50;

/// A problem found while the file is read.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(crate) struct Problem {
    pub message: String,
    /// Path of the key, such as `link.air.delay`.
    pub key: String,
    pub at: Option<Loc>,
    /// Text below the marked place.
    pub label: String,
    /// Further places to mark, each with its text.
    pub related: Vec<(Loc, String)>,
    /// Suggestions: allowed values, or what was probably meant.
    pub help: Vec<String>,
}

impl Problem {
    pub(crate) fn new(message: impl Into<String>) -> Self {
        Problem {
            message: message.into(),
            key: String::new(),
            at: None,
            label: String::new(),
            related: Vec::new(),
            help: Vec::new(),
        }
    }

    /// Spells out control characters in all texts, for a terminal.
    fn visible(mut self) -> Self {
        let texts = [&mut self.message, &mut self.key, &mut self.label].into_iter();
        let related = self.related.iter_mut().map(|(_, text)| text);
        for text in texts.chain(related).chain(&mut self.help) {
            if text.chars().any(char::is_control) {
                *text = visible(text);
            }
        }
        self
    }

    pub(crate) fn at(mut self, at: Loc) -> Self {
        self.at = Some(at);
        self
    }

    pub(crate) fn key(mut self, key: impl Into<String>) -> Self {
        self.key = key.into();
        self
    }

    pub(crate) fn label(mut self, label: impl Into<String>) -> Self {
        self.label = label.into();
        self
    }

    pub(crate) fn related(mut self, at: Loc, label: impl Into<String>) -> Self {
        self.related.push((at, label.into()));
        self
    }

    pub(crate) fn help(mut self, help: impl Into<String>) -> Self {
        self.help.push(help.into());
        self
    }

    /// Suggests the candidates most similar to `word`, or lists all if none is similar.
    pub(crate) fn nearest<'a>(
        self,
        word: &str,
        candidates: impl IntoIterator<Item = &'a str>,
    ) -> Self {
        let candidates: Vec<&str> = candidates.into_iter().collect();
        if candidates.is_empty() || !near(word, &candidates).is_empty() {
            return self.suggest(word, &candidates);
        }
        self.help(format!("available: {}", list(&candidates)))
    }

    /// Suggests the candidates most similar to `word`, if any is similar.
    pub(crate) fn suggest(self, word: &str, candidates: &[&str]) -> Self {
        match near(word, candidates).as_slice() {
            [] => self,
            near => self.help(format!("did you mean {}?", alternatives(near))),
        }
    }
}

/// The candidates probably meant by `word`, most similar first; at most three.
pub fn near<'a>(word: &str, candidates: &[&'a str]) -> Vec<&'a str> {
    // So long a text is not a misspelt name, and comparing it would take long.
    if word.len() > 100 {
        return Vec::new();
    }
    let lower = word.to_lowercase();
    let alike = |candidate: &str| {
        let candidate = candidate.to_lowercase();
        let score = strsim::jaro_winkler(&lower, &candidate);
        // In a short word, one mistake changes a large share of it.
        let slip = lower.len() > 1 && strsim::damerau_levenshtein(&lower, &candidate) <= 1;
        (score > 0.8 || slip).then_some(score)
    };
    let mut scored: Vec<(f64, &str)> =
        candidates.iter().filter_map(|c| Some((alike(c)?, *c))).collect();
    scored.sort_by(|a, b| b.0.total_cmp(&a.0).then_with(|| a.1.cmp(b.1)));
    scored.into_iter().take(3).map(|(_, c)| c).collect()
}

fn alternatives(words: &[&str]) -> String {
    let quoted: Vec<String> = words.iter().map(|w| format!("`{w}`")).collect();
    quoted.join(" or ")
}

/// Joins words as in `a, b, c`; ends after twenty.
pub(crate) fn list(words: &[&str]) -> String {
    let mut quoted: Vec<String> = words.iter().take(20).map(|w| format!("`{w}`")).collect();
    if words.len() > 20 {
        quoted.push("...".to_owned());
    }
    quoted.join(", ")
}

/// Collects problems while a file is read.
#[derive(Debug, Default)]
pub(crate) struct Sink(RefCell<Vec<Problem>>, RefCell<BTreeSet<Problem>>);

impl Sink {
    /// Adds a problem, unless the same is there already.
    pub(crate) fn report(&self, problem: Problem) {
        let problem = problem.visible();
        if self.1.borrow_mut().insert(problem.clone()) {
            self.0.borrow_mut().push(problem);
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.0.borrow().is_empty()
    }

    /// True if there are as many problems as are ever shown: what helps with another one need not
    /// be looked for.
    pub(crate) fn is_full(&self) -> bool {
        self.0.borrow().len() >= MAX_SHOWN
    }

    pub(crate) fn take(&self) -> Vec<Problem> {
        self.0.take()
    }
}

/// All problems of a scenario. `Display` shows them in the style of compiler errors, without
/// colours.
#[derive(Clone, Debug)]
pub struct Errors {
    sources: Sources,
    problems: Vec<Problem>,
    warnings: bool,
}

/// Parts of a scenario that are allowed but probably not meant: keys without any effect, and values
/// that are easily mistaken for others.
#[derive(Clone, Debug, Default)]
pub struct Warnings(Option<Errors>);

impl Warnings {
    pub(crate) fn new(sources: Sources, problems: Vec<Problem>) -> Warnings {
        let found = (!problems.is_empty()).then(|| Errors::new(sources, problems));
        Warnings(found.map(|errors| Errors { warnings: true, ..errors }))
    }

    /// All warnings as data.
    pub fn reports(&self) -> Vec<Report> {
        self.0.as_ref().map(Errors::reports).unwrap_or_default()
    }

    /// Text in the style of compiler warnings, with terminal colours if `color`; empty if there are
    /// none.
    pub fn render(&self, color: bool) -> String {
        self.0.as_ref().map(|errors| errors.render(color)).unwrap_or_default()
    }
}

/// A problem as data.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Report {
    /// Path of the file, or the argument of the command line.
    pub file: String,
    /// Line from 1; `None` for a problem of the whole file.
    pub line: Option<usize>,
    /// Column in characters from 1; `None` for a problem of the whole file.
    pub column: Option<usize>,
    /// Path of the key, such as `link.air.delay`.
    pub key: String,
    /// Text of the file at that place.
    pub value: String,
    /// Description of the problem.
    pub message: String,
    /// Suggestions: allowed values, or what was probably meant.
    pub help: Vec<String>,
}

impl Errors {
    /// Sorts problems by place.
    pub(crate) fn new(sources: Sources, mut problems: Vec<Problem>) -> Self {
        problems.sort_by_key(|p| p.at);
        Errors { sources, problems, warnings: false }
    }

    /// Number of problems, at least 1.
    #[expect(clippy::len_without_is_empty, reason = "never empty")]
    pub fn len(&self) -> usize {
        self.problems.len()
    }

    /// All problems as data, by place.
    pub fn reports(&self) -> Vec<Report> {
        let lines: Vec<Vec<usize>> = self.sources.0.iter().map(|s| line_starts(&s.text)).collect();
        self.problems.iter().map(|p| self.report(p, &lines)).collect()
    }

    fn report(&self, problem: &Problem, lines: &[Vec<usize>]) -> Report {
        let source = problem.at.map_or(0, |at| at.source);
        let place = problem.at.map(|at| self.place(at, lines));
        let mut message = problem.message.clone();
        if !problem.label.is_empty() {
            message = format!("{message}: {}", problem.label);
        }
        Report {
            file: self.sources.0.get(source).map(|s| s.name.clone()).unwrap_or_default(),
            line: place.map(|p| p.0),
            column: place.map(|p| p.1),
            key: problem.key.clone(),
            value: problem.at.map(|at| self.sources.slice(at).to_owned()).unwrap_or_default(),
            message,
            help: problem.help.clone(),
        }
    }

    /// Line and column, each from 1.
    fn place(&self, at: Loc, lines: &[Vec<usize>]) -> (usize, usize) {
        let text = self.sources.0.get(at.source).map_or("", |s| s.text.as_str());
        let start = floor(text, at.start);
        let starts = lines.get(at.source).map_or(&[0][..], Vec::as_slice);
        let line = starts.partition_point(|&begin| begin <= start);
        let begin = starts.get(line.wrapping_sub(1)).copied().unwrap_or(0);
        (line, text[begin..start].chars().count() + 1)
    }

    /// Text in the style of compiler errors, with terminal colours if `color`.
    pub fn render(&self, color: bool) -> String {
        let renderer = if color { Renderer::styled() } else { Renderer::plain() };
        let mut out = String::new();
        for problem in self.problems.iter().take(MAX_SHOWN) {
            out.push_str(&renderer.render(&[self.group(problem)]));
            out.push_str("\n\n");
        }
        if self.problems.len() > MAX_SHOWN {
            out.push_str(&format!("... and {} more\n\n", self.problems.len() - MAX_SHOWN));
        }
        out.push_str(&format!("{}\n", self.count()));
        out
    }

    /// Number of problems in the file and on the command line.
    fn count(&self) -> String {
        let file = self.sources.0.first().map_or("scenario", |s| s.name.as_str());
        let typed = self.problems.iter().filter(|p| p.at.is_some_and(|at| at.source > 0)).count();
        let written = self.problems.len() - typed;
        let what = if self.warnings { "warning" } else { "error" };
        let some = |n: usize| if n == 1 { format!("1 {what}") } else { format!("{n} {what}s") };
        match (written, typed) {
            (0, typed) => format!("{} on the command line", some(typed)),
            (written, 0) => format!("{} in {file}", some(written)),
            (written, typed) => {
                format!("{} in {file}, {typed} on the command line", some(written))
            }
        }
    }

    fn group<'a>(&'a self, problem: &'a Problem) -> Group<'a> {
        let level = if self.warnings { Level::WARNING } else { Level::ERROR };
        let mut group = Group::with_title(level.primary_title(problem.message.as_str()));
        // A snippet for each text, so that places in the file and on the command line appear
        // separately.
        let mut places: Vec<(Loc, AnnotationKind, &str)> = Vec::new();
        places.extend(problem.at.map(|at| (at, AnnotationKind::Primary, problem.label.as_str())));
        for (at, label) in &problem.related {
            places.push((*at, AnnotationKind::Context, label));
        }
        let mut shown = Vec::new();
        for &(first, ..) in &places {
            if shown.contains(&first.source) {
                continue;
            }
            shown.push(first.source);
            let Some(source) = self.sources.0.get(first.source) else {
                continue;
            };
            let text = source.text.as_str();
            let annotations = places.iter().filter(|(at, ..)| at.source == first.source).map(
                |(at, kind, label)| {
                    let start = floor(text, at.start);
                    let end = floor(text, at.end).max(start);
                    kind.span(start..end).label((!label.is_empty()).then_some(*label))
                },
            );
            group = group
                .element(Snippet::source(text).path(source.name.as_str()).annotations(annotations));
        }
        if places.is_empty()
            && let Some(source) = self.sources.0.first()
        {
            group = group.element(annotate_snippets::Origin::path(source.name.as_str()));
        }
        for help in &problem.help {
            group = group.element(Level::HELP.message(help.as_str()));
        }
        group
    }
}

/// Offset of each line in bytes.
fn line_starts(text: &str) -> Vec<usize> {
    std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect()
}

/// The nearest character boundary at or before a byte of the text.
fn floor(text: &str, byte: usize) -> usize {
    let mut at = byte.min(text.len());
    while !text.is_char_boundary(at) {
        at -= 1;
    }
    at
}

impl fmt::Display for Errors {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.render(false))
    }
}

impl std::error::Error for Errors {}

impl Serialize for Errors {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.reports().serialize(serializer)
    }
}
