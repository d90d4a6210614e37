//! Flows that do not finish are worse than those that do, wherever times are shown or compared.

use atl_engine::result::RunResult;
use atl_engine::setup::Source;
use atl_report::figure;
use atl_report::ranking::{headline, ranking};
use atl_report::summary::Summary;
use atl_report::table::{Cell, csv, legend, ranked, results};
use atl_report::{Outcome, Verdict, judge};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::{Figure, FigureKind, Metric};

use crate::support::{Builder, flow, goodput_of, run, selection};

const RUN_S: f64 = 60.0;
const BYTES: f64 = 30e6;

/// A flow of 30 MB that took so long; `None` if it had not finished after 60 s.
fn upload(completion_s: Option<f64>) -> RunResult {
    let active_s = completion_s.unwrap_or(RUN_S);
    let sent = if completion_s.is_some() { BYTES } else { BYTES / 2.0 };
    let mut result = flow(sent * 8.0 / active_s / 1e6);
    (result.active_s, result.completion_s, result.in_run_s) = (active_s, completion_s, Some(RUN_S));
    RunResult { flows: vec![result], ..RunResult::default() }
}

/// One protocol a point, with the completion times of its seeds.
fn uploads(times: &[(&str, &[Option<f64>])]) -> Builder {
    let mut builder = Builder::new(times[0].1.len() as u64, &["protocol"]);
    for (name, seeds) in times {
        builder = builder
            .point(&[("protocol", name)], &[("upload", name)], |s| upload(seeds[s]))
            .setup(|setup| setup.flows[0].source = Source::Fixed { bytes: BYTES as u64 });
    }
    builder
}

/// The five seeds of issue 27, and a sender that always finishes, more slowly than the mean of the
/// three that did.
const OFTEN: [Option<f64>; 5] = [Some(44.6), Some(56.8), Some(39.2), None, None];
const ALWAYS: [Option<f64>; 5] = [Some(50.1), Some(50.2), Some(49.9), Some(50.3), Some(50.0)];

fn both() -> Outcome {
    uploads(&[("often", &OFTEN), ("always", &ALWAYS)]).done()
}

#[test]
fn a_table_shows_how_many_finished_before_a_median_over_all() {
    let outcome = both();
    let table = results(&outcome);
    let place = |key: &str| table.columns.iter().position(|c| c.key == key).expect(key);
    let (finished, time) = (place("finished"), place("completion_median_s"));
    assert_eq!(finished, 1, "right after the protocol");
    assert_eq!(time, finished + 1);
    assert!(
        table.columns.iter().all(|c| c.key != "completion_s"),
        "no mean over those that finished"
    );
    let cells = |row: usize| (table.rows[row][finished].clone(), table.rows[row][time].clone());
    let (count, Cell::Time(often)) = cells(0) else { panic!("{:?}", table.rows[0]) };
    assert_eq!(count, Cell::Text("3 of 5".to_owned()));
    assert_eq!(often.median_s, Some(56.8), "not 46.87");
    let (count, Cell::Time(always)) = cells(1) else { panic!("{:?}", table.rows[1]) };
    assert_eq!((count, always.median_s), (Cell::Text("5 of 5".to_owned()), Some(50.1)));
    let text = csv(&table);
    assert!(text.contains(",finished,completion_median_s,completion_median_s_low,"), "{text}");
    let legend = legend(&outcome, &table).join(" ");
    assert!(legend.contains("those that did not finish included"), "{legend}");
}

#[test]
fn a_median_that_is_not_reached_is_longer_than_the_run() {
    let never = [Some(20.0), None, None, None, None];
    let outcome = uploads(&[("never", &never), ("always", &ALWAYS)])
        .scenario(|scenario| {
            scenario.figures.push(Figure {
                title: "Time".to_owned(),
                caption: String::new(),
                kind: FigureKind::Sweep {
                    x: "protocol".to_owned(),
                    x_log: false,
                    y: Metric::Completion.into(),
                    series: "flow".to_owned(),
                    at: std::collections::BTreeMap::new(),
                    of: Vec::new(),
                },
            });
        })
        .done();
    let table = results(&outcome);
    let page = atl_report::html::page(std::slice::from_ref(&outcome), &[Vec::new()]);
    assert!(page.contains("&gt; 60.00"), "the cell");
    assert!(legend(&outcome, &table).join(" ").contains("“> 60.00”"));
    let drawn = figure::all(&outcome).remove(0);
    let chart = drawn.chart.expect("a chart");
    assert_eq!(chart.y.label, "completion time, median (s)");
    let ys: Vec<Option<f64>> = chart.curves[0].y.iter().map(|y| y.get()).collect();
    assert_eq!(ys, [None, Some(50.1)], "20 s is not drawn");
    assert!(
        drawn.note.contains("Beyond the plot") && drawn.note.contains("NEVER"),
        "{}",
        drawn.note
    );
}

#[test]
fn json_has_no_mean_where_some_did_not_finish() {
    let json = serde_json::to_value(Summary::new(&both(), &[])).expect("JSON");
    let group = |point: usize| json["points"][point]["groups"][0].clone();
    assert!(group(0)["metrics"]["completion_s"].is_null());
    let time = &group(0)["times"]["completion_s"];
    assert_eq!((time["ended"].as_u64(), time["of"].as_u64()), (Some(3), Some(5)));
    assert_eq!(time["median_s"].as_f64(), Some(56.8));
    assert!(
        (group(1)["metrics"]["completion_s"]["mean"].as_f64().expect("all did") - 50.1).abs()
            < 1e-9
    );
}

#[test]
fn who_leaves_flows_unfinished_is_ranked_behind() {
    // Fast or never, with the higher goodput on average.
    let (fast, slow) = ([10.0, 10.1, 9.9, 10.2, 9.8, 10.0], [40.0, 40.1, 39.9, 40.2, 39.8, 40.0]);
    let mut often: Vec<Option<f64>> = fast.iter().copied().map(Some).collect();
    often[..2].fill(None);
    let always: Vec<Option<f64>> = slow.iter().copied().map(Some).collect();
    let outcome = uploads(&[("often", &often), ("always", &always)]).done();
    let ranking = ranking(&outcome).expect("goodputs");
    let names: Vec<&str> = ranking.places.iter().map(|place| place.name.as_str()).collect();
    assert_eq!(names, ["ALWAYS", "OFTEN"]);
    assert!(ranking.places[0].goodput.mean < ranking.places[1].goodput.mean);
    assert_eq!(ranked(&ranking).columns[1].key, "finished");
    let headline = headline(&outcome).expect("a leader");
    assert!(headline.starts_with("ALWAYS finished 6 of 6 of its flows"), "{headline}");
    assert!(headline.contains("finished 4 of 6"), "{headline}");
}

#[test]
fn verdicts_count_flows_that_did_not_finish() {
    let judged = |claim: Claim| {
        let outcome = uploads(&[("often", &OFTEN), ("always", &ALWAYS)]).quote("q", claim).done();
        judge(&outcome).remove(0)
    };
    let measure = || Metric::Completion.into();
    let value = |expect: f64, bound| Claim::Value {
        measure: measure(),
        of: goodput_of("often"),
        expect,
        bound,
        tolerance: 0.02,
    };
    // 46.87 is the mean of those that finished.
    let mean = judged(value(46.87, Bound::Equal));
    assert_eq!(mean.verdict, Verdict::NotMet, "{}", mean.reason);
    assert!(mean.reason.contains("only 3 of 5 finished"), "{}", mean.reason);
    assert_eq!(judged(value(56.8, Bound::Equal)).verdict, Verdict::MetUncertain);
    assert_eq!(judged(value(50.0, Bound::AtMost)).verdict, Verdict::NotMet);
    assert_eq!(judged(value(50.0, Bound::AtLeast)).verdict, Verdict::MetUncertain);
    // The one that leaves two of five unfinished is not the faster.
    let faster = judged(Claim::Order {
        measure: measure(),
        of: vec![goodput_of("always"), goodput_of("often")],
    });
    assert_ne!(faster.verdict, Verdict::Met, "{}", faster.reason);
    assert!(faster.reason.contains("8 of 10 flows finished"), "{}", faster.reason);
    // Restricted to 60 s: 52.12 over 50.1.
    let ratio = judged(Claim::Ratio {
        measure: measure(),
        of: goodput_of("often"),
        over: goodput_of("always"),
        expect: 1.04,
        bound: Bound::Equal,
        tolerance: 0.01,
    });
    assert!((ratio.measured[0].estimate.mean - 1.0403).abs() < 1e-3, "{}", ratio.reason);
    assert_eq!(ratio.verdict, Verdict::MetUncertain, "{}", ratio.reason);
}

#[test]
fn a_median_beyond_the_run_breaks_an_upper_bound_and_keeps_a_lower_one() {
    let never = [None; 5];
    let verdict = |expect, bound| {
        let claim = Claim::Value {
            measure: Metric::Completion.into(),
            of: selection(&[], None),
            expect,
            bound,
            tolerance: 0.05,
        };
        judge(&uploads(&[("never", &never)]).quote("q", claim).done()).remove(0).verdict
    };
    assert_eq!(verdict(30.0, Bound::AtMost), Verdict::NotMet);
    assert_eq!(verdict(30.0, Bound::Equal), Verdict::NotMet);
    assert_eq!(verdict(30.0, Bound::AtLeast), Verdict::Met);
    assert_eq!(verdict(90.0, Bound::AtMost), Verdict::Undecided, "60 s tell nothing of 90");
    assert_eq!(verdict(90.0, Bound::Equal), Verdict::Undecided);
    assert_eq!(verdict(60.0, Bound::AtLeast), Verdict::Undecided, "not longer than 60 s");
}

/// Three times the tolerance of one half, and once that of a quarter, to the last bit.
#[test]
fn a_median_is_near_up_to_three_times_its_tolerance() {
    let verdict = |times: &[Option<f64>], expect, bound, tolerance| {
        let of = selection(&[], None);
        let measure = Metric::Completion.into();
        let claim = Claim::Value { measure, of, expect, bound, tolerance };
        judge(&uploads(&[("some", times)]).quote("q", claim).done()).remove(0).verdict
    };
    let fifty = [Some(30.0), Some(50.0), Some(50.0), Some(50.0), None];
    assert_eq!(verdict(&fifty, 40.0, Bound::Equal, 0.25), Verdict::MetUncertain);
    assert_eq!(verdict(&fifty, 39.9, Bound::Equal, 0.25), Verdict::SameDirection);
    assert_eq!(verdict(&fifty, 20.0, Bound::Equal, 0.5), Verdict::SameDirection);
    assert_eq!(verdict(&fifty, 19.9, Bound::Equal, 0.5), Verdict::NotMet);
    // Longer than 60 s is more than three times the tolerance away from 23.9 s.
    assert_eq!(verdict(&[None; 5], 24.0, Bound::AtMost, 0.5), Verdict::Undecided);
    assert_eq!(verdict(&[None; 5], 23.9, Bound::AtMost, 0.5), Verdict::NotMet);
    assert_eq!(verdict(&fifty[1..], 50.0, Bound::Equal, 0.5), Verdict::TooFewSeeds);
}

#[test]
fn a_mean_that_leaves_seeds_out_says_so_and_why() {
    let outcome = Builder::new(6, &[])
        .point(&[], &[("a", "reno")], |seed| {
            let mut result = run(&[1.0 + 0.01 * seed as f64]);
            result.flows[0].rtt_p95_s = (seed > 1).then_some(0.1);
            result
        })
        .done();
    let table = results(&outcome);
    let column = table.columns.iter().position(|c| c.key == "rtt_p95_s").expect("a column");
    let Cell::Number(p95) = table.rows[0][column] else { panic!("{:?}", table.rows[0]) };
    assert_eq!((p95.n, p95.of), (4, 6));
    assert_eq!(atl_report::quantity::plus_minus(&p95), "0.1000 (4 of 6)");
    let legend = legend(&outcome, &table).join(" ");
    assert!(legend.contains("where no RTT was sampled"), "{legend}");
    let json = serde_json::to_value(Summary::new(&outcome, &[])).expect("JSON");
    let p95 = &json["points"][0]["total"]["rtt_p95_s"];
    assert_eq!((p95["n"].as_u64(), p95["of"].as_u64()), (Some(4), Some(6)));
}
