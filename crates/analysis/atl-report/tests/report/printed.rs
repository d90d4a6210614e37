//! A paper's printed numbers, as open marks on the figure that shows them.

use std::sync::Arc;

use atl_core::time::Time;
use atl_report::Outcome;
use atl_report::figure::{self, Chart, Drawn};
use atl_scenario::quote::{Bound, Claim, Standing};
use atl_scenario::scenario::{During, Figure, FigureKind, Measure, Metric, Trace};

use crate::support::{Builder, at, fitted, run, sample, selection};

fn value(of: &[(&str, &str)], mbps: f64, bound: Bound) -> Claim {
    let of = selection(of, None);
    let measure = Metric::Goodput.into();
    Claim::Value { measure, of, expect: mbps * 1e6, bound, tolerance: 0.1 }
}

fn ratio(of: &[(&str, &str)], over: &[(&str, &str)], expect: f64) -> Claim {
    let (of, over) = (selection(of, None), selection(over, None));
    let (measure, bound) = (Metric::Goodput.into(), Bound::Equal);
    Claim::Ratio { measure, of, over, expect, bound, tolerance: 0.1 }
}

const ATL: [(&str, &str); 2] = [("protocol", "atl"), ("p_w", "1e-2")];
const RENO: [(&str, &str); 2] = [("protocol", "reno"), ("p_w", "1e-2")];

/// The outcome's figure, which is of this kind.
fn only(mut outcome: Outcome, kind: FigureKind) -> Drawn {
    let figure = Figure { title: "f".to_owned(), caption: String::new(), kind };
    Arc::make_mut(&mut outcome.scenario).figures = vec![figure];
    figure::all(&outcome).remove(0)
}

/// Goodput against p_w: ATL has 4 and 2 Mb/s, Reno 2 and 1 Mb/s.
fn drawn(quotes: impl FnOnce(Builder) -> Builder) -> Drawn {
    let mut builder = Builder::new(5, &["protocol", "p_w"]);
    for (protocol, mbps) in [("atl", 4.0), ("reno", 2.0)] {
        for (p_w, share) in [("1e-3", 1.0), ("1e-2", 0.5)] {
            let vars = [("protocol", protocol), ("p_w", p_w)];
            builder = builder.point(&vars, &[("flow", protocol)], |_| run(&[mbps * share]));
        }
    }
    let kind = FigureKind::Sweep {
        x: "p_w".to_owned(),
        x_log: true,
        y: Metric::Goodput.into(),
        series: "protocol".to_owned(),
        at: at(&[]),
        of: Vec::new(),
    };
    only(quotes(builder).done(), kind)
}

/// Names and values of the open marks.
fn open(chart: &Chart) -> Vec<(&str, Vec<Option<f64>>)> {
    let open = chart.curves.iter().filter(|curve| curve.open);
    open.map(|curve| (curve.name.as_str(), curve.y.iter().map(|y| y.get()).collect())).collect()
}

#[test]
fn a_number_of_the_paper_stands_at_its_place() {
    let drawn = drawn(|b| b.quote("atl", value(&ATL, 3.0, Bound::Equal)));
    let chart = drawn.chart.expect("a chart");
    assert_eq!(open(&chart), [("ATL (paper)", vec![None, Some(3.0)])]);
    assert_eq!(chart.curves[2].style, chart.curves[0].style, "the colour of its curve");
    assert!(drawn.note.contains("Open marks are the paper's"), "{}", drawn.note);
    assert_eq!(drawn.numbers.expect("numbers").columns.len(), 3, "measured ones only");
}

#[test]
fn a_factor_is_times_what_the_other_curve_has() {
    let drawn = drawn(|b| b.quote("lead", ratio(&ATL, &RENO, 7.0)));
    let chart = drawn.chart.expect("a chart");
    assert_eq!(open(&chart), [("ATL (paper, over RENO)", vec![None, Some(7.0)])]);
    assert_eq!(chart.curves[2].style, chart.curves[1].style, "factors over others look unlike");
}

#[test]
fn only_what_a_curve_shows_and_the_paper_states_has_a_mark() {
    let elsewhere = [("protocol", "reno"), ("p_w", "1e-3")];
    let drawn = drawn(|b| {
        b.quote("first", value(&ATL, 3.0, Bound::Equal))
            .quote("again", value(&ATL, 9.0, Bound::Equal))
            .standing(fitted("first", "queue 12"))
            .quote("own", value(&RENO, 8.0, Bound::Equal))
            .standing(Standing::Own)
            .quote("bound", value(&RENO, 8.0, Bound::AtMost))
            .quote("both p_w", value(&RENO[..1], 8.0, Bound::Equal))
            .quote("another p_w", ratio(&ATL, &elsewhere, 2.0))
    });
    let chart = drawn.chart.expect("a chart");
    assert_eq!(open(&chart), [("ATL (paper)", vec![None, Some(3.0)])]);
}

#[test]
fn without_a_paper_nothing_is_added() {
    let drawn = drawn(|b| b);
    assert!(!drawn.note.contains("Open"), "{}", drawn.note);
    let chart = drawn.chart.expect("a chart");
    assert_eq!(chart.curves.len(), 2);
    assert!(!serde_json::to_string(&chart).expect("JSON").contains("open"));
}

#[test]
fn every_form_draws_open_marks_without_a_line() {
    let drawn = drawn(|b| b.quote("atl", value(&ATL, 3.0, Bound::Equal)));
    let chart = drawn.chart.expect("a chart");
    let svg = figure::svg(&chart, "", figure::svg::Size::default());
    // A line for each curve that was measured; a circle at the point and in the legend, empty, so
    // that what was measured there can be seen.
    assert_eq!(svg.matches("stroke-linejoin").count(), 2, "{svg}");
    assert_eq!(svg.matches("fill=\"none\" stroke=").count(), 2, "{svg}");
    let csv = figure::csv(&chart);
    assert!(csv.contains("\nATL (paper),0.01,3,"), "{csv}");
    let pgf = figure::pgf(&chart, "");
    assert!(pgf.contains("only marks") && pgf.contains("fill=none"), "{pgf}");
    let text = figure::text(&chart, figure::text::Canvas::default());
    assert!(text.contains("◯ ATL (paper)"), "{text}");
}

/// cwnd over ten seconds, a sample each second: ATL has 40 packets, Reno 20.
fn over_time(quotes: impl FnOnce(Builder) -> Builder) -> Drawn {
    let mut builder = Builder::new(2, &["protocol"]);
    for (protocol, cwnd) in [("atl", 40.0), ("reno", 20.0)] {
        builder = builder.point(&[("protocol", protocol)], &[("flow", protocol)], |_| {
            let mut result = run(&[1.0]);
            result.samples = (1..=10).map(|i| sample(f64::from(i), 0, cwnd, 1e6)).collect();
            result
        });
    }
    let kind = FigureKind::Time {
        y: Trace::Cwnd,
        series: "protocol".to_owned(),
        at: at(&[]),
        of: Vec::new(),
    };
    only(quotes(builder).done(), kind)
}

/// This many packets, or another metric's number, from 2 to 6 s.
fn during(of: &[(&str, &str)], metric: Metric, expect: f64) -> Claim {
    let second = Time::from_secs_f64;
    let during = Some(During { from: second(2.0), to: second(6.0) });
    let of = selection(of, None);
    let measure = Measure { metric, during };
    Claim::Value { measure, of, expect, bound: Bound::Equal, tolerance: 0.1 }
}

#[test]
fn over_time_a_number_stands_in_the_middle_of_its_part_of_the_run() {
    let drawn = over_time(|b| b.quote("window", during(&ATL[..1], Metric::Cwnd, 66.0)));
    let chart = drawn.chart.expect("a chart");
    let mut y = vec![None; 10];
    y[3] = Some(66.0);
    assert_eq!(chart.xs[3].get(), Some(4.0));
    assert_eq!(open(&chart), [("ATL (paper)", y)]);
    assert_eq!(chart.curves[2].style, chart.curves[0].style, "the colour of its curve");
    assert!(drawn.note.contains("Open marks are numbers that the paper prints"), "{}", drawn.note);
    // The mark is drawn in full, however many samples there are.
    let svg = figure::svg(&chart, "", figure::svg::Size::default());
    assert_eq!(svg.matches("fill=\"none\" stroke=").count(), 2, "{svg}");
    let pgf = figure::pgf(&chart, "");
    let mark = pgf.lines().find(|line| line.contains("only marks")).expect("a mark");
    assert!(!mark.contains("mark repeat"), "{mark}");
}

#[test]
fn over_time_only_what_the_paper_states_of_a_curve_has_a_mark() {
    let whole = Claim::Value {
        measure: Metric::Cwnd.into(),
        of: selection(&RENO[..1], None),
        expect: 5.0,
        bound: Bound::Equal,
        tolerance: 0.1,
    };
    let drawn = over_time(|b| {
        b.quote("another metric", during(&ATL[..1], Metric::Goodput, 5.0))
            .quote("both", during(&[], Metric::Cwnd, 5.0))
            .quote("the whole run", whole)
            .quote("own", during(&RENO[..1], Metric::Cwnd, 5.0))
            .standing(Standing::Own)
    });
    let chart = drawn.chart.expect("a chart");
    assert_eq!(open(&chart), []);
    assert!(!drawn.note.contains("Open"), "{}", drawn.note);
}
