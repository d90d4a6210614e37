//! The matrix as Markdown.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use atl_lab::{Broken, Measured, Report};

use super::Column;
use super::causes::UNKNOWN;

const CLOSE: &str = "<!-- end generated -->";

/// Where a generated part of the page lies.
fn part(page: &str, name: &str) -> std::ops::Range<usize> {
    let open = format!("<!-- generated: {name} -->\n");
    let start = page.find(&open).unwrap_or_else(|| panic!("there is no {open}")) + open.len();
    start..start + page[start..].find(CLOSE).expect("the end of the generated part")
}

/// The page with `text` in the place of a generated part.
pub(super) fn with(page: &str, name: &str, text: &str) -> String {
    let part = part(page, name);
    format!("{}\n{text}\n{}", &page[..part.start], &page[part.end..])
}

/// The first cell of a case in a law's column.
pub(super) fn looked_up<'a>(page: &'a str, name: &str, case: &str, heading: &str) -> &'a str {
    let table = &page[part(page, name)];
    let line = |begin: &str| -> Vec<&'a str> {
        let line = table.lines().find(|line| line.starts_with(begin));
        line.unwrap_or_else(|| panic!("no line {begin}"))
            .split(" | ")
            .map(|c| c.trim_matches([' ', '|']))
            .collect()
    };
    let at = line("| case |").iter().position(|cell| *cell == heading);
    line(&format!("| `{case}` |"))[at.unwrap_or_else(|| panic!("no column {heading}"))]
}

/// The first line in which two texts differ.
pub(super) fn first_difference<'a>(old: &'a str, new: &'a str) -> Option<(&'a str, &'a str)> {
    if old == new {
        return None;
    }
    let (mut old, mut new) = (old.lines(), new.lines());
    loop {
        match (old.next(), new.next()) {
            (None, None) => return Some(("its line ends", "others")),
            (a, b) if a != b => return Some((a.unwrap_or("no more"), b.unwrap_or("no more"))),
            _ => {}
        }
    }
}

/// The tables of a suite.
pub(super) fn matrix(columns: &[Column]) -> String {
    let mut causes = Causes::default();
    let mut text = numbers(columns, true);
    text += "\nExpectations that are not met:\n\n";
    text += &unmet(columns, &mut causes);
    text += "\nRules that are broken:\n\n";
    text += &broken(columns, &mut causes);
    text + &causes.list()
}

/// The tables of a suite without the rules of the standards.
#[cfg(all(feature = "quinn", feature = "s2n"))]
pub(super) fn expectations(columns: &[Column]) -> String {
    let mut causes = Causes::default();
    let mut text = numbers(columns, false);
    text += "\nExpectations that are not met:\n\n";
    text += &unmet(columns, &mut causes);
    text + &causes.list()
}

/// The causes of a page by number, in the order of their first mention.
#[derive(Default)]
struct Causes(Vec<String>);

impl Causes {
    fn number(&mut self, cause: Option<&str>) -> String {
        let cause = cause.unwrap_or(UNKNOWN);
        if cause == UNKNOWN {
            return UNKNOWN.to_owned();
        }
        let known = self.0.iter().position(|known| known == cause);
        let at = known.unwrap_or_else(|| {
            self.0.push(cause.to_owned());
            self.0.len() - 1
        });
        (at + 1).to_string()
    }

    fn list(&self) -> String {
        if self.0.is_empty() {
            return String::new();
        }
        let mut text = String::from("\nCauses:\n\n");
        for (i, cause) in self.0.iter().enumerate() {
            writeln!(text, "{}. {cause}.", i + 1).expect("a string takes it");
        }
        text
    }
}

fn row(text: &mut String, cells: impl IntoIterator<Item = String>) {
    let cells: Vec<String> = cells.into_iter().map(|cell| cell.replace('|', "\\|")).collect();
    writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes it");
}

fn header(text: &mut String, cells: Vec<String>) {
    let rule = vec!["---".to_owned(); cells.len()];
    row(text, cells);
    row(text, rule);
}

fn clean(case: &Report, rules: bool) -> bool {
    (!rules || case.broken.is_empty()) && case.measured.iter().all(|measured| measured.met)
}

fn cases(column: &Column) -> impl Iterator<Item = &Report> {
    column.report.cases.iter()
}

fn measured(column: &Column) -> impl Iterator<Item = (&str, &Measured)> {
    cases(column).flat_map(|case| case.measured.iter().map(|m| (short(case), m)))
}

fn broken_of(column: &Column) -> impl Iterator<Item = (&str, &Broken)> {
    cases(column).flat_map(|case| case.broken.iter().map(|b| (short(case), b)))
}

/// A case's name within its suite.
fn short(case: &Report) -> &str {
    case.case.split_once('/').map_or(&case.case, |(_, name)| name)
}

/// The figures of each law, in the order of the suite's cases; with `rules` the count of those that
/// were broken, too.
fn numbers(columns: &[Column], rules: bool) -> String {
    let mut text = String::new();
    let mut cells = vec!["case".to_owned(), "expected".to_owned()];
    cells.extend(columns.iter().map(|column| column.law.heading()));
    header(&mut text, cells);
    let first = &columns[0].report;
    let passed =
        |column: &Column| cases(column).filter(|case| clean(case, rules)).count().to_string();
    let mut cells =
        vec!["all".to_owned(), format!("{} cases without a failure", first.cases.len())];
    cells.extend(columns.iter().map(passed));
    row(&mut text, cells);
    for (i, case) in first.cases.iter().enumerate() {
        let name = format!("`{}`", short(case));
        for (j, line) in case.measured.iter().enumerate() {
            let mut cells = vec![name.clone(), line.expected.clone()];
            cells.extend(columns.iter().map(|column| cell(&column.report.cases[i].measured[j])));
            row(&mut text, cells);
        }
        let broken: Vec<usize> =
            columns.iter().map(|column| column.report.cases[i].broken.len()).collect();
        if rules && broken.iter().any(|&broken| broken > 0) {
            let mut cells = vec![name, "no rule broken".to_owned()];
            let shown =
                |broken: usize| if broken == 0 { "0".to_owned() } else { format!("**{broken}**") };
            cells.extend(broken.into_iter().map(shown));
            row(&mut text, cells);
        }
    }
    text
}

/// A number; what is not met stands out, with the seed that is furthest from it.
pub(super) fn cell(measured: &Measured) -> String {
    let Measured { shown, worst, met, .. } = measured;
    if *met { shown.clone() } else { format!("**{shown}** ({worst})") }
}

fn unmet(columns: &[Column], causes: &mut Causes) -> String {
    let mut text = String::new();
    header(&mut text, ["law", "case", "got", "by seed", "cause"].map(str::to_owned).into());
    for column in columns {
        for (case, measured) in measured(column).filter(|(_, measured)| !measured.met) {
            let seeds: Vec<String> =
                measured.seeds.iter().map(|(seed, value)| format!("{seed}: {value}")).collect();
            let cause = causes.number(measured.known.as_deref());
            let got = format!("{}; {}", measured.shown, measured.expected);
            let case = format!("`{case}`");
            row(&mut text, [column.law.heading(), case, got, seeds.join(", "), cause]);
        }
    }
    text
}

/// The rules that each law breaks, with the first occurrence and all cases.
fn broken(columns: &[Column], causes: &mut Causes) -> String {
    let mut text = String::new();
    let heads = ["law", "rule", "cases", "first occurrence", "cause"];
    header(&mut text, heads.map(str::to_owned).into());
    for column in columns {
        let mut by_rule: BTreeMap<_, Vec<(&str, &Broken)>> = BTreeMap::new();
        for (case, broken) in broken_of(column) {
            by_rule.entry(broken.finding.rule).or_default().push((case, broken));
        }
        for (rule, all) in by_rule {
            let (case, first) = all[0];
            let names: Vec<String> = all.iter().map(|(case, _)| format!("`{case}`")).collect();
            let at = first.finding.at.as_secs_f64();
            let seen = format!(
                "`{case}`, seed {}, {at:.3} s: {}, {} in all",
                first.seed, first.finding.detail, first.finding.count
            );
            let cause = causes.number(first.known.as_deref());
            let rule = format!("`{rule}`");
            row(&mut text, [column.law.heading(), rule, names.join(", "), seen, cause]);
        }
    }
    text
}
