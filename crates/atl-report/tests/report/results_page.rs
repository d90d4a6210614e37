//! The page of results: every claim is on it, grouped by paper, and a stamp tells when it is stale.

use atl_core::time::Time;
use atl_report::results_page::{PAPERS, Stamp, paper_of, render};
use atl_report::{Outcome, judge};
use atl_scenario::builtin;
use atl_scenario::quote::Claim;
use atl_scenario::scenario::{During, Measure, Metric};

use crate::support::{goodput_of, protocols, value_claim};

fn page(outcomes: &[Outcome]) -> String {
    let judged: Vec<_> = outcomes.iter().map(judge).collect();
    render(outcomes, &judged)
}

fn scenario(name: &str, measured: f64) -> Outcome {
    let ratio = Claim::Ratio {
        measure: Metric::Goodput.into(),
        of: goodput_of("atl"),
        over: goodput_of("reno"),
        expect: 2.0,
        tolerance: 0.1,
    };
    let order = Claim::Order {
        measure: Metric::Goodput.into(),
        of: vec![goodput_of("atl"), goodput_of("reno")],
    };
    let part = During { from: Time::from_millis(1000), to: Time::from_millis(2500) };
    let during = Claim::Value {
        measure: Measure { metric: Metric::Goodput, during: Some(part) },
        of: goodput_of("atl"),
        expect: 1e6,
        tolerance: 0.1,
    };
    protocols(&[("reno", &[1.0, 1.0]), ("atl", &[measured, measured])])
        .quote("value", value_claim(1.85e6, 0.05))
        .quote("ratio", ratio)
        .quote("order", order)
        .quote("part", during)
        .scenario(|s| {
            s.name = name.to_owned();
            s.quotes[0].note = Some("at p_w < 1 | *why*\nit holds".to_owned());
            s.quotes[1].note = s.quotes[0].note.clone();
            s.quotes[2].source = "elsewhere".to_owned();
        })
        .done()
}

#[test]
fn a_row_for_each_claim_and_its_note_once() {
    let page = page(&[scenario("atl/fig06", 1.86)]);
    for row in [
        "| `value` | the claim value | 1.850 Mb/s ± 5 % | 1.860 ± 0 Mb/s | ✓ met |",
        "| `ratio` | the claim ratio | 2.000 times ± 10 % | 1.860 ± 0 times | ✓ met |",
        "| `order` | the claim order (elsewhere) | from highest to lowest, as listed | ATL: 1.860 ± 0 Mb/s; RENO: 1.000 ± 0 Mb/s | ✓ met |",
        "| `part` | the claim part | 1.000 Mb/s ± 10 % | – | – not measured |",
        "- `value`, `ratio`: at p_w \\< 1 \\| \\*why\\* it holds",
    ] {
        assert_eq!(page.lines().filter(|line| *line == row).count(), 1, "{row}\n{page}");
    }
    assert!(
        page.contains("[`atl/fig06`](../scenarios/atl/fig06.toml) · a paper, sec. 5 · 2 seeds")
    );
}

#[test]
fn scenarios_are_grouped_by_paper_and_counted() {
    let page =
        page(&[scenario("arc/fig07", 1.86), scenario("mine", 1.5), scenario("atl/fig06", 1.86)]);
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings, ["## ATL", "## ARC", "## Other scenarios"]);
    for row in [
        "| paper | claims | met | same direction | not met | not measured |",
        "| ATL | 4 | 3 | 0 | 0 | 1 |",
        "| Other scenarios | 4 | 1 | 1 | 1 | 1 |",
        "| total | 12 | 7 | 1 | 1 | 3 |",
    ] {
        assert!(page.lines().any(|line| line == row), "{row}\n{page}");
    }
    assert!(
        !page.contains("(../scenarios/mine.toml)"),
        "only what is built in has a file to link to"
    );
}

#[test]
fn the_stamp_tells_what_has_changed_since() {
    let outcomes = [scenario("atl/fig06", 1.86), scenario("atl/fig07", 1.5)];
    let stamp = Stamp::read(&page(&outcomes)).expect("the page has a stamp");
    assert_eq!(stamp, Stamp::of(&outcomes));
    assert_eq!((stamp.version.as_str(), stamp.host.as_str()), ("0.1.0", "sim"));
    let today = |i: usize| (*outcomes[i].scenario).clone();
    assert!(stamp.stale(&[today(0), today(1)]).is_empty());

    let mut other_results = today(0);
    other_results.hash = "ff".repeat(32);
    let mut other_words = today(1);
    other_words.quotes[3].note = Some("found out".to_owned());
    assert_eq!(
        stamp.stale(&[other_results, other_words]),
        [
            "atl/fig06 runs differently now.",
            "The title, the claims or the notes of atl/fig07 have changed."
        ]
    );
    let mut looser = today(0);
    looser.quotes[0].claim = value_claim(1.85e6, 0.5);
    assert_eq!(stamp.stale(&[looser, today(1)]).len(), 1, "a tolerance is part of the claim");
    let mut new = today(0);
    new.name = "atl/fig08".to_owned();
    assert_eq!(
        stamp.stale(&[today(0), new]),
        ["atl/fig08 is not on the page.", "atl/fig07 no longer exists."]
    );
    assert_eq!(Stamp::read("# Results\n"), None);
    assert_eq!(Stamp::read("<!-- results of atl\nversion 1\nhost sim\none two\n-->"), None);
}

#[test]
fn every_folder_of_reproduced_scenarios_has_its_paper() {
    for scenario in builtin() {
        let showcase = scenario.name.starts_with("showcase/");
        assert_eq!(paper_of(scenario.name).is_none(), showcase, "{}", scenario.name);
    }
    for paper in PAPERS {
        let own = |name: &str| paper_of(name) == Some(paper);
        assert!(builtin().iter().any(|s| own(s.name)), "{} has no scenario", paper.name);
    }
}
