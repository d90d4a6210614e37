//! Metrics of figures and quotes: parts of a run, recovery times, shares over time.

use std::path::Path;

use atl_core::time::Time;
use atl_scenario::quote::Claim;
use atl_scenario::scenario::{FigureKind, Measure, Metric, Scenario, Share};
use atl_scenario::{Errors, Overrides, no_files, parse};

const GOOD: &str = r#"title = "t"
duration = "60s"
[sweep]
protocol = ["reno", "sack"]
[[link]]
name = "air"
from = "phone"
to = "server"
rate = "2Mb/s"
blackout = [{ at = "30s", lasts = "1s" }]
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = "$protocol"
[[flow]]
name = "also"
from = "phone"
to = "server"
protocol = "sack"
[record]
every = "500ms"
[[figure]]
title = "f"
kind = "sweep"
x = "protocol"
y = "goodput"
series = "flow"
during = ["31s", "41.5s"]
[[figure]]
title = "g"
kind = "time"
y = "ratio"
of = "up"
over = ["also"]
series = "protocol"
[[quote]]
id = "after"
text = "t"
source = "s"
metric = "goodput"
during = ["31s", "36s"]
order = [{ protocol = "sack" }, { protocol = "reno", flow = ["up", "also"] }]
[[quote]]
id = "back"
text = "t"
source = "s"
metric = "recovery"
value = { of = { protocol = "reno" }, expect = "2s", within = "50%" }
"#;

fn read(text: &str, overrides: &Overrides) -> Result<Scenario, Errors> {
    parse("test", text, Path::new("test.toml"), &no_files, overrides)
}

fn good(overrides: &Overrides) -> Scenario {
    read(GOOD, overrides).unwrap_or_else(|errors| panic!("{errors}"))
}

#[test]
fn parts_of_a_run_and_shares_are_read() {
    let scenario = good(&Overrides::default());
    let FigureKind::Sweep { y: Measure { metric, during: Some(during) }, .. } =
        &scenario.figures[0].kind
    else {
        panic!("a sweep over a part: {:?}", scenario.figures[0]);
    };
    assert_eq!(*metric, Metric::Goodput);
    assert_eq!((during.from, during.to), (Time::from_millis(31_000), Time::from_millis(41_500)));
    assert!((during.secs() - 10.5).abs() < 1e-12);
    let FigureKind::Shares { share: Share::Ratio { of, over }, series, .. } =
        &scenario.figures[1].kind
    else {
        panic!("a ratio: {:?}", scenario.figures[1]);
    };
    assert_eq!(
        (of.as_slice(), over.as_slice()),
        (&["up".to_owned()][..], &["also".to_owned()][..])
    );
    assert_eq!(series.as_deref(), Some("protocol"));
    let Claim::Order { measure, of } = &scenario.quotes[0].claim else { panic!("an order") };
    assert_eq!(measure.during.map(|d| d.to), Some(Time::from_millis(36_000)));
    assert_eq!(of[0].groups, [""; 0]);
    assert_eq!(of[1].groups, ["up", "also"]);
    assert_eq!(scenario.quotes[1].claim.measure(), Metric::Recovery.into());
}

#[test]
fn each_mistake_is_one_error_at_its_line() {
    let jain = "y = \"jain\"";
    #[rustfmt::skip]
    let cases = [
        ("during = [\"31s\", \"41.5s\"]", "during = \"31s\"", 29, "is not a list"),
        ("during = [\"31s\", \"41.5s\"]", "during = [\"31s\"]", 29, "the list must have 2 items"),
        ("during = [\"31s\", \"41.5s\"]", "during = [31, \"41.5s\"]", 29, "write \"31s\""),
        ("during = [\"31s\", \"41.5s\"]", "during = [\"31s\", \"31s\"]", 29, "later than its start"),
        ("during = [\"31s\", \"41.5s\"]", "during = [\"31.2s\", \"41.5s\"]", 29, "samples are taken every 500ms"),
        ("during = [\"31s\", \"41.5s\"]", "during = [\"31s\", \"60.5s\"]", 29, "the run ends at 60s"),
        ("y = \"goodput\"", "y = \"loss\"", 27, "one of `throughput`, `goodput`, `current-cell-goodput`, `jain`, `cwnd`"),
        ("metric = \"recovery\"", "metric = \"stalled\"", 48, "no flow has a live encoder"),
        ("metric = \"goodput\"", "metric = \"recovery\"", 41, "one of `throughput`"),
        ("series = \"flow\"", "series = \"flow\"\nof = \"ub\"", 29, "did you mean `up`?"),
        ("over = [\"also\"]\n", "", 30, "`over` is missing"),
        ("over = [\"also\"]", "over = [\"als\"]", 35, "did you mean `also`?"),
        ("over = [\"also\"]", "over = []", 35, "must not be empty"),
        ("over = [\"also\"]", "over = [\"up\", \"up\"]", 35, "already in the list"),
        ("y = \"ratio\"", jain, 35, "y = \"ratio\" takes it"),
        ("over = [\"also\"]", "over = [\"also\"]\nduring = [\"1s\", \"2s\"]", 36, "\"sweep\" or \"scatter\" takes it"),
        ("series = \"protocol\"\n", "", 30, "which `protocol`?"),
        ("series = \"protocol\"\n", "series = \"flow\"\n", 36, "there is no variable `flow`"),
        ("blackout = [{ at = \"30s\", lasts = \"1s\" }]\n", "", 47, "nothing to recover from"),
    ];
    let mut wrong = String::new();
    for (from, to, line, message) in cases {
        assert_eq!(GOOD.matches(from).count(), 1, "{from:?} is not there once");
        let errors = read(&GOOD.replace(from, to), &Overrides::default()).expect_err(to);
        let text = errors.to_string();
        let at = errors.reports()[0].line;
        if errors.len() != 1 || at != Some(line) || !text.contains(message) {
            wrong.push_str(&format!("{to:?}: wanted {message:?} at line {line}, got\n{text}\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}

#[test]
fn without_samples_there_are_no_parts_and_no_shares() {
    let text = GOOD.replace("[record]\nevery = \"500ms\"\n", "");
    let errors = read(&text, &Overrides::default()).expect_err("nothing is recorded");
    let lines: Vec<_> = errors.reports().iter().map(|r| r.line).collect();
    assert_eq!(lines, [Some(27), Some(28), Some(40), Some(46)], "{errors}");
    assert_eq!(errors.to_string().matches("add [record] with every").count(), 4, "{errors}");
    let text = text.replace("metric = \"recovery\"", "metric = \"rate-changes\"");
    let errors = read(&text, &Overrides::default()).expect_err("nothing is recorded").to_string();
    assert!(errors.contains("`rate-changes` needs samples"), "{errors}");
}

#[test]
fn a_shorter_run_leaves_out_what_it_cuts_off() {
    let shorter =
        |duration: &str| Overrides { duration: Some(duration.to_owned()), ..Overrides::default() };
    let count = |s: &Scenario| (s.figures.len(), s.quotes.len());
    assert_eq!(count(&good(&shorter("41.5s"))), (2, 2));
    assert_eq!(count(&good(&shorter("41s"))), (1, 2), "the figure ends at 41.5 s");
    assert_eq!(count(&good(&shorter("35s"))), (1, 1), "the quote ends at 36 s");
    assert_eq!(count(&good(&shorter("30s"))), (1, 0), "the blackout does not happen");
}

#[test]
fn jains_index_needs_no_groups() {
    let text = GOOD.replace("y = \"ratio\"\nof = \"up\"\nover = [\"also\"]", "y = \"jain\"");
    let scenario = read(&text, &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let FigureKind::Shares { share: Share::Jain { of }, .. } = &scenario.figures[1].kind else {
        panic!("Jain's index: {:?}", scenario.figures[1]);
    };
    assert!(of.is_empty());
}

const ERRORS: &str = r#"title = "t"
duration = "60s"
[sweep]
beta = [0.5, 0.75]
path = [{ label = "0.3", value = "10ms" }, { label = "3", value = "100ms" }]
[[link]]
name = "air"
from = "phone"
to = "server"
rate = "2Mb/s"
delay = "$path"
[[flow]]
name = "up"
from = "phone"
to = "server"
protocol = { name = "aimd-rate", beta = "$beta" }
[[figure]]
title = "f"
kind = "sweep"
x = "path"
y = ["eq10-published", "eq10-mended"]
at = { beta = 0.5 }
[[quote]]
id = "low"
text = "t"
source = "s"
metric = "eq10-published"
value = { of = { path = 0.3, beta = 0.5 }, expect = "-5.5%", within = "1%" }
"#;

#[test]
fn several_metrics_are_the_curves_of_a_figure_and_an_error_may_be_negative() {
    let scenario = read(ERRORS, &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
    let FigureKind::Metrics { x, ys, at, .. } = &scenario.figures[0].kind else {
        panic!("metrics: {:?}", scenario.figures[0]);
    };
    let forms = [Metric::Eq10Published, Metric::Eq10Mended];
    assert_eq!(ys.as_slice(), forms.map(Measure::from));
    assert_eq!((x.as_str(), at["beta"].number), ("path", Some(0.5)));
    // A numeric label is a number.
    assert_eq!(scenario.points[0].vars["path"].number, Some(0.3));
    let Claim::Value { expect, of, .. } = &scenario.quotes[0].claim else { panic!("a value") };
    assert!((expect + 0.055).abs() < 1e-12);
    assert_eq!(of.at["path"].number, Some(0.3));
    let narrow =
        Overrides { set: vec![("path".to_owned(), "3.0".to_owned())], ..Overrides::default() };
    let narrow = read(ERRORS, &narrow).unwrap_or_else(|errors| panic!("{errors}"));
    assert_eq!(narrow.points.len(), 2);
    assert_eq!(narrow.points[0].vars["path"].text, "3");
}

#[test]
fn figures_of_several_metrics_and_errors_are_refused_where_they_make_no_sense() {
    let list = "[\"eq10-published\", \"eq10-mended\"]";
    #[rustfmt::skip]
    let cases = [
        (list, "[\"eq10-published\", \"loss\"]", 21, "have one unit"),
        (list, "[\"loss\", \"loss\"]", 21, "already in the list"),
        (list, "[]", 21, "must not be empty"),
        (list, "[\"eq10-publishd\"]", 21, "did you mean `eq10-published` or"),
        ("at = { beta = 0.5 }", "series = \"beta\"\nat = { beta = 0.5 }", 22, "leave `series` out"),
        ("at = { beta = 0.5 }\n", "", 17, "which `beta`?"),
        ("\"-5.5%\"", "\"-5.5\"", 28, "a relative error is from"),
        ("\"-5.5%\"", "-11", 28, "a relative error is from"),
        ("\"-5.5%\"", "true", 28, "write -0.05 or"),
    ];
    for (from, to, line, message) in cases {
        assert_eq!(ERRORS.matches(from).count(), 1, "{from:?} is not there once");
        let errors = read(&ERRORS.replace(from, to), &Overrides::default()).expect_err(to);
        let text = errors.to_string();
        assert!(text.contains(message), "{to:?}: wanted {message:?}, got\n{text}");
        assert_eq!(errors.reports()[0].line, Some(line), "{text}");
        assert_eq!(errors.len(), 1, "{text}");
    }
    // Without fixed AIMD parameters there is no alpha for eq. 10.
    let tcp = ERRORS.replace("{ name = \"aimd-rate\", beta = \"$beta\" }", "\"sack\"");
    let tcp = tcp.replace("beta = [0.5, 0.75]\n", "").replace("at = { beta = 0.5 }\n", "");
    let tcp = tcp.replace(", beta = 0.5 }", " }");
    let errors = read(&tcp, &Overrides::default()).expect_err("no rate").to_string();
    assert_eq!(errors.matches("AIMD parameters are fixed").count(), 2, "{errors}");
}

#[test]
fn every_metric_of_a_part_can_be_asked_for() {
    let media = "protocol = \"aimd-rate\"\nsource = { frames = 30, rate = \"1Mb/s\" }\n[record]";
    let good = GOOD.replace("protocol = \"sack\"\n[record]", media);
    assert!(good.contains(media));
    for metric in Metric::of_a_part() {
        let text = good.replace("y = \"goodput\"", &format!("y = \"{}\"", metric.name()));
        let scenario =
            read(&text, &Overrides::default()).unwrap_or_else(|errors| panic!("{errors}"));
        let FigureKind::Sweep { y, .. } = &scenario.figures[0].kind else { panic!("a sweep") };
        assert_eq!(y.metric, metric);
    }
}
