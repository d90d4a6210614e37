//! Parts of a run, recovery times and shares over time, from samples with known results.

use std::sync::Arc;

use crate::support::{
    self, Builder, changed, first_run, goodput_of, run, sample, selection, with_seeds,
};
use atl_core::time::{Span, Time};
use atl_engine::result::RunResult;
use atl_engine::setup::Setup;
use atl_link::{Blackout, Change, Config};
use atl_report::metric::{estimate, of_run};
use atl_report::recovery::{Recovery, recovery};
use atl_report::{Outcome, Verdict, html, judge};
use atl_scenario::quote::{Bound, Claim};
use atl_scenario::scenario::{During, Figure, FigureKind, Measure, Metric, Share};

fn part(metric: Metric, from_s: f64, to_s: f64) -> Measure {
    let time = |s: f64| Time::ZERO + Span::from_secs_f64(s);
    Measure { metric, during: Some(During { from: time(from_s), to: time(to_s) }) }
}

/// A run of 60 s, sampled every 0.1 s, in which flow `f` gets `rate(f, t)` bit/s in the interval
/// that ends at t.
fn recorded(flows: u32, rate: impl Fn(u32, f64) -> f64) -> RunResult {
    let mut result = run(&vec![1.0; flows as usize]);
    let mut bytes = vec![0_u64; flows as usize];
    for i in 1..=600 {
        let t = f64::from(i) * 1e8 / 1e9;
        for flow in 0..flows {
            let total = &mut bytes[flow as usize];
            *total += (rate(flow, t) * 0.1 / 8.0).round() as u64;
            let mut s = sample(t, flow, f64::from(i % 10), 0.0);
            s.time_s = Span::from_millis(100 * u64::from(i as u32)).secs();
            s.delivered_bytes = *total;
            s.wire_bytes = *total * 2;
            result.samples.push(s);
        }
    }
    result
}

/// One point with a run of the given rates, on a path with the given disturbances.
fn outcome(
    flows: &[(&str, &str)],
    happens: impl Fn(&mut Config),
    rate: impl Fn(u32, f64) -> f64,
) -> Outcome {
    Builder::new(1, &[])
        .point(&[], flows, |_| recorded(flows.len() as u32, &rate))
        .setup(|setup| {
            let mut config = (*setup.links[0].config).clone();
            happens(&mut config);
            setup.links[0].config = Arc::new(config);
            setup.duration = Span::from_secs(60);
        })
        .done()
}

fn setup_and_run(outcome: &Outcome) -> (&Setup, RunResult) {
    (&outcome.scenario.points[0].setup, first_run(outcome))
}

fn nothing(_: &mut Config) {}

#[test]
fn a_part_is_measured_by_differences_of_counts() {
    // 1 Mb/s for 30 s, then 3 Mb/s.
    let outcome = outcome(&[("a", "atl")], nothing, |_, t| if t <= 30.0 { 1e6 } else { 3e6 });
    let (setup, run) = setup_and_run(&outcome);
    let of = |metric, from, to| of_run(part(metric, from, to), setup, &run, None);
    assert_eq!(of(Metric::Goodput, 0.0, 30.0), Some(1e6));
    assert_eq!(of(Metric::Goodput, 20.0, 40.0), Some(2e6));
    assert_eq!(of(Metric::Goodput, 30.0, 60.0), Some(3e6));
    assert_eq!(of(Metric::Throughput, 29.9, 30.1), Some(4e6), "twice as much on the wire");
    assert_eq!(of(Metric::Cwnd, 10.0, 11.0), Some(4.5), "the ten samples after 10 s");
    // No value at times without a sample, or after the last one.
    assert_eq!(of(Metric::Goodput, 20.05, 40.0), None);
    assert_eq!(of(Metric::Goodput, 20.0, 61.0), None);
    for metric in [Metric::Loss, Metric::RttMedian, Metric::Recovery, Metric::Completion] {
        assert_eq!(of(metric, 20.0, 40.0), None, "samples do not tell {}", metric.name());
    }
}

#[test]
fn groups_and_jains_index_over_a_part() {
    // Equal shares up to 30 s, then one flow has three times the other's.
    let rate = |flow, t| if t > 30.0 && flow == 1 { 3e6 } else { 1e6 };
    let outcome = outcome(&[("a", "atl"), ("b", "reno")], nothing, rate);
    let of = |measure, group| estimate(&outcome, measure, &selection(&[], group)).map(|e| e.mean);
    assert_eq!(of(part(Metric::Jain, 0.0, 30.0), None), Some(1.0));
    assert_eq!(of(part(Metric::Jain, 30.0, 60.0), None), Some(0.8));
    assert_eq!(of(part(Metric::Goodput, 30.0, 60.0), None), Some(4e6), "the sum");
    assert_eq!(of(part(Metric::Goodput, 30.0, 60.0), Some("b")), Some(3e6));
    let mut both = selection(&[], Some("a"));
    both.groups.push("b".to_owned());
    let mean = estimate(&outcome, part(Metric::Goodput, 30.0, 60.0), &both).map(|e| e.mean);
    assert_eq!(mean, Some(2e6), "of several groups the mean over their flows");
}

#[test]
fn a_verdict_over_a_part_names_the_part() {
    let rate = |flow, t| if t > 30.0 && flow == 0 { 2e6 } else { 1e6 };
    let mut outcome = outcome(&[("a", "atl"), ("b", "reno")], nothing, rate);
    let claim = |from, to| Claim::Ratio {
        measure: part(Metric::Goodput, from, to),
        of: selection(&[], Some("a")),
        over: selection(&[], Some("b")),
        expect: 1.0,
        bound: Bound::Equal,
        tolerance: 0.1,
    };
    for (from, to, verdict) in
        [(0.0, 30.0, Verdict::Met), (0.0, 40.0, Verdict::NotMet), (50.0, 60.0, Verdict::NotMet)]
    {
        let quote =
            Builder::new(1, &[]).quote("phi", claim(from, to)).done().scenario.quotes.clone();
        Arc::make_mut(&mut outcome.scenario).quotes = quote;
        let judged = judge(&with_seeds(&outcome, 5)).remove(0);
        assert_eq!(judged.verdict, verdict, "{}", judged.reason);
        assert!(
            judged.reason.ends_with(&format!("Measured from {from} s to {to} s.")),
            "{}",
            judged.reason
        );
    }
}

fn blackouts(config: &mut Config, at_s: &[(f64, f64)]) {
    config.blackouts = at_s
        .iter()
        .map(|(at, lasts)| Blackout {
            at: Time::ZERO + Span::from_secs_f64(*at),
            lasts: Span::from_secs_f64(*lasts),
            hold: false,
        })
        .collect();
}

fn roams(config: &mut Config, at_s: f64) {
    let to = config.initial.clone();
    config.schedule = vec![Change { at: Time::ZERO + Span::from_secs_f64(at_s), to }];
}

fn recovers(happens: impl Fn(&mut Config), rate: impl Fn(f64) -> f64) -> Option<Recovery> {
    let outcome = outcome(&[("a", "atl")], happens, |_, t| rate(t));
    let (setup, run) = setup_and_run(&outcome);
    recovery(setup, &run, 0)
}

fn near(found: Option<Recovery>, time_s: f64, recovered: bool) {
    let found = found.expect("a disturbance");
    let fits = (found.time_s - time_s).abs() < 1e-6 && found.recovered == recovered;
    assert!(fits, "{found:?} for {time_s} s");
}

#[test]
fn after_a_blackout_the_earlier_goodput_must_return() {
    let dead = |config: &mut Config| blackouts(config, &[(30.0, 1.0)]);
    // Nothing for 4 s after the blackout, then the rate as before: the second from 34.8 s on has 80
    // %.
    near(recovers(dead, |t| if t > 30.0 && t <= 35.0 { 0.0 } else { 1e6 }), 3.8, true);
    // The border between recovered and not is 80 %.
    near(recovers(dead, |t| if t > 30.0 { 0.79e6 } else { 1e6 }), 29.0, false);
    near(recovers(dead, |t| if t > 31.0 { 0.8e6 } else { 1e6 }), 0.0, true);
    // Goodput more than 10 s before the blackout has no influence.
    near(recovers(dead, |t| if t <= 20.0 { 9e6 } else { 1e6 }), 0.0, true);
    assert_eq!(recovers(nothing, |_| 1e6), None, "nothing to recover from");
    assert_eq!(recovers(dead, |t| if t > 31.0 { 1e6 } else { 0.0 }), None, "nothing was there");
}

#[test]
fn a_blackout_without_effect_needs_no_recovery() {
    let dead = |config: &mut Config| blackouts(config, &[(30.0, 0.01)]);
    near(recovers(dead, |_| 1e6), 0.0, true);
}

#[test]
fn after_a_handoff_the_new_networks_goodput_is_the_reference() {
    // A tenth of the old rate, reached at 45 s.
    let rate = |t| match t {
        t if t <= 30.0 => 10e6,
        t if t <= 45.0 => 0.1e6,
        _ => 1e6,
    };
    let rate_slow = |t| if t <= 30.0 { 10e6 } else { 1e6 };
    near(recovers(|c| roams(c, 30.0), rate_slow), 0.0, true);
    // The second from 44.7 s on has three tenths at 0.1 Mb/s, thus 73 %; the one from 44.8 s on has
    // 82 %.
    near(recovers(|c| roams(c, 30.0), rate), 14.8, true);
    // A blackout around the handoff: goodput before it is no reference.
    let both = |c: &mut Config| {
        roams(c, 30.5);
        blackouts(c, &[(30.0, 1.0)]);
    };
    near(recovers(both, rate_slow), 0.0, true);
}

#[test]
fn the_last_finished_disturbance_counts_and_close_ones_are_merged() {
    let slow = |from: f64, to: f64| move |t: f64| if t > from && t <= to { 0.0 } else { 1e6 };
    // Two blackouts far apart: only the second counts, and it has no effect.
    let two = |c: &mut Config| blackouts(c, &[(20.0, 1.0), (40.0, 1.0)]);
    near(recovers(two, slow(20.0, 35.0)), 0.0, true);
    // Two within 10 s: the reference is before the first, since a blackout lies between them.
    let train = |c: &mut Config| blackouts(c, &[(30.0, 1.0), (33.0, 1.0)]);
    near(recovers(train, slow(30.0, 40.0)), 5.8, true);
    // A disturbance that outlasts the run is ignored.
    let late = |c: &mut Config| blackouts(c, &[(30.0, 1.0), (55.0, 10.0)]);
    near(recovers(late, slow(30.0, 33.0)), 1.8, true);
}

#[test]
fn a_completed_flow_ends_at_its_completion() {
    let dead = |c: &mut Config| blackouts(c, &[(30.0, 1.0)]);
    let outcome = outcome(&[("a", "atl")], dead, |_, t| match t {
        t if t <= 30.0 => 1e6,
        t if t <= 36.0 => 0.1e6,
        _ => 0.0,
    });
    let outcome = changed(outcome, |results| results[0][0].flows[0].completion_s = Some(36.0));
    let (setup, run) = setup_and_run(&outcome);
    near(recovery(setup, &run, 0), 5.0, false);
}

#[test]
fn a_verdict_mentions_flows_that_never_recovered() {
    let vars = |name: &'static str| [("protocol", name)];
    let claim = Claim::Order {
        measure: Metric::Recovery.into(),
        of: vec![goodput_of("reno"), goodput_of("atl")],
    };
    let mut builder = Builder::new(5, &["protocol"]);
    for (name, silent) in [("reno", 30.0), ("atl", 2.0)] {
        builder = builder
            .point(&vars(name), &[("f", name)], |seed| {
                let until = 31.0 + silent - 0.3 * seed as f64;
                recorded(1, |_, t| if t > 30.0 && t <= until { 0.0 } else { 1e6 })
            })
            .setup(|setup| {
                let mut config = (*setup.links[0].config).clone();
                blackouts(&mut config, &[(30.0, 1.0)]);
                setup.links[0].config = Arc::new(config);
            });
    }
    let judged = judge(&builder.quote("back", claim).done()).remove(0);
    assert_eq!(judged.verdict, Verdict::Met, "{}", judged.reason);
    assert!(judged.reason.contains("5 of 10 flows recovered"), "{}", judged.reason);
    assert_eq!(judged.measured[0].text, "29.00 s");
}

/// The chart of a page with a single figure.
fn chart(outcome: &Outcome, figure: FigureKind) -> serde_json::Value {
    let mut outcome = outcome.clone();
    let kind = Figure { title: "f".to_owned(), caption: String::new(), kind: figure };
    Arc::make_mut(&mut outcome.scenario).figures = vec![kind];
    let page = html::page(&[outcome], &[]);
    let start = page.find("id=\"charts\">").expect("charts") + "id=\"charts\">".len();
    let end = page[start..].find("</script>").expect("their end");
    let charts: serde_json::Value = serde_json::from_str(&page[start..start + end]).expect("JSON");
    assert_eq!(charts.as_array().map(Vec::len), Some(1));
    charts[0].clone()
}

#[test]
fn shares_over_time_count_all_delivered_bytes() {
    // Nothing for 10 s; then a1 and a2 get 1 and 3 Mb/s, b gets 1 Mb/s, and from 30 s on 3 Mb/s.
    let rate = |flow, t: f64| match flow {
        _ if t <= 10.0 => 0.0,
        1 => 3e6,
        2 if t > 30.0 => 3e6,
        _ => 1e6,
    };
    let flows = [("a1", "atl"), ("a2", "atl"), ("b", "reno")];
    let outcome = outcome(&flows, nothing, rate);
    let names = |names: &[&str]| names.iter().map(|n| (*n).to_owned()).collect::<Vec<_>>();
    let shares = |share| FigureKind::Shares { share, series: None, at: support::at(&[]) };
    // The page rounds to five significant figures.
    let at = |chart: &serde_json::Value, t: f64| {
        let xs = chart["xs"].as_array().expect("times").iter();
        let i = xs.map(|x| x.as_f64()).position(|x| x == Some(t)).expect("a time");
        chart["curves"][0]["y"][i].to_string()
    };
    let ratio = Share::Ratio { of: names(&["a1", "a2"]), over: names(&["b"]) };
    let chart_of = |share| chart(&outcome, shares(share));
    let phi = chart_of(ratio);
    assert_eq!(phi["y"]["label"], "delivered, a1 + a2 over b");
    assert_eq!(phi["curves"][0]["name"], "a1 + a2 over b");
    assert_eq!(phi["xs"][0], 10.1, "no ratio over nothing");
    // 2 Mb/s per flow against 1 Mb/s; at 60 s 100 Mb against 110.
    assert_eq!([at(&phi, 10.1), at(&phi, 30.0)], ["2", "2"]);
    assert_eq!(at(&phi, 60.0), "0.90909");
    let all = chart_of(Share::Jain { of: Vec::new() });
    // (1 + 3 + 1)^2 / (3 * 11)
    assert_eq!(at(&all, 30.0), "0.75758");
    let two = chart_of(Share::Jain { of: names(&["a1", "b"]) });
    assert_eq!(two["y"]["label"], "Jain's index of the delivered bytes of a1 + b");
    assert_eq!(at(&two, 30.0), "1");
}

/// alpha R = 1 packet, beta = 1/2, a loss of 1 % and an RTT of 100 ms: eq. 10 gives 130.611
/// packets/s as published and 130 in the last-round form, each of 1040 bytes.
fn paced(mbps: f64, loss: bool) -> Outcome {
    let mut outcome = Builder::new(1, &["beta"])
        .point(&[("beta", "0.5")], &[("a", "rate")], |_| {
            let mut run = run(&[1.0]);
            let flow = &mut run.flows[0];
            flow.throughput_bps = mbps * 1e6;
            flow.rtt_median_s = Some(0.1);
            if !loss {
                (flow.dropped, flow.lost) = (Some(0), Some(0));
            }
            run
        })
        .done();
    let scenario = Arc::make_mut(&mut outcome.scenario);
    let protocol = atl_scenario::protocol::named("aimd-rate").expect("it is listed");
    scenario.points[0].setup.flows[0].protocol = protocol;
    outcome
}

#[test]
fn the_error_of_eq_10_is_taken_at_the_measured_loss_and_rtt() {
    let error = |outcome: &Outcome, metric: Metric| {
        let (setup, run) = setup_and_run(outcome);
        of_run(metric, setup, &run, None)
    };
    let measured = 100.0 * 1040.0 * 8.0 / 1e6;
    let found = error(&paced(measured, true), Metric::Eq10Published).expect("an error");
    assert!((found - 0.306_107).abs() < 1e-6, "{found}");
    let found = error(&paced(measured, true), Metric::Eq10LastRound).expect("an error");
    assert!((found - 0.3).abs() < 1e-12, "{found}");
    // Without loss, throughput or a fixed alpha there is no error to give.
    assert_eq!(error(&paced(measured, false), Metric::Eq10Published), None);
    assert_eq!(error(&paced(0.0, true), Metric::Eq10Published), None);
    let tcp = outcome(&[("a", "atl")], nothing, |_, _| 1e6);
    assert_eq!(error(&tcp, Metric::Eq10Published), None);
}

#[test]
fn metrics_with_a_common_name_share_it_on_the_axis() {
    let forms = [Metric::Eq10Published, Metric::Eq10LastRound, Metric::Eq10HalfRound];
    let metrics = |ys: Vec<Measure>| FigureKind::Metrics {
        x: "beta".to_owned(),
        x_log: false,
        ys,
        at: support::at(&[]),
    };
    let outcome = paced(130.0 * 1040.0 * 8.0 / 1e6, true);
    let errors = chart(&outcome, metrics(forms.map(Measure::from).into()));
    assert_eq!(errors["y"]["label"], "error of eq. 10 (%)");
    let names: Vec<_> = errors["curves"].as_array().expect("curves").iter().collect();
    assert_eq!(names.len(), 3);
    assert_eq!((&names[1]["name"], &names[1]["y"][0]), (&"last-round".into(), &0.into()));
    assert_eq!(names[0]["y"][0], 0.469_79);
    let two = chart(&outcome, metrics(vec![Metric::Throughput.into(), Metric::Goodput.into()]));
    assert_eq!(
        (&two["y"]["label"], &two["curves"][1]["name"]),
        (&"Mb/s".into(), &"goodput".into())
    );
}

#[test]
fn the_tolerance_of_an_error_is_absolute() {
    let judged = |expect, tolerance| {
        let mut outcome = paced(100.0 * 1040.0 * 8.0 / 1e6, true);
        let claim = Claim::Value {
            measure: Metric::Eq10Published.into(),
            of: selection(&[], None),
            expect,
            bound: Bound::Equal,
            tolerance,
        };
        let quote = Builder::new(1, &[]).quote("error", claim).done().scenario.quotes[0].clone();
        Arc::make_mut(&mut outcome.scenario).quotes = vec![quote];
        judge(&with_seeds(&outcome, 5)).remove(0)
    };
    // The error is +30.6 %.
    let met = judged(0.3, 0.01);
    assert_eq!(met.verdict, Verdict::Met, "{}", met.reason);
    assert!(
        met.reason.contains("off by 0.6107 %, within the tolerance of 1.000 %"),
        "{}",
        met.reason
    );
    assert_eq!(judged(0.29, 0.01).verdict, Verdict::SameDirection);
    assert_eq!(judged(-0.05, 0.01).verdict, Verdict::NotMet);
}

#[test]
fn an_axis_names_the_part_of_the_run() {
    let outcome = outcome(&[("a", "atl"), ("b", "reno")], nothing, |_, _| 1e6);
    let figure = FigureKind::Scatter {
        x: part(Metric::Jain, 0.0, 30.0),
        y: part(Metric::Goodput, 30.0, 35.5),
        series: "flow".to_owned(),
        at: support::at(&[]),
    };
    let chart = chart(&outcome, figure);
    assert_eq!(chart["x"]["label"], "Jain's index from 0 s to 30 s");
    assert_eq!(chart["y"]["label"], "goodput from 30 s to 35.5 s (Mb/s)");
    assert_eq!(chart["curves"][0]["y"][0], 1.0);
}

#[test]
fn an_axis_says_that_a_rate_is_of_all_flows() {
    let flows = [("photo", "atl"), ("backup", "reno")];
    let outcome = Builder::new(1, &["protocol"])
        .point(&[("protocol", "atl")], &flows, |_| run(&[2.0, 3.0]))
        .done();
    let of = |metric: Metric, series: &str, groups: &[&str]| {
        let figure = FigureKind::Sweep {
            x: "protocol".to_owned(),
            x_log: false,
            y: metric.into(),
            series: series.to_owned(),
            at: support::at(&[]),
            of: groups.iter().map(|&group| group.to_owned()).collect(),
        };
        let chart = chart(&outcome, figure);
        (chart["y"]["label"].as_str().map(str::to_owned), chart["curves"][0]["y"][0].as_f64())
    };
    let label = |text: &str| Some(text.to_owned());
    let all = of(Metric::Goodput, "protocol", &[]);
    assert_eq!(all, (label("goodput of all flows (Mb/s)"), Some(5.0)));
    let one = of(Metric::Goodput, "protocol", &["photo"]);
    assert_eq!(one, (label("goodput (Mb/s)"), Some(2.0)));
    let each = of(Metric::Goodput, "flow", &[]);
    assert_eq!(each, (label("goodput (Mb/s)"), Some(2.0)));
    assert_eq!(of(Metric::Jain, "protocol", &[]).0, label("Jain's index"));
}
