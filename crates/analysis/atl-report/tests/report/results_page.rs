//! The results page lists every claim by paper, and its stamp tells when it is stale.

use atl_core::time::Time;
use atl_report::results_page::{PAPERS, Stamp, paper_of, render};
use atl_report::summary::Summary;
use atl_report::verdict::Tally;
use atl_report::{Outcome, html, judge};
use atl_scenario::builtin;
use atl_scenario::quote::{Bound, Claim, Standing};
use atl_scenario::scenario::{During, Measure, Metric};

use crate::support::{fitted, goodput_of, protocols, ratio_claim, value_claim};

fn page(outcomes: &[Outcome]) -> String {
    let judged: Vec<_> = outcomes.iter().map(judge).collect();
    render(outcomes, &judged)
}

fn scenario(name: &str, measured: f64) -> Outcome {
    let ratio = ratio_claim(2.0, Bound::Equal, 0.1);
    let order = Claim::Order {
        measure: Metric::Goodput.into(),
        of: vec![goodput_of("atl"), goodput_of("reno")],
    };
    let part = During { from: Time::from_millis(1000), to: Time::from_millis(2500) };
    let during = Claim::Value {
        measure: Measure { metric: Metric::Goodput, during: Some(part) },
        of: goodput_of("atl"),
        expect: 1e6,
        bound: Bound::Equal,
        tolerance: 0.1,
    };
    protocols(&[("reno", &[1.0; 5]), ("atl", &[measured; 5])])
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
    let page = page(&[scenario("atl/fig12", 1.86)]);
    for row in [
        "| `value` | the claim value | 1.850 Mb/s ± 5 % | ✓ met: 1.860 Mb/s | – |",
        "| `ratio` | the claim ratio | 2.000 times ± 10 % | ✓ met: 1.860 times | – |",
        "| `order` | the claim order (elsewhere) | from highest to lowest, as listed | ✓ met: ATL: 1.860 Mb/s; RENO: 1.000 Mb/s | – |",
        "| `part` | the claim part | 1.000 Mb/s ± 10 % | – not measured | – |",
        "- `value`, `ratio`: at p_w \\< 1 \\| \\*why\\* it holds",
    ] {
        assert_eq!(page.lines().filter(|line| *line == row).count(), 1, "{row}\n{page}");
    }
    assert!(
        page.contains("[`atl/fig12`](../scenarios/atl/fig12.toml) · a paper, sec. 5 · 5 seeds")
    );
}

#[test]
fn scenarios_are_grouped_by_paper_and_counted() {
    let page =
        page(&[scenario("arc/fig07", 1.86), scenario("mine", 1.5), scenario("atl/fig12", 1.86)]);
    let headings: Vec<&str> = page.lines().filter(|line| line.starts_with("## ")).collect();
    assert_eq!(headings, ["## ATL", "## ARC", "## Other scenarios"]);
    for row in [
        "| paper | claims | met | met, uncertain | same direction | not met | without a verdict | met in a fitted network | met, uncertain, in a fitted network |",
        "| ATL | 4 | 3 | 0 | 0 | 0 | 1 | 0 | 0 |",
        "| Other scenarios | 4 | 1 | 0 | 1 | 1 | 1 | 0 | 0 |",
        "| total | 12 | 7 | 0 | 1 | 1 | 3 | 0 | 0 |",
        "Of 12 claims of papers, as printed: 7 met, 0 met but uncertain, 1 same direction, 1 not met, 3 without a verdict; in a fitted network: 0 met, 0 met but uncertain.",
    ] {
        assert!(page.lines().any(|line| line == row), "{row}\n{page}");
    }
    assert!(
        !page.contains("(../scenarios/mine.toml)"),
        "only what is built in has a file to link to"
    );
}

/// A claim not met as printed but met with one of two queues; one that only has a fitted network;
/// and a check.
fn readings() -> Outcome {
    let expect = |mbps: f64| value_claim(mbps * 1e6, 0.05);
    protocols(&[("atl", &[1.0; 5])])
        .quote("share", expect(2.0))
        .quote("share-12", expect(1.0))
        .standing(fitted("share", "queue of 12 packets, to Table II"))
        .quote("share-20", expect(2.0))
        .standing(fitted("share", "queue of 20 packets"))
        .quote("rtt", expect(1.0))
        .standing(fitted("rtt", "the RTT"))
        .quote("rtt-printed", expect(0.9))
        .standing(Standing::Paper { claim: "rtt".to_owned(), fitted: None })
        .quote("sane", expect(1.0))
        .standing(Standing::Own)
        .quote("odd", expect(3.0))
        .standing(Standing::Own)
        .scenario(|s| s.name = "atl/fig12".to_owned())
        .done()
}

#[test]
fn a_claim_is_one_row_with_two_verdicts_and_own_checks_stand_apart() {
    let page = page(&[readings()]);
    for row in [
        "| | claim | quoted | as printed | fitted |",
        "| `share` | the claim share | 2.000 Mb/s ± 5 % | ✗ not met: 1.000 Mb/s | ✓ met: 1.000 Mb/s (`share-12`); ✗ not met: 1.000 Mb/s (`share-20`) |",
        "| `rtt` | the claim rtt | 1.000 Mb/s ± 5 % | ≈ same direction: 1.000 Mb/s (`rtt-printed`) | ✓ met: 1.000 Mb/s |",
        "- `share-12`: fitted: queue of 12 packets, to Table II.",
        "| | check of our own | expected | measured | verdict |",
        "| `sane` | the claim sane | 1.000 Mb/s ± 5 % | 1.000 Mb/s | ✓ met |",
        "| `odd` | the claim odd | 3.000 Mb/s ± 5 % | 1.000 Mb/s | ✗ not met |",
        "Of 2 claims of papers, as printed: 0 met, 0 met but uncertain, 1 same direction, 1 not met, 0 without a verdict; in a fitted network: 2 met, 0 met but uncertain.",
        "Of 2 checks of our own: 1 met, 0 met but uncertain.",
        "| ATL | 2 | 0 | 0 | 1 | 1 | 0 | 2 | 0 | 2 | 1 | 0 |",
    ] {
        assert_eq!(page.lines().filter(|line| *line == row).count(), 1, "{row}\n{page}");
    }
}

/// A check that was not judged is not one that failed.
#[test]
fn checks_without_a_verdict_are_counted_as_such() {
    let sentence = |own, own_met, own_without_verdict| {
        let tally = Tally { own, own_met, own_without_verdict, ..Tally::default() };
        tally.of_own().expect("there are some")
    };
    assert_eq!(sentence(9, 0, 9), "None of our 9 own checks has a verdict.");
    assert_eq!(sentence(1, 0, 1), "Our own check has no verdict.");
    assert_eq!(
        sentence(9, 5, 2),
        "Of 9 checks of our own: 5 met, 0 met but uncertain, 2 without a verdict."
    );
    assert_eq!(sentence(1, 0, 0), "Of 1 check of our own: 0 met, 0 met but uncertain.");
    let few = protocols(&[("atl", &[1.0; 2])])
        .quote("sane", value_claim(1e6, 0.05))
        .standing(Standing::Own)
        .done();
    let tally = Tally::of(&judge(&few));
    assert_eq!((tally.own, tally.own_met, tally.own_without_verdict), (1, 0, 1));
}

#[test]
fn the_count_is_the_same_everywhere() {
    let outcomes = [readings(), scenario("arc/fig07", 1.86)];
    let judged: Vec<_> = outcomes.iter().map(judge).collect();
    let tally: Tally = judged.iter().map(|judged| Tally::of(judged)).sum();
    assert_eq!(
        (tally.claims, tally.met, tally.met_fitted, tally.own, tally.own_met),
        (6, 3, 2, 2, 1)
    );
    let sentence = tally.of_papers().expect("claims");
    assert!(render(&outcomes, &judged).lines().any(|line| line == sentence));
    let report = html::page(&outcomes, &judged);
    assert!(report.contains(&sentence) && report.contains(&tally.of_own().expect("checks")));
    for (outcome, judged) in outcomes.iter().zip(&judged) {
        let own = Tally::of(judged);
        let json = serde_json::to_value(Summary::new(outcome, judged)).expect("JSON");
        assert_eq!(json["tally"], serde_json::to_value(own).expect("JSON"));
        assert!(report.contains(&own.of_papers().expect("claims")), "each section has its own");
    }
    let json = serde_json::to_value(Summary::new(&outcomes[0], &judged[0])).expect("JSON");
    let of = |i: usize| json["verdicts"][i].clone();
    assert_eq!((&of(1)["claim"], &of(1)["own"]), (&"share".into(), &false.into()));
    assert_eq!(of(1)["fitted"], "queue of 12 packets, to Table II");
    assert_eq!((&of(5)["claim"], &of(5)["own"]), (&serde_json::Value::Null, &true.into()));
}

#[test]
fn the_stamp_tells_what_has_changed_since() {
    let outcomes = [scenario("atl/fig12", 1.86), scenario("atl/fig07", 1.5)];
    let stamp = Stamp::read(&page(&outcomes)).expect("the page has a stamp");
    assert_eq!(stamp, Stamp::of(&outcomes));
    assert_eq!((stamp.version.as_str(), stamp.engine.as_str()), ("0.1.0", "sim"));
    let today = |i: usize| (*outcomes[i].scenario).clone();
    assert!(stamp.stale(&[today(0), today(1)]).is_empty());

    let mut other_results = today(0);
    other_results.hash = "ff".repeat(32);
    let mut other_words = today(1);
    other_words.quotes[3].note = Some("found out".to_owned());
    assert_eq!(
        stamp.stale(&[other_results, other_words]),
        [
            "atl/fig12 runs differently now.",
            "The title, the claims or the notes of atl/fig07 have changed."
        ]
    );
    let mut looser = today(0);
    looser.quotes[0].claim = value_claim(1.85e6, 0.5);
    assert_eq!(stamp.stale(&[looser, today(1)]).len(), 1, "a tolerance is part of the claim");
    let mut fitted_now = today(0);
    fitted_now.quotes[0].standing = fitted("value", "the queue");
    assert_eq!(stamp.stale(&[fitted_now, today(1)]).len(), 1, "so is what was fitted");
    let mut new = today(0);
    new.name = "atl/fig08".to_owned();
    assert_eq!(
        stamp.stale(&[today(0), new]),
        ["atl/fig08 is not on the page.", "atl/fig07 no longer exists."]
    );
    assert_eq!(Stamp::read("# Results\n"), None);
    assert_eq!(Stamp::read("<!-- results of atl\nversion 1\nengine sim\none two\n-->"), None);
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
