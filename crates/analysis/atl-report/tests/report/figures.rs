//! Figures from samples and results with known values, and their files.

use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use atl_engine::setup::Source;
use atl_link::{Change, Service};
use atl_report::Outcome;
use atl_report::figure::{self, Chart, ChartKind, Drawn};
use atl_report::html::{self, Archive, Archived, Unreadable};
use atl_report::table::{self, Cell};
use atl_scenario::scenario::{Figure, FigureKind, Metric, Trace};

use crate::support::{Builder, at, protocols, run, sample};

const SEEDS: u64 = 5;

fn drawn(outcome: &Outcome, kind: FigureKind) -> Drawn {
    let mut outcome = outcome.clone();
    let figure = Figure { title: "f".to_owned(), caption: String::new(), kind };
    Arc::make_mut(&mut outcome.scenario).figures = vec![figure];
    figure::all(&outcome).remove(0)
}

fn chart(outcome: &Outcome, kind: FigureKind) -> Chart {
    drawn(outcome, kind).chart.expect("a chart")
}

/// Two protocols that get 4 and 2 Mb/s on `wlan` (10 Mb/s) until 30 s and half of that on `3g` (5
/// Mb/s) until 60 s; each further seed gets 1 % more. Samples are 4 s apart, so one of them spans
/// the change at 30 s.
pub(crate) fn roaming() -> Outcome {
    let mut builder = Builder::new(SEEDS, &["protocol"]);
    for (protocol, mbps) in [("atl", 4.0), ("reno", 2.0)] {
        builder = builder
            .point(&[("protocol", protocol)], &[("flow", protocol)], |seed| {
                let mut result = run(&[mbps]);
                let luck = 1.0 + 0.01 * seed as f64;
                for i in 1..=15_u32 {
                    let t = f64::from(i) * 4.0;
                    let rate = if t <= 32.0 { mbps } else { mbps / 2.0 };
                    result.samples.push(sample(t, 0, 10.0, rate * luck * 1e6 / 0.95));
                }
                result
            })
            .setup(|setup| {
                let mut config = (*setup.links[0].config).clone();
                config.initial.name = "wlan".into();
                config.initial.service = Service::Constant(Rate::from_mbps(10.0));
                let mut to = config.initial.clone();
                to.name = "3g".into();
                to.service = Service::Constant(Rate::from_mbps(5.0));
                config.schedule.push(Change { at: Time::from_millis(30_000), to });
                setup.links[0].config = Arc::new(config);
                setup.duration = Span::from_secs(60);
            });
    }
    builder.done()
}

fn networks() -> FigureKind {
    FigureKind::Networks { y: Trace::Goodput, series: "protocol".to_owned(), at: at(&[]) }
}

fn y(chart: &Chart, curve: usize) -> Vec<f64> {
    chart.curves[curve].y.iter().filter_map(|y| y.get()).collect()
}

#[test]
fn what_is_left_in_each_network_is_a_mean_over_the_time_there() {
    let drawn = drawn(&roaming(), networks());
    let chart = drawn.chart.expect("a chart");
    assert_eq!(
        (chart.kind, &chart.x.names[..]),
        (ChartKind::Bars, &["wlan".to_owned(), "3g".to_owned()][..])
    );
    // The sample from 28 to 32 s has its middle at 30 s, so it counts for the new network, in which
    // the seven others have half. The mean over the seeds is 1.02 times the first.
    let wlan = 4.0 * 1.02;
    assert!((y(&chart, 0)[0] - wlan).abs() < 1e-3, "{:?}", y(&chart, 0));
    assert!((y(&chart, 0)[1] - 1.02 * (7.0 * 2.0 + 4.0) / 8.0).abs() < 1e-3, "{:?}", y(&chart, 0));
    let (low, high) = chart.curves[0].interval(0).expect("an interval over five seeds");
    // Student's t for 4 degrees of freedom is 2.776; the standard error of 0, 1 .. 4 % is 0.707 %.
    assert!((high - low - 2.0 * 2.776 * 0.00707 * 4.0).abs() < 2e-3, "{low} {high}");
    let limits: Vec<_> = chart.limits.iter().map(|limit| limit.get()).collect();
    assert_eq!(limits, [Some(10.0), Some(5.0)], "what the link carries");
    let numbers = drawn.numbers.expect("its numbers");
    assert_eq!((numbers.rows.len(), numbers.columns.len()), (2, 3));
    // Flows that stay have no networks to compare.
    assert!(self::drawn(&protocols(&[("atl", &[1.0; 5])]).done(), networks()).chart.is_none());
}

#[test]
fn curves_over_time_are_means_with_a_band_and_one_run_beside() {
    let time =
        |y| FigureKind::Time { y, series: "protocol".to_owned(), at: at(&[]), of: Vec::new() };
    let outcome = roaming();
    let drawn = drawn(&outcome, time(Trace::Goodput));
    let chart = drawn.chart.expect("a chart");
    assert!((y(&chart, 0)[0] - 4.08).abs() < 1e-4, "the mean of five");
    assert_eq!(chart.curves[0].one[0].get(), Some(4.0), "the first seed");
    let (low, high) = chart.curves[0].interval(0).expect("a band");
    assert!(low < 4.08 && 4.08 < high && high - low < 0.2);
    assert_eq!(chart.seed, Some(1));
    assert!(
        drawn.note.starts_with("Mean over 5 seeds. The band is its 95 % interval."),
        "{}",
        drawn.note
    );
    assert!(!drawn.note.contains("Peaks"), "nothing is above 10 Mb/s");

    // A link of 2 Mb/s cannot carry 4.
    let mut narrow = outcome;
    for point in &mut Arc::make_mut(&mut narrow.scenario).points {
        let mut config = (*point.setup.links[0].config).clone();
        config.initial.service = Service::Constant(Rate::from_mbps(2.0));
        config.schedule.clear();
        point.setup.links[0].config = Arc::new(config);
    }
    let drawn = self::drawn(&narrow, time(Trace::Goodput));
    assert!(drawn.note.contains("Peaks above the link’s rate"), "{}", drawn.note);
    let drawn = self::drawn(&narrow, time(Trace::Throughput));
    assert!(!drawn.note.contains("Peaks"), "only what waits for its order comes in bursts");
}

/// 40 short flows in each of five runs. The k-th takes k seconds; every tenth does not end.
pub(crate) fn short_flows() -> Outcome {
    let flows: Vec<(&str, &str)> = (0..40).map(|_| ("short", "atl")).collect();
    Builder::new(SEEDS, &["protocol"])
        .point(&[("protocol", "atl")], &flows, |_| {
            let mut result = run(&[1.0; 40]);
            for (k, flow) in result.flows.iter_mut().enumerate() {
                flow.completion_s = (k % 10 != 9).then_some(k as f64 + 1.0);
            }
            result
        })
        .setup(|setup| {
            for flow in &mut setup.flows {
                flow.source = Source::Fixed { bytes: 100_000 };
            }
        })
        .done()
}

#[test]
fn completion_times_count_flows_that_did_not_end() {
    let kind = FigureKind::Distribution {
        x: Metric::Completion,
        x_log: true,
        series: "protocol".to_owned(),
        at: at(&[]),
    };
    let drawn = drawn(&short_flows(), kind);
    let chart = drawn.chart.expect("a chart");
    assert_eq!((chart.kind, chart.x.log, chart.xs.len()), (ChartKind::Distribution, true, 36));
    let shares = y(&chart, 0);
    // Of 200 flows, 5 take at most 1 s, and 180 end at all.
    assert!((shares[0] - 2.5).abs() < 1e-9 && (shares[35] - 90.0).abs() < 1e-9, "{shares:?}");
    let numbers = drawn.numbers.expect("quantiles");
    let shown: Vec<String> = numbers.rows[0]
        .iter()
        .map(|cell| match cell {
            Cell::Text(text) => text.clone(),
            Cell::Number(estimate) => format!("{}", estimate.mean),
            other => format!("{other:?}"),
        })
        .collect();
    // The median lies between flows of 22 and 23 s: 20 of the 40 flows, two of them without an end.
    assert_eq!(shown[..3], ["ATL".to_owned(), "200".to_owned(), "180".to_owned()]);
    assert_eq!(shown[3], "22.5", "{shown:?}");
    assert_eq!(shown[4..], ["Absent".to_owned(), "Absent".to_owned()], "a tenth did not end");
}

#[test]
fn a_file_without_figures_gets_the_obvious_ones() {
    let kinds = |outcome: &Outcome| -> Vec<ChartKind> {
        figure::all(outcome).iter().filter_map(|d| d.chart.as_ref().map(|c| c.kind)).collect()
    };
    use ChartKind::{Bars, Distribution, Scatter, Sweep, Time};
    assert_eq!(kinds(&roaming()), [Bars, Sweep, Scatter, Time, Time]);
    assert_eq!(kinds(&short_flows()), [Sweep, Distribution]);
    assert_eq!(
        kinds(&protocols(&[("atl", &[1.0; 5]), ("reno", &[2.0; 5])]).done()),
        [Sweep, Scatter]
    );
}

#[test]
fn variables_have_names_and_units() {
    let mut builder = Builder::new(1, &["snr_db", "wired_delay", "p_w"]);
    for snr in ["15", "20"] {
        let vars = [("snr_db", snr), ("wired_delay", "10ms"), ("p_w", "1e-2")];
        builder = builder.point(&vars, &[("flow", "atl")], |_| run(&[1.0]));
    }
    let sweep = |x: &str, series: &str| FigureKind::Sweep {
        x: x.to_owned(),
        x_log: false,
        y: Metric::Goodput.into(),
        series: series.to_owned(),
        at: at(&[]),
        of: Vec::new(),
    };
    let outcome = builder.done();
    let labels = |outcome: &Outcome, x: &str| {
        let chart = chart(outcome, sweep(x, "snr_db"));
        (chart.x.label, chart.curves[0].name.clone())
    };
    assert_eq!(labels(&outcome, "snr_db").0, "SNR (dB)");
    assert_eq!(
        labels(&outcome, "wired_delay"),
        ("wired delay (ms)".to_owned(), "SNR = 15 dB".to_owned())
    );
    assert_eq!(labels(&outcome, "p_w").0, "p_w");
    let mut named = outcome;
    let labels_of = &mut Arc::make_mut(&mut named.scenario).labels;
    labels_of.insert("snr_db".to_owned(), "mean SNR (dB)".to_owned());
    assert_eq!(
        labels(&named, "snr_db"),
        ("mean SNR (dB)".to_owned(), "mean SNR = 15 dB".to_owned())
    );
}

fn every_kind() -> Vec<Chart> {
    let of = |outcome: &Outcome| {
        figure::all(outcome).into_iter().filter_map(|d| d.chart).collect::<Vec<_>>()
    };
    of(&roaming()).into_iter().chain(of(&short_flows())).collect()
}

#[test]
fn a_chart_is_read_back_from_json_as_it_was() {
    for chart in every_kind() {
        let text = serde_json::to_string(&chart).expect("JSON");
        let back: Chart = serde_json::from_str(&text).expect("a chart");
        assert_eq!(back, chart);
    }
}

#[test]
fn files_hold_what_the_chart_holds() {
    let cite = "atl 0.1.0, scenario test & 100 % of {it}";
    for chart in every_kind() {
        let values: usize =
            chart.curves.iter().flat_map(|c| &c.y).filter(|y| y.get().is_some()).count();
        let csv = figure::csv(&chart);
        assert_eq!(csv.lines().count(), values + 1, "{csv}");
        assert!(csv.contains(&chart.y.label) && csv.starts_with("series,"), "{csv}");

        let svg = figure::svg(&chart, cite, figure::svg::Size::default());
        assert!(svg.contains("100 % of {it}") && svg.contains("test &amp; 100"), "escaped: {svg}");
        for curve in &chart.curves {
            assert!(
                svg.contains(&format!(">{}</text>", curve.name)),
                "the legend has {}",
                curve.name
            );
        }
        assert!(!svg.contains("NaN") && !svg.contains("inf"), "{svg}");

        let pgf = figure::pgf(&chart, cite);
        assert_eq!(pgf.matches("\\addlegendentry").count(), chart.curves.len());
        assert_eq!(pgf.matches("\\begin").count(), pgf.matches("\\end{").count());
        let coordinates = pgf.lines().filter(|line| line.starts_with("  (")).count();
        assert_eq!(coordinates, values, "{pgf}");

        let table = figure::latex(&chart, cite).expect("few rows");
        assert!(table.contains("\\toprule") && table.starts_with("% "), "{table}");
    }
}

#[test]
fn a_citation_names_version_hash_and_command() {
    let outcome = roaming();
    let cite = figure::cite(&outcome);
    for part in [&outcome.version, &outcome.scenario.hash, &outcome.command, &outcome.scenario.name]
    {
        assert!(cite.contains(part.as_str()), "{cite}");
    }
    let entry = figure::bibtex(&outcome);
    assert!(
        entry.starts_with("@software{atl-test-synthetic-00ff00ff,")
            && entry.contains("atl run test/synthetic")
    );
    assert_eq!(
        figure::latex::escaped("a_b & 5 % of ~{$}"),
        "a\\_b \\& 5 \\% of \\textasciitilde{}\\{\\$\\}"
    );
}

#[test]
fn a_page_is_read_back_with_its_figures_and_tables() {
    let outcome = roaming();
    let page = html::page(std::slice::from_ref(&outcome), &[]);
    let archive = Archive::read(&page).expect("a report");
    let names: Vec<&str> = archive.entries.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names[0], "test/synthetic/goodput-in-each-network");
    assert_eq!(names.last(), Some(&"test/synthetic/results"));
    let (Archived::Figure { chart, cite }, Some((_, Archived::Table { csv, latex }))) =
        (&archive.entries[0].1, archive.entries.last())
    else {
        panic!("{names:?}")
    };
    let expected = Chart { title: chart.title.clone(), ..self::chart(&outcome, networks()) };
    assert_eq!(**chart, expected);
    assert_eq!(*cite, figure::cite(&outcome));
    assert_eq!(*csv, table::csv(&table::results(&outcome)));
    assert!(latex.contains("\\bottomrule"));
    for (page, expected) in [
        ("<html>".to_owned(), Unreadable::NoReport),
        (page.replace("\"xs\"", "\"places\""), Unreadable::OtherVersion),
        (page.replace("data-tex=\"", "data-tex=\"%"), Unreadable::OtherVersion),
    ] {
        assert_eq!(Archive::read(&page), Err(expected));
    }
}

/// Each value would make a curve of one point, too many to tell apart; a page of a thousand takes
/// 28 MB.
#[test]
fn many_values_are_not_drawn_against_delay_by_default() {
    let titles = |values: usize| {
        let mut builder = Builder::new(1, &["p_w"]);
        for value in 0..values {
            let p_w = format!("1e-{value}");
            builder = builder.point(&[("p_w", &p_w)], &[("up", "atl")], |_| run(&[1.0]));
        }
        let page = html::page(&[builder.done()], &[Vec::new()]);
        let archive = Archive::read(&page).expect("a report");
        archive.entries.into_iter().map(|(name, _)| name).collect::<Vec<_>>()
    };
    let drawn = |values| titles(values).iter().any(|title| title.ends_with("goodput-and-delay"));
    assert!(drawn(12), "{:?}", titles(12));
    assert!(!drawn(13), "{:?}", titles(13));
}

/// Two groups of flows under two protocols: the default figures show both protocols.
#[test]
fn default_figures_of_several_groups_leave_no_protocol_out() {
    let mut builder = Builder::new(SEEDS, &["protocol"]);
    for (protocol, mbps) in [("atl", 4.0), ("reno", 2.0)] {
        let flows = [("near", protocol), ("far", protocol)];
        builder = builder.point(&[("protocol", protocol)], &flows, |seed| {
            let mut result = run(&[mbps + 0.01 * seed as f64, 1.0]);
            result.samples = vec![sample(1.0, 0, 10.0, 1e6), sample(1.0, 1, 20.0, 2e6)];
            result
        });
    }
    let drawn = figure::all(&builder.done());
    let titles: Vec<&str> = drawn.iter().map(|drawn| drawn.title.as_str()).collect();
    for title in ["Goodput over time, ATL", "Goodput over time, RENO"] {
        assert!(titles.contains(&title), "{titles:?}");
    }
    let scatter = drawn.iter().find(|drawn| drawn.title == "Goodput and delay").expect("drawn");
    let rows = &scatter.numbers.as_ref().expect("numbers").rows;
    assert_eq!(rows.len(), 4, "each group under each protocol: {rows:?}");
}
