//! Data files: what is written is what was measured, the same bytes each time, whole or not at all.

use std::fs;
use std::path::Path;

use crate::support::{Builder, run, sample};
use atl_report::data::{Format, write};
use atl_report::{Outcome, store};
use atl_scenario::result::LinkResult;
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
                delivered_bytes: 936_000,
                local_retransmissions: 7,
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
fn what_is_read_back_is_what_was_measured() {
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
    assert_eq!(field(&samples[1], "ssthresh"), Field::Null, "infinite before the first loss");
    assert_eq!(field(&samples[1], "cwnd"), Field::Double(4.0));
}

#[test]
fn the_same_results_give_the_same_bytes() {
    for format in [Format::Parquet, Format::Csv] {
        let (one, two) =
            (tempfile::tempdir().expect("a directory"), tempfile::tempdir().expect("a directory"));
        let mut later = outcome();
        later.wall = Some(99.0);
        let first = write(one.path(), &[outcome()], format).expect("written");
        let second = write(two.path(), &[later], format).expect("written");
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

#[test]
fn csv_quotes_what_must_be_quoted() {
    let dir = tempfile::tempdir().expect("a directory");
    let paths = write(dir.path(), &[outcome()], Format::Csv).expect("written");
    let text = fs::read_to_string(&paths[1]).expect("flows");
    let mut lines = text.lines();
    let header = lines.next().expect("a header");
    assert!(header.starts_with(
        "scenario,scenario_hash,host,version,point,var_protocol,var_d_w,seed,flow,name,group,"
    ));
    assert_eq!(text.lines().count(), 13);
    assert!(text.contains(",\"b, \"\"quoted\"\"\",atl,"), "{text}");
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
