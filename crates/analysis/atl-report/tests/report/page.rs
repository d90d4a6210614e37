//! The page is self-contained, escaped, complete and small.

use crate::support::{Builder, at, protocols, run, sample, value_claim};
use atl_engine::result::EngineId;
use atl_report::table::{Style, csv, results, terminal, verdicts};
use atl_report::{Outcome, html, judge, summary::Summary};
use atl_scenario::scenario::{Figure, FigureKind, Trace};

fn page(outcomes: &[Outcome]) -> String {
    let judged: Vec<_> = outcomes.iter().map(judge).collect();
    html::page(outcomes, &judged)
}

fn simple() -> Outcome {
    protocols(&[("reno", &[1.0, 1.1, 1.2, 1.05, 1.15]), ("atl", &[1.8, 1.9, 1.85, 1.8, 1.9])])
        .quote("value", value_claim(1.85e6, 0.05))
        .done()
}

/// The page without its scripts and styles.
fn text_of(page: &str) -> String {
    let start = page.find("<main>").expect("main");
    page[start..page.find("</main>").expect("its end")].to_owned()
}

#[test]
fn the_page_loads_nothing() {
    let page = page(&[simple()]);
    for needle in [
        "src=",
        "<link",
        "@import",
        "url(",
        "fetch(",
        "XMLHttpRequest",
        "import(",
        "WebSocket",
        "sendBeacon",
    ] {
        assert!(!page.contains(needle), "{needle}");
    }
    assert!(page.contains("default-src 'none'"), "a policy that keeps it so");
    // The only address is in the comment of the chart library.
    assert_eq!(page.matches("://").count(), 1);
    assert!(page.contains("/*! https://github.com/leeoniya/uPlot (v1.6.32) */"));
}

#[test]
fn a_page_is_told_from_those_of_others() {
    let page = page(&[simple()]);
    let mark = "<meta name=\"generator\" content=\"atl\">";
    assert!(html::is_report(&page) && page.contains(mark));
    // One from before pages had the mark.
    assert!(html::is_report(&page.replace(mark, "")));
    assert!(!html::is_report("<!DOCTYPE html><title>The yearly report of atl</title>"));
}

#[test]
fn hostile_names_stay_text() {
    let evil = "</script><script>alert(1)</script><img onerror=x>\"'&";
    let outcome = Builder::new(2, &["protocol"])
        .point(&[("protocol", evil)], &[(evil, evil)], |_| {
            let mut result = run(&[1.0]);
            result.samples = (0..5).map(|i| sample(f64::from(i), 0, 3.0, 1e6)).collect();
            result
        })
        .scenario(|s| {
            s.name = evil.to_owned();
            s.title = evil.to_owned();
            s.about = evil.to_owned();
            s.source = Some(evil.to_owned());
            s.text = evil.to_owned();
            s.figures = vec![
                Figure {
                    title: evil.to_owned(),
                    caption: evil.to_owned(),
                    kind: FigureKind::Time {
                        y: Trace::Cwnd,
                        series: "flow".to_owned(),
                        at: at(&[]),
                        of: Vec::new(),
                    },
                };
                2
            ];
        })
        .quote(evil, value_claim(1e6, 0.1))
        .done();
    let outcome = Outcome {
        command: evil.to_owned(),
        engine: EngineId { name: evil.to_owned(), version: evil.to_owned() },
        version: evil.to_owned(),
        ..outcome
    };
    for outcomes in [vec![outcome.clone()], vec![outcome.clone(), outcome]] {
        let page = page(&outcomes);
        // The labels of the tests are in upper case, so compare without case.
        let lower = page.to_lowercase();
        assert!(!lower.contains("<script>alert") && !lower.contains("<img"), "unescaped");
        assert_eq!(lower.matches("</script>").count(), 3, "the page's own scripts only");
        assert!(page.contains("&lt;/script&gt;&lt;script&gt;alert(1)"));
        assert!(lower.contains("\\u003c/script>"), "escaped in the data");
    }
}

#[test]
fn a_large_outcome_stays_below_two_megabytes_and_keeps_its_peaks() {
    let mut builder = Builder::new(1, &["protocol"]);
    for protocol in ["atl", "reno", "snoop", "sack"] {
        let flows: Vec<(&str, &str)> = (0..10).map(|_| ("flow", protocol)).collect();
        builder = builder.point(&[("protocol", protocol)], &flows, |_| {
            let mut result = run(&[0.2; 10]);
            for i in 0..6000_u32 {
                for flow in 0..10 {
                    let peak = i == 3456;
                    let wave = f64::from((i * 7919 + flow * 104_729) % 1000) / 37.0;
                    result.samples.push(sample(
                        f64::from(i) * 0.1,
                        flow,
                        if peak { 77_777.0 } else { 1.0 + wave },
                        1e5 + 1e3 * wave,
                    ));
                }
            }
            result
        });
    }
    let figure = |y, protocol: &str| Figure {
        title: format!("{protocol} over time"),
        caption: String::new(),
        kind: FigureKind::Time {
            y,
            series: "flow".to_owned(),
            at: at(&[("protocol", protocol)]),
            of: Vec::new(),
        },
    };
    let outcome = builder
        .scenario(|s| {
            for protocol in ["atl", "reno", "snoop", "sack"] {
                s.figures.push(figure(Trace::Cwnd, protocol));
                s.figures.push(figure(Trace::Throughput, protocol));
            }
        })
        .done();
    let page = page(&[outcome.clone(), outcome]);
    assert!(page.len() < 2_000_000, "{} bytes", page.len());
    assert_eq!(page.matches("77777").count(), 80, "a peak of ten flows in four figures, twice");
    assert!(page.contains("minimum and maximum of each"), "it says what was left out");
}

#[test]
fn the_headline_and_the_verdict_are_computed() {
    let text = text_of(&page(&[simple()]));
    assert!(text.contains("ATL has the highest goodput: 1.850 ± 0.062 Mb/s"), "{text}");
    assert!(text.contains("RENO comes second with "), "{text}");
    assert!(text.contains("Compared: RENO and ATL"), "{text}");
    assert!(
        text.contains("class=\"verdict met\"")
            && text.contains("Of 1 claim of papers, as printed: 1 met,"),
        "{text}"
    );
    assert!(text.contains("<noscript>") && text.contains("atl run test/synthetic"));
}

#[test]
fn several_outcomes_get_an_overview_with_links() {
    let text = text_of(&page(&[simple(), simple()]));
    assert!(
        text.contains("href=\"#s0\"")
            && text.contains("href=\"#s1\"")
            && text.contains("id=\"s1\"")
    );
    assert!(text.contains("Of 2 claims of papers, as printed: 2 met,"));
}

#[test]
fn an_outcome_without_runs_still_gives_a_page() {
    let text = text_of(&page(&[Builder::new(0, &[]).done()]));
    assert!(text.contains("Nothing to draw") && text.contains("How to repeat this run"));
    assert!(page(&[]).contains("0 scenarios"));
}

#[test]
fn tables_fit_a_terminal_and_a_file() {
    let outcome = simple();
    let table = results(&outcome);
    let shown = terminal(&table, Style { width: Some(80), colour: false });
    assert!(shown.lines().all(|l| l.chars().count() <= 80), "{shown}");
    assert!(!shown.contains('\u{1b}'), "no colour was asked for");
    let wide = terminal(&table, Style { width: None, colour: false });
    assert!(wide.contains("1.850 ± 0.062"), "{wide}");
    let coloured = terminal(&verdicts(&judge(&outcome)), Style { width: None, colour: true });
    assert!(coloured.contains('\u{1b}') && coloured.contains("✓ met"), "{coloured}");
    let file = csv(&table);
    let lines: Vec<&str> = file.lines().collect();
    assert!(
        lines[0].starts_with(
            "protocol,throughput_bps,throughput_bps_low,throughput_bps_high,goodput_bps,goodput_bps_low,"
        )
    );
    assert!(lines[2].starts_with("ATL,1942500,"), "{}", lines[2]);
    assert_eq!(lines.len(), 3);
}

#[test]
fn the_summary_is_json_with_every_seed() {
    let outcome = simple();
    let json = Summary::new(&outcome, &judge(&outcome)).json().expect("JSON");
    let json: serde_json::Value = serde_json::from_str(&json).expect("it parses");
    let goodput = &json["points"][1]["groups"][0]["metrics"]["goodput_bps"];
    assert_eq!(goodput["per_seed"].as_array().map(Vec::len), Some(5));
    assert_eq!(goodput["spread"], "interval");
    assert!((goodput["mean"].as_f64().expect("a mean") - 1.85e6).abs() < 1e-3);
    assert_eq!(json["format"], Summary::FORMAT);
    assert_eq!(json["verdicts"][0]["verdict"], "met");
    assert_eq!(json["points"][1]["vars"]["protocol"], "atl");
}
