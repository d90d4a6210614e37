//! Results and files of `run` and `reproduce`.

use std::fs;

use crate::{TINY, atl, command, fine, json, names, out, with_tiny};

const FILES: [&str; 5] =
    ["flows.parquet", "links.parquet", "report.html", "runs.parquet", "samples.parquet"];

#[test]
fn a_run_writes_its_files_and_says_where() {
    let dir = with_tiny();
    let text = fine(dir.path(), &["run", "tiny.toml"]);
    assert_eq!(names(&dir.path().join("out/tiny")), FILES);
    for word in [
        "A tiny scenario",
        "TCP-ATL",
        "NewReno",
        "goodput (Mb/s)",
        "over 5 seeds",
        "Of 2 claims of papers, as printed: 1 met, 0 met but uncertain, 0 same direction, 1 not",
        "✗ not met: TCP-ATL gets ten times what NewReno gets",
        "out/tiny/report.html",
        "runs.parquet",
    ] {
        assert!(text.contains(word), "{word} in {text}");
    }
    assert!(!text.contains('\u{1b}'), "colours in a pipe");
    let page = fs::read_to_string(dir.path().join("out/tiny/report.html")).expect("a page");
    assert!(page.contains("A tiny scenario") && page.contains("</html>"));
    assert!(page.contains("atl run tiny.toml"), "the command that repeats it");
}

#[test]
fn the_number_of_threads_changes_no_byte() {
    let dir = with_tiny();
    fine(dir.path(), &["run", "tiny.toml", "--out", "one", "--jobs", "1", "--seeds", "6"]);
    fine(dir.path(), &["run", "tiny.toml", "--out", "eight", "--jobs", "8", "--seeds", "6"]);
    fine(dir.path(), &["run", "tiny.toml", "--out", "other", "--seeds", "7,8"]);
    for name in FILES.iter().filter(|n| n.ends_with("parquet")) {
        let read = |run: &str| fs::read(dir.path().join(run).join(name)).expect("written");
        assert!(read("one").starts_with(b"PAR1"));
        assert_eq!(read("one"), read("eight"), "{name}");
        assert_ne!(read("one"), read("other"), "{name}");
    }
}

/// An impairment that is off draws no random numbers: the results stay the same to the last digit.
#[test]
fn an_impairment_in_its_neutral_value_changes_no_result() {
    const NEUTRAL: [&str; 10] = [
        "duplicate=0",
        "ingress-loss=0",
        "jitter={spread=\"0s\",shape=\"harq\",order=\"lost\"}",
        "reorder={share=0,by=\"5ms\"}",
        "reconfiguration={every=\"1s\",step=\"0s\",outage=\"0s\"}",
        "grants=0s",
        "blackout=[]",
        // Each of these takes the place of one above, or of the link's rate.
        "jitter=0s",
        "blockage={rate=\"2Mb/s\",clear-for=\"1s\",blocked-for=\"1s\"}",
        "rate={from=\"2Mb/s\",to=\"2Mb/s\",over=\"1s\"}",
    ];
    let dir = with_tiny();
    let points = |settings: &[&str]| {
        let settings: Vec<String> = settings.iter().map(|s| format!("link.air.{s}")).collect();
        let mut args = vec!["run", "tiny.toml", "--json"];
        args.extend(settings.iter().flat_map(|setting| ["--set", setting]));
        json(dir.path(), &args)["points"].clone()
    };
    let plain = points(&[]);
    assert_ne!(plain, points(&["duplicate=1e-2"]), "this one has an effect");
    for setting in NEUTRAL {
        assert_eq!(points(&[setting]), plain, "{setting}");
    }
    assert_eq!(points(&NEUTRAL[..7]), plain);
}

#[test]
fn the_simulator_is_the_default_engine() {
    let dir = with_tiny();
    let run = |on: &[&str]| {
        let args = [&["run", "tiny.toml", "--json", "--seeds", "1"], on].concat();
        json(dir.path(), &args)
    };
    let first = run(&["--on", "sim"]);
    let named = run(&["--on", "sim"]);
    assert_eq!((&first["replaced"], &named["replaced"]), (&false.into(), &true.into()));
    assert_eq!(named, run(&[]), "it goes to the same folder, too");
    assert_eq!(named["engine"], "sim");
    assert_eq!(named["command"], "atl run tiny.toml --seeds 1");
}

#[test]
fn json_is_one_document() {
    let dir = with_tiny();
    let document = json(dir.path(), &["run", "tiny.toml", "--json", "--seeds", "3,5,7,8,9"]);
    assert_eq!(document["scenario"], "tiny");
    assert_eq!(document["seeds"], serde_json::json!([3, 5, 7, 8, 9]));
    assert_eq!(document["points"].as_array().map(Vec::len), Some(2));
    let headline = document["headline"].as_str().expect("it compares two protocols");
    let page = fs::read_to_string(dir.path().join("out/tiny+seeds=3,5,7,8,9/report.html"))
        .expect("a page");
    assert!(page.contains(headline), "{headline}");
    assert_eq!(document["verdicts"][1]["verdict"], "not-met");
    assert_eq!((&document["tally"]["claims"], &document["tally"]["met"]), (&2.into(), &1.into()));
    let files = document["files"].as_array().expect("a list");
    assert_eq!(files.len(), FILES.len());
    for file in files {
        assert!(dir.path().join(file.as_str().expect("a path")).is_file(), "{file}");
    }
    for point in document["points"].as_array().expect("a list") {
        let mean = |key: &str| point["total"][key]["mean"].as_f64().expect("measured");
        let goodput = mean("goodput_bps");
        assert!(goodput > 1e5 && goodput < 2e6, "{goodput} b/s through 2 Mb/s");
        // Twice 20 ms plus 4 ms for a packet on the air; at most 50 packets queue there.
        let rtt = mean("rtt_median_s");
        assert!(rtt > 0.040 && rtt < 0.3, "{rtt} s");
    }
}

#[test]
fn options_reach_the_scenario() {
    let dir = with_tiny();
    let changed = [
        "run",
        "tiny.toml",
        "--json",
        "--set",
        "protocol=cubic",
        "--set",
        "link.air.loss=0",
        "--seeds",
        "1",
        "--duration",
        "3s",
        "--csv",
    ];
    let document = json(dir.path(), &changed);
    assert_eq!(document["points"].as_array().map(Vec::len), Some(1));
    assert_eq!(document["points"][0]["vars"]["protocol"], "cubic");
    let command = document["command"].as_str().expect("a command");
    assert_eq!(
        command,
        "atl run tiny.toml --seeds 1 --duration 3s --set protocol=cubic --set link.air.loss=0"
    );
    let folder = "out/tiny+seeds=1+duration=3s+link.air.loss=0+protocol=cubic";
    let csv = fs::read_to_string(dir.path().join(folder).join("flows.csv")).expect("written");
    assert_eq!(csv.lines().count(), 2);

    // The next run without --csv removes the old CSV files.
    fine(dir.path(), &["run", "tiny.toml", "--out", folder]);
    assert_eq!(names(&dir.path().join(folder)), FILES);
}

#[test]
fn a_reproduction_has_one_page_and_data_for_each_scenario() {
    let dir = tempfile::tempdir().expect("a directory");
    let short = ["--quick", "--seeds", "1", "--duration", "130s", "--set", "warmup=0s"];
    let args: Vec<&str> =
        ["reproduce", "atl/table1", "atl/fig02"].into_iter().chain(short).collect();
    let text = fine(dir.path(), &args);
    assert!(text.contains("atl/table1: ") && text.contains("atl/fig02: "), "{text}");
    assert!(
        text.contains("claims of papers, as printed: 0 met"),
        "one seed decides nothing: {text}"
    );
    assert!(text.contains("Intervals and verdicts take at least 5 seeds"), "{text}");
    let made = dir.path().join("out/reproduce+quick+seeds=1+duration=130s+warmup=0s");
    assert_eq!(names(&made), ["atl", "report.html"]);
    assert_eq!(names(&made.join("atl")), ["fig02", "table1"]);
    assert!(names(&made.join("atl/table1")).contains(&"runs.parquet".to_owned()));
}

#[test]
fn an_unmet_quote_fails_only_a_strict_reproduction() {
    let dir = with_tiny();
    let args = ["reproduce", "tiny.toml", "--json"];
    let document = json(dir.path(), &args);
    assert_eq!(document["scenarios"][0]["verdicts"][1]["verdict"], "not-met");
    assert_eq!(document["tally"], document["scenarios"][0]["tally"], "of one scenario");
    let strict = atl(dir.path(), &["reproduce", "tiny.toml", "--strict"]);
    assert_eq!(strict.status.code(), Some(1));
    assert!(out(&strict).contains("Of 2 claims of papers, as printed: 1 met"));

    let (kept, _) = TINY.split_once("[[quote]]\nid = \"impossible\"").expect("it is there");
    fs::write(dir.path().join("met.toml"), kept).expect("writable");
    fine(dir.path(), &["reproduce", "met.toml", "--strict"]);
}

#[test]
fn a_quiet_run_says_nothing_and_writes_everything() {
    let dir = with_tiny();
    assert_eq!(fine(dir.path(), &["run", "tiny.toml", "-q", "--out", "quiet"]), "");
    fine(dir.path(), &["run", "tiny.toml", "--out", "loud"]);
    assert_eq!(names(&dir.path().join("quiet")), names(&dir.path().join("loud")));
    // The document of --json is no less than asked for.
    let document = json(dir.path(), &["run", "tiny.toml", "-q", "--json"]);
    assert_eq!(document["format"], "atl-run/2");
}

#[test]
fn tables_fit_the_width_that_is_known() {
    let dir = with_tiny();
    for (columns, args) in [
        ("60", &["run", "tiny.toml"][..]),
        ("80", &["run", "tiny.toml", "--ablate", "recovery"]),
        ("80", &["run", "roaming", "--quick", "--seeds", "5", "--duration", "90s"]),
        ("80", &["run", "tiny.toml", "--on", "sim,quic-sim"]),
    ] {
        let output = command(dir.path(), args).env("COLUMNS", columns).output().expect("it starts");
        let told = out(&output);
        let most = columns.parse().expect("a number");
        let wide: Vec<&str> = told.lines().filter(|l| l.chars().count() > most).collect();
        assert!(told.contains("│") && wide.is_empty(), "{args:?}: {wide:#?}");
    }
    // Without a width, as in a file, a table is whole.
    let told = fine(dir.path(), &["run", "tiny.toml"]);
    assert_eq!(told.matches("│ protocol").count(), 1, "{told}");
}
