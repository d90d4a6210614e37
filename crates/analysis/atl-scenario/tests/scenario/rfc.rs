//! `docs/rfc.md`: requirements of RFCs with the tests that hold this program to them. Tests state
//! theirs in their documentation:
//!
//! ```text
//! /// rfc8289 5.5: What the RFC requires, in one sentence.
//! /// Deviation: what is different here, if anything.
//! /// Reason: why.
//! #[test]
//! fn the_name_of_the_test() {}
//! ```

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::Path;

const HEAD: &str = "\
# Requirements of RFCs

Generated from the tests by `make generate`: each requirement of an RFC that this program implements has a test, whose documentation states it. `cargo test -p CRATE NAME` runs one.
What is not listed is not implemented, or not tested.

Sections and numbers of RFC 3168, 5348 (marks), 6679, 8033, 8257, 8289, 8290, 8511, 8698 (marks), 8888, 9331 and 9332 were compared with the RFC Editor's texts, as were those of RFC 2992, 3819 and 4737 that
[scenarios.md](scenarios.md) cites for jitter and reordering. Of RFC 9768 the last draft was read
(draft-ietf-tcpm-accurate-ecn-34), of which the RFC is the edited version, with the same sections.
";

/// The document that requires it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Source {
    Rfc(u32),
    /// The paper, the one on COBALT, and Linux's `sch_cake`.
    Cake,
}

impl Default for Source {
    fn default() -> Self {
        Source::Rfc(0)
    }
}

/// A requirement, as a test states it.
#[derive(Debug, Default, PartialEq)]
struct Requirement {
    source: Source,
    section: String,
    text: String,
    deviation: String,
    reason: String,
    /// Crate and name of the test.
    test: (String, String),
}

/// The page with the requirements that all tests below `root` state.
pub(crate) fn page(root: &Path) -> String {
    let mut files = Vec::new();
    rust_files(&root.join("crates"), &mut files);
    files.sort();
    let mut all = Vec::new();
    for file in files {
        let text = fs::read_to_string(root.join("crates").join(&file)).expect("UTF-8");
        let krate = file.split('/').find(|part| part.starts_with("atl")).unwrap_or_default();
        match requirements(&text, krate) {
            Ok(found) => all.extend(found),
            Err(error) => panic!("{file}: {error}"),
        }
    }
    table(&all)
}

fn rust_files(dir: &Path, out: &mut Vec<String>) {
    let mut dirs = vec![dir.to_owned()];
    while let Some(current) = dirs.pop() {
        for entry in fs::read_dir(&current).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                dirs.push(path);
            } else if path.extension().is_some_and(|ext| ext == "rs") {
                let inside = path.strip_prefix(dir).expect("below it");
                out.push(inside.to_string_lossy().replace('\\', "/"));
            }
        }
    }
}

/// The source, the section and the beginning of the text of a line like `rfc8289 5.5: Text`, or
/// `cake flow isolation: Text`.
fn stated(line: &str) -> Option<(Source, &str, &str)> {
    let (place, text) = line.split_once(": ")?;
    let (source, section) = place.split_once(' ')?;
    let source = match source.strip_prefix("rfc") {
        Some(rfc) => Source::Rfc(rfc.parse().ok()?),
        None => (source == "cake").then_some(Source::Cake)?,
    };
    Some((source, section, text))
}

/// The requirements that the tests of a file state.
fn requirements(text: &str, krate: &str) -> Result<Vec<Requirement>, String> {
    let mut all = Vec::new();
    let mut open: Vec<Requirement> = Vec::new();
    // The part of the last requirement that a line without a beginning of its own continues.
    let mut part: Option<fn(&mut Requirement) -> &mut String> = None;
    let mut is_test = false;
    for line in text.lines().map(str::trim_start) {
        if let Some(comment) = line.strip_prefix("///").map(str::trim) {
            if let Some((source, section, text)) = stated(comment) {
                let (section, text) = (section.to_owned(), text.to_owned());
                open.push(Requirement { source, section, text, ..Requirement::default() });
                part = Some(|requirement| &mut requirement.text);
            } else if let Some(last) = open.last_mut() {
                if comment.is_empty() {
                    part = None;
                } else if let Some(deviation) = comment.strip_prefix("Deviation: ") {
                    deviation.clone_into(&mut last.deviation);
                    part = Some(|requirement| &mut requirement.deviation);
                } else if let Some(reason) = comment.strip_prefix("Reason: ") {
                    reason.clone_into(&mut last.reason);
                    part = Some(|requirement| &mut requirement.reason);
                } else if let Some(part) = part {
                    let part = part(last);
                    part.push(' ');
                    part.push_str(comment);
                }
            }
        } else if line.starts_with('#') {
            is_test |= line.starts_with("#[test]") || line.starts_with("#[tokio::test");
        } else if !open.is_empty() {
            let name = line.strip_prefix("fn ").and_then(|rest| rest.split('(').next());
            let Some(name) = name.filter(|_| is_test) else {
                return Err(format!("no test follows the requirement {:?}", open[0].text));
            };
            if let Some(bare) =
                open.iter().find(|one| one.deviation.is_empty() != one.reason.is_empty())
            {
                return Err(format!("{:?} has a deviation or a reason, not both", bare.text));
            }
            let test = (krate.to_owned(), name.to_owned());
            all.extend(open.drain(..).map(|one| Requirement { test: test.clone(), ..one }));
            (part, is_test) = (None, false);
        } else {
            is_test = false;
        }
    }
    Ok(all)
}

/// Sections in order: numbers as numbers.
fn order(section: &str) -> Vec<(u32, String)> {
    section.split('.').map(|part| (part.parse().unwrap_or(u32::MAX), part.to_owned())).collect()
}

fn table(all: &[Requirement]) -> String {
    let mut rfcs: BTreeMap<Source, Vec<&Requirement>> = BTreeMap::new();
    for one in all {
        rfcs.entry(one.source).or_default().push(one);
    }
    let mut page = HEAD.to_owned();
    for (source, mut list) in rfcs {
        let title = match source {
            Source::Rfc(rfc) => format!("RFC {rfc}"),
            Source::Cake => "CAKE and COBALT".to_owned(),
        };
        list.sort_by_key(|one| (order(&one.section), one.test.clone()));
        let _ = write!(
            page,
            "\n## {title}\n\n| section | requirement | test | deviation | reason |\n| --- | --- | --- | --- | --- |\n"
        );
        for one in list {
            let Requirement { section, text, deviation, reason, test: (krate, name), .. } = one;
            let cells = [section, text, deviation, reason].map(|cell| cell.replace('|', "\\|"));
            let [section, text, deviation, reason] = cells;
            let _ = writeln!(
                page,
                "| {section} | {text} | `{krate}` `{name}` | {deviation} | {reason} |"
            );
        }
    }
    page
}

#[test]
fn requirements_are_read_from_the_documentation_of_tests() {
    // Not written as a comment, since this file is read too.
    let text = "
    %% rfc1 2.10: One thing
    %% on two lines.
    %% Deviation: none
    %% to speak of.
    %% Reason: it fits.
    %%
    %% Something else.
    %% rfc1 2.9: Another thing.
    #[test]
    fn both() {}

    %% A helper.
    fn helper() {}
    "
    .replace("%%", "///");
    let found = requirements(&text, "atl-x").expect("both are stated");
    assert_eq!(found.len(), 2);
    let Requirement { source, section, text, deviation, reason, test } = &found[0];
    assert_eq!(*source, Source::Rfc(1));
    assert_eq!((section.as_str(), text.as_str()), ("2.10", "One thing on two lines."));
    assert_eq!((deviation.as_str(), reason.as_str()), ("none to speak of.", "it fits."));
    assert_eq!(*test, ("atl-x".to_owned(), "both".to_owned()));
    let page = table(&found);
    let [first, second] = ["| 2.9 | Another", "| 2.10 | One"].map(|row| page.find(row));
    assert!(first.is_some() && first < second, "{page}");
}

#[test]
fn a_requirement_without_a_test_is_an_error() {
    for (text, message) in [
        ("/// rfc1 2: A thing.\nfn helper() {}", "no test follows"),
        ("/// rfc1 2: A thing.\n#[test]\nstruct S;", "no test follows"),
        ("/// rfc1 2: A thing.\n/// Deviation: some.\n#[test]\nfn f() {}", "not both"),
    ] {
        let error = requirements(text, "x").expect_err(text);
        assert!(error.contains(message), "{text}: {error}");
    }
    assert_eq!(requirements("//! rfc1 2: A thing.\n// rfc1 2: B.\nfn f() {}", "x"), Ok(vec![]));
}
