//! The total of several flows is their bytes over the measured interval, wherever it is shown.

use atl_core::time::Span;
use atl_engine::result::{LinkResult, RunResult};
use atl_report::data::{Format, write};
use atl_report::metric::of_run;
use atl_report::table::{Cell, legend, results};
use atl_report::{Outcome, Verdict, html, judge, summary::Summary};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::Metric;

use crate::support::{Builder, first_run, run, selection};

/// Ten files of 1 MB one after another, each at 8 Mb/s for a second, and a flow of 1 Mb/s, over 40
/// s after a warm-up of 10 s.
fn short_flows() -> Outcome {
    let mut flows = vec![("file", "sack"); 10];
    flows.push(("greedy", "sack"));
    Builder::new(5, &[])
        .point(&[], &flows, |_| {
            let mut goodputs = [8.0; 11];
            goodputs[10] = 1.0;
            let mut run = run(&goodputs);
            for flow in &mut run.flows {
                flow.active_s = 1.0;
            }
            run.flows[10].active_s = 40.0;
            run
        })
        .setup(|setup| (setup.duration, setup.warmup) = (Span::from_secs(50), Span::from_secs(10)))
        .quote(
            "total",
            Claim::Value {
                measure: Metric::Goodput.into(),
                of: selection(&[], None),
                expect: 3e6,
                bound: Bound::Equal,
                tolerance: 1e-9,
            },
        )
        .done()
}

/// 80 Mb and 40 Mb in 40 s give 3 Mb/s, not the 81 Mb/s that the flows' own rates add up to.
const TOTAL_BPS: f64 = 3e6;

#[test]
fn the_total_of_short_flows_is_what_was_carried() {
    let outcome = short_flows();
    let (setup, run) = (&outcome.scenario.points[0].setup, &first_run(&outcome));
    let near = |found: Option<f64>, expected: f64| {
        assert!(found.is_some_and(|f| (f - expected).abs() < 1e-3), "{found:?}, not {expected}");
    };
    near(of_run(Metric::Goodput, setup, run, None), TOTAL_BPS);
    near(of_run(Metric::Throughput, setup, run, None), 1.05 * TOTAL_BPS);
    // Each flow's own rate, and their mean, refer to the flow's active time.
    near(of_run(Metric::Goodput, setup, run, Some(&[0])), 8e6);
    near(of_run(Metric::Goodput, setup, run, Some(&[0, 10])), 4.5e6);
}

#[test]
fn every_total_agrees() {
    let outcome = short_flows();
    let judged = judge(&outcome);
    assert_eq!(judged[0].verdict, Verdict::Met, "{}", judged[0].reason);
    let table = results(&outcome);
    let column = table.columns.iter().position(|c| c.key == "goodput_bps").expect("a column");
    let row = table.rows.last().expect("rows");
    assert_eq!(row[0], Cell::Text("all (total)".to_owned()));
    let Cell::Number(total) = &row[column] else { panic!("{:?}", row[column]) };
    assert!((total.mean - TOTAL_BPS).abs() < 1e-3, "{total:?}");
    let json = serde_json::to_value(Summary::new(&outcome, &judged)).expect("JSON");
    let total = json["points"][0]["total"]["goodput_bps"]["mean"].as_f64().expect("a total");
    assert!((total - TOTAL_BPS).abs() < 1e-3, "{total}");

    let dir = tempfile::tempdir().expect("a directory");
    write(dir.path(), std::slice::from_ref(&outcome), Format::Csv).expect("written");
    let runs = std::fs::read_to_string(dir.path().join("runs.csv")).expect("runs.csv");
    let mut lines = runs.lines();
    let place = lines.next().expect("a heading").split(',').position(|c| c == "goodput_bps");
    let value = lines.next().expect("a run").split(',').nth(place.expect("a column"));
    let total: f64 = value.expect("a value").parse().expect("a number");
    assert!((total - TOTAL_BPS).abs() < 1e-3, "{total}");
}

#[test]
fn the_table_says_whose_rate_it_is_and_what_did_not_vary() {
    let outcome = short_flows();
    let legend = legend(&outcome, &results(&outcome)).join(" ");
    for part in [
        "over its own active time",
        "all their bits over the measured interval",
        "Nothing varied between the seeds: each of them gave the same run.",
    ] {
        assert!(legend.contains(part), "{part}: {legend}");
    }
    assert!(html::page(&[outcome], &[]).contains("Nothing varied between the seeds"));
}

#[test]
fn the_points_at_which_nothing_varied_are_named() {
    let point = |name: &str, varies: f64| {
        let vars = [("loss", name.to_owned())];
        (vars, varies)
    };
    let mut builder = Builder::new(5, &["loss"]);
    for (vars, varies) in [point("0", 0.0), point("1e-3", 0.01), point("1e-2", 0.1)] {
        let vars: Vec<(&str, &str)> = vars.iter().map(|(k, v)| (*k, v.as_str())).collect();
        builder = builder.point(&vars, &[("flow", "sack")], |s| run(&[1.0 + varies * s as f64]));
    }
    let outcome = builder.done();
    let legend = legend(&outcome, &results(&outcome)).join(" ");
    assert!(
        legend.contains("Nothing varied between the seeds at 1 of 3 points (loss = 0)"),
        "{legend}"
    );
    // Where a trace began is no difference by itself, but what crossed the link is.
    let with_links = |delivered: fn(u64) -> u64| {
        let run = move |s: usize| {
            let seed = s as u64;
            let trace_offset = Some(Span::from_secs(seed));
            let delivered = delivered(seed);
            let links = vec![LinkResult { trace_offset, delivered, ..LinkResult::default() }];
            RunResult { links, ..run(&[1.0]) }
        };
        Builder::new(5, &[]).point(&[], &[("flow", "sack")], run).done().unvaried().count()
    };
    assert_eq!((with_links(|_| 7), with_links(|seed| seed)), (1, 0));
    // With one seed there is nothing to differ from.
    let one = Builder::new(1, &[]).point(&[], &[("flow", "sack")], |_| run(&[1.0])).done();
    let legend = atl_report::table::legend(&one, &results(&one)).join(" ");
    assert!(!legend.contains("varied") && legend.contains("too few"), "{legend}");
}

#[test]
fn a_flow_that_starves_beside_a_spared_one_is_told() {
    let told = |drops: [u64; 2], links: [usize; 2]| {
        let run = move |_| {
            let mut run = run(&[1.0, 4.0]);
            for (flow, dropped) in run.flows.iter_mut().zip(drops) {
                (flow.sent, flow.dropped) = (1000, Some(dropped));
            }
            run
        };
        let outcome = Builder::new(5, &[])
            .point(&[], &[("one", "rap"), ("two", "nada")], run)
            .setup(|setup| {
                setup.links.push(setup.links[0].clone());
                for (flow, link) in setup.flows.iter_mut().zip(links) {
                    flow.paths[0].forward = vec![link];
                }
            })
            .done();
        legend(&outcome, &results(&outcome)).join(" ")
    };
    let words = "STARVED: in 5 of 5 runs of several flows, queues dropped most packets of one and hardly any of its \
                 neighbour on the same link: `two1` 93.00 % beside `one0` 0 %, for example.";
    let legend = told([0, 930], [0, 0]);
    assert!(legend.contains(words) && legend.contains("`overhead = \"auto\"`"), "{legend}");
    for (drops, links) in [([0, 400], [0, 0]), ([50, 930], [0, 0]), ([0, 930], [0, 1])] {
        let legend = told(drops, links);
        assert!(!legend.contains("STARVED"), "{drops:?} {links:?} {legend}");
    }
}
