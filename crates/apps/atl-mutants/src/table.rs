//! The files that a run leaves: a row for each mutant, and counts for each file.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::PathBuf;

use crate::catalogue::{Key, Mutant};
use crate::explained::Explained;
use crate::judge::Verdict;

/// The first line of a table.
const HEAD: &str =
    "number\tfile\tline\tfunction\toperator\tbefore\tafter\tnth\tverdict\tprogram\ttest";

/// The columns of a mutant in a table.
#[must_use]
pub fn row(mutant: &Mutant) -> String {
    let change = &mutant.change;
    format!(
        "{}\t{}\t{}\t{}\t{}\t{}\t{}\t{}",
        mutant.number,
        mutant.file.display(),
        change.lines.0,
        change.function,
        change.operator,
        change.before,
        change.after,
        mutant.nth
    )
}

/// Names of mutants, one in a line.
#[must_use]
pub fn of_keys(keys: &[Key]) -> String {
    let line = |(file, function, before, after, nth): &Key| {
        format!("{}\t{function}\t{before}\t{after}\t{nth}\n", file.display())
    };
    keys.iter().map(line).collect()
}

/// The names that [`of_keys`] has written; other lines are passed over.
#[must_use]
pub fn keys(text: &str) -> BTreeSet<Key> {
    let key = |line: &str| {
        let columns: Vec<&str> = line.split('\t').collect();
        let [file, function, before, after, nth] = columns[..] else { return None };
        Some((file.into(), function.into(), before.into(), after.into(), nth.parse().ok()?))
    };
    text.lines().filter_map(key).collect()
}

/// The word for a verdict in a table.
fn word(verdict: &Verdict, explained: bool) -> &'static str {
    match verdict {
        Verdict::Killed { .. } => "killed",
        Verdict::TimedOut { .. } => "timed out",
        Verdict::Survived { .. } | Verdict::Unreached if explained => "explained",
        Verdict::Survived { .. } => "survived",
        Verdict::Unreached => "unreached",
        Verdict::NotRun => "not run",
    }
}

/// The table of a run, tab-separated.
#[must_use]
pub fn table(
    mutants: &BTreeMap<u32, Mutant>,
    verdicts: &BTreeMap<u32, Verdict>,
    explained: &Explained,
) -> String {
    let mut out = format!("{HEAD}\n");
    for (number, mutant) in mutants {
        let Some(verdict) = verdicts.get(number) else { continue };
        let (program, test) = match verdict {
            Verdict::Killed { by, test } => (by.as_str(), test.clone()),
            Verdict::TimedOut { by } => (by.as_str(), String::new()),
            Verdict::Survived { meet, ran } => ("", format!("{ran} of {meet} tests that meet it")),
            _ => ("", String::new()),
        };
        let word = word(verdict, explained.why(&mutant.key()).is_some());
        _ = writeln!(out, "{}\t{word}\t{program}\t{test}", row(mutant));
    }
    out
}

/// The mutants of an earlier table that nothing killed.
///
/// # Errors
///
/// It is no table of this program; the message names the line.
pub fn alive(table: &str) -> Result<BTreeSet<Key>, String> {
    let mut out = BTreeSet::new();
    for (at, line) in table.lines().enumerate() {
        if at == 0 {
            if line != HEAD {
                return Err("line 1: not the head of a table of mutants".to_owned());
            }
            continue;
        }
        let columns: Vec<&str> = line.split('\t').collect();
        let [_, file, _, function, _, before, after, nth, word, ..] = columns[..] else {
            return Err(format!("line {}: {} columns, not 11", at + 1, columns.len()));
        };
        let nth = nth.parse().map_err(|_| format!("line {}: `{nth}` is no number", at + 1))?;
        if ["survived", "unreached", "explained", "not run"].contains(&word) {
            out.insert((PathBuf::from(file), function.into(), before.into(), after.into(), nth));
        }
    }
    Ok(out)
}

/// Mutants by their fate.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Counts {
    /// Killed by the unit tests and integration tests of their own crate.
    pub own: usize,
    /// Killed by tests of other crates.
    pub beyond: usize,
    /// A test did not end.
    pub timed_out: usize,
    /// All tests that meet them pass.
    pub survived: usize,
    /// No test meets them.
    pub unreached: usize,
    /// Survivors with a reason in the list.
    pub explained: usize,
    /// The time was up.
    pub not_run: usize,
}

impl Counts {
    /// Mutants that were judged.
    #[must_use]
    pub fn judged(&self) -> usize {
        self.own + self.beyond + self.timed_out + self.alive() + self.explained
    }

    /// Survivors that nothing explains, and mutants that no test meets.
    #[must_use]
    pub fn alive(&self) -> usize {
        self.survived + self.unreached
    }

    /// Of all that were judged, the share that is alive without a reason, in percent.
    #[must_use]
    pub fn alive_percent(&self) -> f64 {
        100.0 * self.alive() as f64 / self.judged().max(1) as f64
    }
}

/// Counts by file, with those of all last.
#[must_use]
pub fn counts(
    mutants: &BTreeMap<u32, Mutant>,
    verdicts: &BTreeMap<u32, Verdict>,
    explained: &Explained,
    own: &BTreeSet<String>,
) -> (BTreeMap<PathBuf, Counts>, Counts) {
    let (mut files, mut all) = (BTreeMap::<PathBuf, Counts>::new(), Counts::default());
    for (number, mutant) in mutants {
        let Some(verdict) = verdicts.get(number) else { continue };
        let why = explained.why(&mutant.key()).is_some();
        for counts in [files.entry(mutant.file.clone()).or_default(), &mut all] {
            *match verdict {
                Verdict::Killed { by, .. } if own.contains(by) => &mut counts.own,
                Verdict::Killed { .. } => &mut counts.beyond,
                Verdict::TimedOut { .. } => &mut counts.timed_out,
                Verdict::Survived { .. } | Verdict::Unreached if why => &mut counts.explained,
                Verdict::Survived { .. } => &mut counts.survived,
                Verdict::Unreached => &mut counts.unreached,
                Verdict::NotRun => &mut counts.not_run,
            } += 1;
        }
    }
    (files, all)
}

/// The counts as lines with aligned columns.
#[must_use]
pub fn summary(files: &BTreeMap<PathBuf, Counts>, all: &Counts) -> String {
    let width = files.keys().map(|file| file.as_os_str().len()).max().unwrap_or(0);
    let mut out = format!(
        "{:width$} {:>7} {:>5} {:>7} {:>7} {:>8} {:>9} {:>9} {:>7} {:>8}\n",
        "",
        "mutants",
        "own",
        "beyond",
        "timeout",
        "survived",
        "unreached",
        "explained",
        "not run",
        "alive %"
    );
    let rows = files.iter().map(|(file, counts)| (file.display().to_string(), counts));
    for (name, counts) in rows.chain([("all".to_owned(), all)]) {
        _ = writeln!(
            out,
            "{name:width$} {:>7} {:>5} {:>7} {:>7} {:>8} {:>9} {:>9} {:>7} {:>8.1}",
            counts.judged() + counts.not_run,
            counts.own,
            counts.beyond,
            counts.timed_out,
            counts.survived,
            counts.unreached,
            counts.explained,
            counts.not_run,
            counts.alive_percent()
        );
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::place::Change;

    fn mutant(number: u32, before: &str) -> Mutant {
        let change = Change {
            range: 0..1,
            lines: (7, 7),
            function: "f".to_owned(),
            operator: "arithmetic",
            before: before.to_owned(),
            after: "x".to_owned(),
        };
        Mutant { number, file: "a.rs".into(), change, nth: 1, in_file: 0 }
    }

    fn run() -> (BTreeMap<u32, Mutant>, BTreeMap<u32, Verdict>, Explained) {
        let killed = |by: &str| Verdict::Killed { by: by.to_owned(), test: "t".to_owned() };
        let survived = Verdict::Survived { meet: 3, ran: 2 };
        let verdicts = [
            killed("own"),
            killed("sim"),
            Verdict::TimedOut { by: "own".to_owned() },
            survived.clone(),
            Verdict::Unreached,
            survived,
            Verdict::NotRun,
        ];
        let numbered = |(at, verdict)| (u32::try_from(at).expect("few") + 1, verdict);
        let verdicts: BTreeMap<u32, Verdict> =
            verdicts.into_iter().enumerate().map(numbered).collect();
        let mutants =
            verdicts.keys().map(|number| (*number, mutant(*number, &format!("b{number}"))));
        let why = "[[mutant]]\nfile = \"a.rs\"\nfunction = \"f\"\nbefore = \"b6\"\nafter = \"x\"\n\
                   why = \"the same\"\n";
        (mutants.collect(), verdicts, Explained::read(why).expect("a list"))
    }

    #[test]
    fn each_ending_is_counted_once_and_the_share_is_of_what_was_judged() {
        let (mutants, verdicts, explained) = run();
        let own = BTreeSet::from(["own".to_owned()]);
        let (files, all) = counts(&mutants, &verdicts, &explained, &own);
        let expected = Counts {
            own: 1,
            beyond: 1,
            timed_out: 1,
            survived: 1,
            unreached: 1,
            explained: 1,
            not_run: 1,
        };
        assert_eq!((all, files.len()), (expected, 1));
        assert_eq!((all.judged(), all.alive()), (6, 2));
        assert!((all.alive_percent() - 100.0 / 3.0).abs() < 1e-12);
        assert!(summary(&files, &all).lines().last().expect("a line").trim_end().ends_with("33.3"));
    }

    #[test]
    fn names_of_mutants_are_read_as_they_were_written() {
        let keys: Vec<Key> = run().0.values().map(Mutant::key).collect();
        assert_eq!(super::keys(&of_keys(&keys)), keys.into_iter().collect());
        assert_eq!(super::keys("no name\n"), BTreeSet::new());
    }

    #[test]
    fn a_table_tells_which_mutants_are_alive() {
        let (mutants, verdicts, explained) = run();
        let alive = alive(&table(&mutants, &verdicts, &explained)).expect("a table");
        let before: Vec<&str> = alive.iter().map(|(_, _, before, ..)| before.as_str()).collect();
        assert_eq!(before, ["b4", "b5", "b6", "b7"]);
        assert!(super::alive("x\n").expect_err("no table").contains("line 1"));
        assert!(super::alive(&format!("{HEAD}\n1\ta.rs\n")).expect_err("short").contains("line 2"));
    }
}
