//! Data files hold the measurements, have the same bytes every time, and are written atomically.

use std::fs;
use std::path::Path;

use crate::support::{Builder, run, sample};
use atl_core::time::Span;
use atl_engine::result::{Datagrams, EngineId, Lateness, LinkResult, Stalls};
use atl_report::data::{COLUMNS, Format, write};
use atl_report::{Outcome, store};
use atl_scenario::scenario::Metric;
use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::{Field, Row};

fn outcome() -> Outcome {
    let mut builder = Builder::new(2, &["protocol", "d_w"]);
    for (protocol, delay) in [("atl", "10ms"), ("atl", "50ms"), ("reno", "10ms")] {
        let vars = [("protocol", protocol), ("d_w", delay)];
        builder = builder.point(&vars, &[("a", protocol), ("b, \"quoted\"", protocol)], |seed| {
            let mut result = run(&[1.0 + seed as f64, 0.25]);
            result.flows[1].rtt_median_s = None;
            result.links = vec![LinkResult {
                offered: 1001 + seed as u64,
                delivered: 900,
                dropped: 60,
                lost: 40,
                held: 1 + seed as u64,
                marked: None,
                delivered_bytes: 936_000,
                duplicated: None,
                local_retransmissions: 7,
                trace_offset: Some(Span::from_millis(1500)),
            }];
            result.samples = (0..10).map(|i| sample(f64::from(i) * 0.1, i % 2, 4.0, 1e6)).collect();
            result
        });
    }
    builder.done()
}

fn rows(path: &Path) -> Vec<Row> {
    let reader =
        SerializedFileReader::new(fs::File::open(path).expect("the file")).expect("a Parquet file");
    assert_eq!(reader.metadata().file_metadata().created_by(), Some("atl"));
    reader.get_row_iter(None).expect("rows").map(|r| r.expect("a row")).collect()
}

fn field(row: &Row, name: &str) -> Field {
    let found = row.get_column_iter().find(|(n, _)| n.as_str() == name);
    found.map(|(_, f)| f.clone()).expect(name)
}

#[test]
fn files_hold_what_was_measured() {
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome()], Format::Parquet).expect("written");
    assert_eq!(paths.len(), 4);
    let runs = rows(&paths[0]);
    assert_eq!(runs.len(), 6);
    assert_eq!(field(&runs[3], "scenario"), Field::Str("test/synthetic".to_owned()));
    assert_eq!(field(&runs[3], "seed"), Field::Long(2));
    assert_eq!(field(&runs[3], "point"), Field::Long(1));
    assert_eq!(field(&runs[3], "var_d_w"), Field::Double(0.05));
    assert_eq!(field(&runs[5], "var_protocol"), Field::Str("reno".to_owned()));
    assert_eq!(
        field(&runs[3], "vars"),
        Field::Str(r#"{"d_w":"50ms","protocol":"atl"}"#.to_owned())
    );
    assert_eq!(field(&runs[3], "goodput_bps"), Field::Double(2.25e6));
    let flows = rows(&paths[1]);
    assert_eq!(flows.len(), 12);
    assert_eq!(field(&flows[1], "group"), Field::Str("b, \"quoted\"".to_owned()));
    assert_eq!(field(&flows[0], "rtt_median_s"), Field::Double(0.08));
    assert_eq!(field(&flows[1], "rtt_median_s"), Field::Null);
    assert_eq!(field(&flows[1], "sent"), Field::Long(100_000));
    let links = rows(&paths[2]);
    assert_eq!(links.len(), 6, "a link for each run");
    assert_eq!(field(&links[3], "seed"), Field::Long(2));
    assert_eq!(field(&links[3], "name"), Field::Str("air".to_owned()));
    assert_eq!(field(&links[3], "from"), Field::Str("source".to_owned()));
    assert_eq!(field(&links[3], "to"), Field::Str("sink".to_owned()));
    let counted = |names: [&str; 4]| names.map(|name| field(&links[3], name));
    let packets = counted(["offered", "delivered", "dropped", "lost"]);
    assert_eq!(packets, [1002, 900, 60, 40].map(Field::Long));
    let rest = counted(["held", "delivered_bytes", "local_retransmissions", "link"]);
    assert_eq!(rest, [2, 936_000, 7, 0].map(Field::Long));
    let samples = rows(&paths[3]);
    assert_eq!(samples.len(), 60);
    assert_eq!(field(&samples[2], "wire_bytes"), Field::Long(25_000));
    assert_eq!(field(&samples[1], "flow"), Field::Long(1));
    assert!(matches!(field(&samples[1], "flow_name"), Field::Str(name) if name.ends_with('1')));
    assert_eq!(field(&samples[1], "ssthresh"), Field::Null, "infinite before the first loss");
    assert_eq!(field(&samples[1], "cwnd"), Field::Double(4.0));
}

#[test]
fn the_same_results_give_the_same_bytes() {
    for format in [Format::Parquet, Format::Csv] {
        let (one, two) =
            (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
        let first = write(one.path(), &[outcome()], format).expect("written");
        let second = write(two.path(), &[outcome()], format).expect("written");
        for (a, b) in first.iter().zip(&second) {
            assert_eq!(
                fs::read(a).expect("a file"),
                fs::read(b).expect("a file"),
                "{}",
                a.display()
            );
        }
    }
}

fn names(path: &Path) -> Vec<String> {
    rows(path)[0].get_column_iter().map(|(name, _)| name.clone()).collect()
}

#[test]
fn several_engines_share_files() {
    let one = tempfile::tempdir().expect("a directory");
    let alone = write(one.path(), &[outcome()], Format::Parquet).expect("written");

    // One outcome with the values that only engines with real sockets know, and without those that
    // they cannot know.
    let mut real = outcome();
    real.engine = EngineId { name: "udp".to_owned(), version: "9.9".to_owned() };
    let mut results = real.results.to_vec();
    for run in results.iter_mut().flatten() {
        (run.events, run.links) = (None, Vec::new());
        run.lateness =
            Some(Lateness { p50_s: 50e-6, p90_s: 90e-6, p99_s: 120e-6, late_share: 0.02 });
        run.datagrams = Some(Datagrams { missing: 1, refused: 2 });
        for flow in &mut run.flows {
            (flow.dropped, flow.lost, flow.arrived) = (None, None, None);
            (flow.duplicates, flow.probe_bytes) = (Some(3), Some(0));
            flow.stalls = Some(Stalls { count: 2, total_s: 1.5, longest_s: 1.0 });
        }
    }
    real.results = results.into();
    let two = tempfile::tempdir().expect("a directory");
    let both = write(two.path(), &[outcome(), real], Format::Parquet).expect("written");

    // Columns unknown to the simulator come last.
    let new: [&[&str]; 4] = [
        &[
            "lateness_p50_s",
            "lateness_p90_s",
            "lateness_p99_s",
            "late_share",
            "missing_datagrams",
            "refused_datagrams",
        ],
        &["duplicates", "probe_bytes", "delivery_stalls", "delivery_stalled_s", "longest_stall_s"],
        &[],
        &[],
    ];
    for ((alone, both), new) in alone.iter().zip(&both).zip(new) {
        let mut expected = names(alone);
        assert!(new.iter().all(|name| !expected.iter().any(|e| e == name)), "{expected:?}");
        let place = expected.iter().position(|name| name == "point").expect("a key");
        expected.insert(place, "engine_version".to_owned());
        expected.extend(new.iter().map(|name| (*name).to_owned()));
        assert_eq!(names(both), expected);
    }

    let runs = rows(&both[0]);
    let engines: Vec<Field> = runs.iter().map(|run| field(run, "engine")).collect();
    let named = |name: &str| vec![Field::Str(name.to_owned()); 6];
    assert_eq!(engines, [named("sim"), named("udp")].concat());
    assert_eq!(field(&runs[6], "engine_version"), Field::Str("9.9".to_owned()));
    assert_eq!(field(&runs[6], "version"), Field::Str("0.1.0".to_owned()));
    assert_eq!(field(&runs[5], "late_share"), Field::Null, "nothing is late in virtual time");
    assert_eq!(field(&runs[6], "late_share"), Field::Double(0.02));
    assert_eq!(
        (field(&runs[5], "events"), field(&runs[6], "events")),
        (Field::Long(1234), Field::Null)
    );
    let flows = rows(&both[1]);
    assert_eq!(flows.len(), 24);
    assert_eq!(
        (field(&flows[0], "lost"), field(&flows[12], "lost")),
        (Field::Long(400), Field::Null)
    );
    assert_eq!(field(&flows[0], "probe_bytes"), Field::Null, "absent");
    assert_eq!(field(&flows[12], "probe_bytes"), Field::Long(0), "known to be zero");
    assert_eq!(field(&flows[12], "longest_stall_s"), Field::Double(1.0));
    assert_eq!(rows(&both[2]).len(), 6, "only the simulator has links");
    assert_eq!(rows(&both[3]).len(), 120);
}

#[test]
fn csv_fields_are_quoted_where_necessary() {
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome()], Format::Csv).expect("written");
    let text = fs::read_to_string(&paths[1]).expect("flows");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    assert!(header.starts_with(
        "scenario,scenario_hash,engine,version,point,var_protocol,var_d_w,seed,flow,name,group,"
    ));
    assert_eq!(text.lines().count(), 13);
    assert!(text.contains(",\"b, \"\"quoted\"\"\",atl,"), "{text}");
}

#[test]
fn a_flow_s_name_is_no_formula_in_a_file() {
    let name = "=HYPERLINK(\"http://x\")";
    let builder = Builder::new(1, &["protocol"]);
    let outcome = builder.point(&[("protocol", "atl")], &[(name, "atl")], |_| run(&[1.0])).done();
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome], Format::Csv).expect("written");
    let flows = fs::read_to_string(&paths[1]).expect("flows");
    assert!(flows.contains(",\"'=HYPERLINK(\"\"http://x\"\")\","), "{flows}");
    assert!(!flows.contains(",=") && !flows.contains(",\"="), "{flows}");
}

#[test]
fn a_failed_write_leaves_the_old_file_and_nothing_else() {
    let dir = tempfile::tempdir().expect("a directory");
    let path = dir.path().join("sub/report.html");
    store::write_text(&path, "old").expect("written, with its directory");
    let failed = store::write_with(&path, |file| {
        use std::io::Write;
        file.write_all(b"half of the new")?;
        Err(std::io::Error::other("the disk is full"))
    });
    assert!(failed.is_err());
    assert_eq!(fs::read_to_string(&path).expect("the old file"), "old");
    assert_eq!(fs::read_dir(path.parent().expect("a parent")).expect("a listing").count(), 1);
}

#[test]
fn every_metric_that_says_so_has_a_column_of_its_name() {
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome()], Format::Parquet).expect("written");
    let header = names(&paths[1]);
    for metric in Metric::all().filter(|m| m.descriptor().in_flows) {
        let key = metric.descriptor().key;
        assert_eq!(header.iter().filter(|name| *name == key).count(), 1, "{key}");
    }
}

#[test]
fn every_column_says_what_it_holds_and_in_which_unit() {
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome()], Format::Parquet).expect("written");
    for path in &paths {
        let about = described(path);
        let about = about.as_object().expect("an object");
        let header = names(path);
        assert_eq!(
            about.len(),
            header.len(),
            "{}: no column without, and no other",
            path.display()
        );
        for name in header {
            let column = &about[name.as_str()];
            let told = column["description"].as_str().expect("a description");
            assert!(told.len() > 8, "{name}: {told}");
            // The suffix of a name is its base unit.
            let unit = column["unit"].as_str().unwrap_or_default();
            for (ending, expected) in
                [("_bps", "bits/s"), ("_per_s", "1/s"), ("_bytes", "bytes"), ("_s", "s")]
            {
                if name.ends_with(ending) && !name.starts_with("var_") {
                    assert_eq!(unit, expected, "{name}");
                    break;
                }
            }
        }
    }
    // Descriptions are those of the metric's declaration.
    let goodput = Metric::Goodput.descriptor();
    assert_eq!(described(&paths[1])[goodput.key]["description"], goodput.doc.trim());
}

/// Descriptions of the columns in a file.
fn described(path: &Path) -> serde_json::Value {
    let reader = SerializedFileReader::new(fs::File::open(path).expect("the file"));
    let reader = reader.expect("a Parquet file");
    let metadata = reader.metadata().file_metadata().key_value_metadata().expect("metadata");
    let text = metadata.iter().find(|entry| entry.key == COLUMNS).and_then(|e| e.value.clone());
    serde_json::from_str(&text.expect("its columns")).expect("JSON")
}
