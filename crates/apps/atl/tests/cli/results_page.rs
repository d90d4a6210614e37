//! `docs/results.md` is generated and agrees with the current scenarios and results.

use atl_report::results_page::Stamp;
use atl_scenario::quote::Standing;
use atl_scenario::scenario::Scenario;
use atl_scenario::{Overrides, builtin, open};

use crate::{fine, json, with_tiny};

const PAGE: &str = include_str!("../../../../../docs/results.md");
const README: &str = include_str!("../../../../../README.md");
const HOW: &str = "`make results` regenerates docs/results.md";

/// The built-in scenarios with claims.
fn with_claims() -> Vec<Scenario> {
    all().filter(|s| !s.quotes.is_empty()).collect()
}

fn all() -> impl Iterator<Item = Scenario> {
    builtin().iter().map(|b| {
        open(b.name, &Overrides::default()).unwrap_or_else(|errors| panic!("{}: {errors}", b.name))
    })
}

/// Scenarios whose results the page holds or should hold.
fn stamped() -> Vec<Scenario> {
    all().filter(|s| !s.quotes.is_empty() || PAGE.contains(&format!("\n{} ", s.name))).collect()
}

/// The section of a scenario on a page.
fn section<'a>(page: &'a str, name: &str) -> &'a str {
    let link = format!("\n[`{name}`](");
    let at = page.find(&link).unwrap_or_else(|| panic!("{name} is not on the page. {HOW}"));
    let start = page[..at].rfind("\n### ").expect("its heading") + 1;
    let rest = &page[at..];
    let end = ["\n## ", "\n### ", "\n<!--"].iter().filter_map(|next| rest.find(next)).min();
    &page[start..at + end.unwrap_or(rest.len())]
}

/// Text on one line without Markdown's escapes.
fn plain(text: &str) -> String {
    text.replace('\\', "").split_whitespace().collect::<Vec<_>>().join(" ")
}

#[test]
fn the_page_shows_todays_scenarios() {
    let scenarios = with_claims();
    let stamp = Stamp::read(PAGE).expect("the page has a stamp");
    // The stamp also includes scenarios without claims, if they were run.
    let differences = stamp.stale(&stamped());
    assert!(differences.is_empty(), "{HOW}:\n{}", differences.join("\n"));
    for scenario in &scenarios {
        let section = section(PAGE, &scenario.name);
        for quote in &scenario.quotes {
            // Readings of another quote's claim are in that claim's row.
            let (row, text) = match &quote.standing {
                Standing::Paper { claim, .. } if *claim != quote.id => {
                    (claim, format!("`{}`", quote.id))
                }
                Standing::Paper { .. } | Standing::Own => (&quote.id, quote.text.clone()),
            };
            let row = format!("| `{row}` | ");
            let line = section.lines().find(|l| l.starts_with(&row));
            let line = line.unwrap_or_else(|| panic!("no row {row} of {}. {HOW}", scenario.name));
            assert!(plain(line).contains(&plain(&text)), "{line}\n{HOW}");
        }
    }
}

/// Reruns the cheapest scenarios with claims in full: a window and a rate family, under loss and
/// roaming.
#[test]
fn a_rerun_gives_the_same_rows() {
    let names = ["atl/fig02", "showcase/video-call"];
    let dir = tempfile::tempdir().expect("a directory");
    let args = ["reproduce", "--page", "page.md"];
    fine(dir.path(), &[&args[..], &names].concat());
    let page = std::fs::read_to_string(dir.path().join("page.md")).expect("the page");
    for name in names {
        assert_eq!(section(&page, name), section(PAGE, name), "{name}: {HOW}");
    }
}

/// The page gives the count of claims once, and the README repeats it.
#[test]
fn the_readme_counts_as_the_page_does() {
    let mut counts =
        PAGE.lines().filter(|line| line.starts_with("Of ") && line.contains(" of papers, "));
    let sentence = counts.next().unwrap_or_else(|| panic!("no count of claims on the page. {HOW}"));
    assert_eq!(counts.next(), None, "the count stands once on the page");
    assert!(
        plain(README).contains(sentence),
        "README.md must hold this sentence, which stands in docs/results.md:\n{sentence}"
    );
}

#[test]
fn a_page_of_any_run() {
    let dir = with_tiny();
    let args = ["reproduce", "tiny.toml", "--page", "pages/mine.md", "--json"];
    let document = json(dir.path(), &args);
    let page = std::fs::read_to_string(dir.path().join("pages/mine.md")).expect("the page");
    let row =
        |id: &str| page.lines().find(|l| l.starts_with(&format!("| `{id}` | "))).expect("a row");
    assert!(row("plausible").contains("| ✓ met: "), "{}", row("plausible"));
    assert!(!row("impossible").contains("| ✓ met: "), "{}", row("impossible"));
    assert!(page.contains("\nOf 2 claims of papers, as printed: 1 met, "), "{page}");
    let files = document["files"].as_array().expect("files");
    assert!(files.iter().any(|f| f == "pages/mine.md"), "{files:?}");
    assert!(fine(dir.path(), &["reproduce", "--help"]).contains("--page <FILE>"));
}
