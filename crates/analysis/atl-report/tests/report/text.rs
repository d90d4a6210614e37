//! Charts as text in a terminal.

use atl_report::figure::text::Canvas;
use atl_report::figure::{Axis, Chart, ChartKind, Curve, Mark, Num, text};

fn axis(label: &str) -> Axis {
    Axis { label: label.to_owned(), log: false, names: Vec::new() }
}

fn width(line: &str) -> usize {
    line.chars().count()
}

fn chart(kind: ChartKind, xs: &[f64], curves: &[(&str, &[f64])]) -> Chart {
    let numbers = |values: &[f64]| values.iter().map(|v| Num::new(*v)).collect();
    Chart {
        kind,
        title: "Goodput over time".to_owned(),
        x: axis("time (s)"),
        y: axis("Goodput (Mb/s)"),
        xs: numbers(xs),
        curves: curves
            .iter()
            .enumerate()
            .map(|(style, (name, y))| Curve {
                name: (*name).to_owned(),
                style,
                y: numbers(y),
                ..Curve::default()
            })
            .collect(),
        marks: Vec::new(),
        limits: Vec::new(),
        seed: None,
    }
}

fn plain(chart: &Chart) -> String {
    text(chart, Canvas::default())
}

#[test]
fn a_plot_over_time_has_its_axes_marks_and_legend() {
    let xs: Vec<f64> = (0..=60).map(f64::from).collect();
    let rising: Vec<f64> = xs.iter().map(|x| x / 6.0).collect();
    let mut chart = chart(ChartKind::Time, &xs, &[("TCP-ATL", &rising), ("Reno", &[2.0; 61])]);
    chart.marks = vec![
        Mark { x: 0.0, to: None, text: "wifi".to_owned(), curve: None },
        Mark { x: 30.0, to: None, text: "leo".to_owned(), curve: None },
        Mark { x: 40.0, to: Some(50.0), text: "blackout".to_owned(), curve: None },
    ];
    let text = plain(&chart);
    insta::assert_snapshot!("over_time", text);
    assert!(text.lines().all(|line| width(line) <= 80));
}

#[test]
fn where_curves_lie_on_each_other_both_are_seen() {
    let xs: Vec<f64> = (0..=100).map(f64::from).collect();
    let chart = chart(ChartKind::Time, &xs, &[("a", &[5.0; 101]), ("b", &[5.0; 101])]);
    assert!(plain(&chart).contains("●■●■●■"), "{}", plain(&chart));
}

#[test]
fn no_two_of_many_series_have_the_same_mark() {
    let xs = [1.0, 2.0];
    let names: Vec<String> = (0..20).map(|i| format!("series {i}")).collect();
    let curves: Vec<(&str, &[f64])> = names.iter().map(|name| (name.as_str(), &xs[..])).collect();
    let text = plain(&chart(ChartKind::Sweep, &xs, &curves));
    assert!(text.contains(" a series 0") && text.contains(" t series 19"), "{text}");
    assert!(text.lines().all(|line| width(line) <= 80), "{text}");
}

#[test]
fn bars_hold_their_numbers_and_intervals() {
    let mut chart = chart(ChartKind::Bars, &[0.0, 1.0], &[("a", &[4.0, 2.0]), ("b", &[1.0, 0.0])]);
    chart.x.names = vec!["wifi".to_owned(), "3g".to_owned()];
    chart.curves[0].low = vec![Num::new(3.5), Num::NONE];
    chart.curves[0].high = vec![Num::new(4.5), Num::NONE];
    chart.limits = vec![Num::new(5.0), Num::NONE];
    insta::assert_snapshot!("bars", plain(&chart));
}

#[test]
fn colours_come_beside_marks_and_change_nothing_else() {
    let chart = chart(ChartKind::Sweep, &[1.0, 2.0, 4.0], &[("a", &[1.0, 3.0, 2.0])]);
    let painted = text(&chart, Canvas { colour: true, ..Canvas::default() });
    assert!(painted.contains("\u{1b}[38;5;"), "{painted}");
    let mut bare = String::new();
    let mut rest = painted.as_str();
    while let Some(at) = rest.find('\u{1b}') {
        bare.push_str(&rest[..at]);
        rest = rest[at..].split_once('m').expect("a whole code").1;
    }
    bare.push_str(rest);
    assert_eq!(bare, plain(&chart));
}

#[test]
fn any_chart_becomes_text() {
    let empty = chart(ChartKind::Time, &[], &[]);
    assert!(plain(&empty).starts_with("Goodput over time\n"));
    let missing = chart(ChartKind::Sweep, &[1.0], &[("a", &[f64::NAN])]);
    assert!(plain(&missing).contains("● a"));
    let narrow = text(&missing, Canvas { width: 0, height: 0, colour: false });
    assert!(narrow.lines().all(|line| width(line) <= Canvas::LEAST), "{narrow}");
    let mut named = chart(ChartKind::Sweep, &[0.0, 1.0], &[("a", &[1.0, 2.0])]);
    named.x.names = vec!["a very long name of a value".repeat(3), "short".to_owned()];
    assert!(plain(&named).lines().all(|line| width(line) <= 80), "{}", plain(&named));
}
