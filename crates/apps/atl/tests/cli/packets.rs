//! `--qlog` and `--pcap` of `atl run`.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

use crate::{atl, err, json, names, out, with_tiny};

const ONE: [&str; 5] = ["run", "tiny.toml", "--seeds", "1", "--set"];

/// The records of a JSON text sequence.
fn records(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).expect("a file");
    let records = text.split('\u{1e}').filter(|record| !record.is_empty());
    records.map(|record| serde_json::from_str(record).expect("JSON")).collect()
}

fn named<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["name"] == name).collect()
}

fn number(event: &Value) -> u64 {
    event["data"]["header"]["packet_number"].as_u64().expect("a number")
}

/// Packets of a capture: time in nanoseconds, length on the wire, captured octets.
fn captured(path: &Path) -> Vec<(u64, usize, Vec<u8>)> {
    let file = fs::read(path).expect("a file");
    let word = |at: usize| u32::from_le_bytes(file[at..at + 4].try_into().expect("four bytes"));
    assert_eq!((word(0), word(20)), (0xa1b2_3c4d, 101), "nanoseconds, raw IP");
    let (mut at, mut packets) = (24, Vec::new());
    while at < file.len() {
        let time = u64::from(word(at)) * 1_000_000_000 + u64::from(word(at + 4));
        let (held, length) = (word(at + 8) as usize, word(at + 12) as usize);
        packets.push((time, length, file[at + 16..at + 16 + held].to_vec()));
        at += 16 + held;
    }
    packets
}

/// Everything that qvis needs, of either engine: the header's version and format, names of events,
/// numbers of packets, acknowledged ranges.
fn holds(events: &[Value], sent: usize) {
    let (header, events) = events.split_first().expect("a header");
    assert_eq!(
        (&header["qlog_version"], &header["qlog_format"]),
        (&"0.3".into(), &"JSON-SEQ".into())
    );
    assert_eq!(header["trace"]["vantage_point"]["type"], "client");
    let times: Vec<f64> = events.iter().map(|event| event["time"].as_f64().expect("ms")).collect();
    assert!(times.is_sorted() && times.last().is_some_and(|last| *last <= 2000.0), "{times:?}");
    let packets = named(events, "transport:packet_sent");
    let numbers: BTreeSet<u64> = packets.iter().map(|event| number(event)).collect();
    assert!(packets.len() >= sent, "{} of {sent}", packets.len());
    assert!(packets.iter().all(|event| event["data"]["raw"]["length"].as_u64() > Some(0)));
    let mut acknowledged = BTreeSet::new();
    for event in named(events, "transport:packet_received") {
        for frame in event["data"]["frames"].as_array().into_iter().flatten() {
            for range in frame["acked_ranges"].as_array().into_iter().flatten() {
                let end = |at: usize| range[at].as_u64().expect("a number");
                let last = if range.as_array().map(Vec::len) == Some(1) { end(0) } else { end(1) };
                acknowledged.extend(end(0)..=last);
            }
        }
    }
    assert!(acknowledged.len() > sent * 3 / 4, "{} of {sent}", acknowledged.len());
    assert!(acknowledged.iter().all(|number| numbers.contains(number)));
    let metrics = named(events, "recovery:metrics_updated");
    assert!(metrics.iter().any(|event| event["data"]["congestion_window"].as_f64() > Some(0.0)));
}

#[test]
fn a_run_of_the_simulator_as_qlog_and_captures() {
    let dir = with_tiny();
    let args = ["protocol=newreno", "--qlog", "logs", "--pcap", "caps", "--out", "o", "--json"];
    let document = json(dir.path(), &[&ONE[..], &args].concat());
    assert_eq!(document["packets"].as_array().map(Vec::len), Some(5));
    assert_eq!(names(&dir.path().join("logs")), ["up.sqlog"]);
    let ends = ["air-ap.pcap", "air-phone.pcap", "path-ap.pcap", "path-server.pcap"];
    assert_eq!(names(&dir.path().join("caps")), ends);

    let plain = [&ONE[..], &["protocol=newreno", "--out", "p", "--csv", "--json"]].concat();
    let without = json(dir.path(), &plain);
    assert_eq!(document["points"], without["points"], "a run that is told of is the same run");
    let flows = fs::read_to_string(dir.path().join("p/flows.csv")).expect("written");
    let (head, row) = flows.split_once('\n').expect("two lines");
    let column = |name: &str| {
        let at = head.split(',').position(|column| column == name).expect("a column");
        row.split(',').nth(at).and_then(|cell| cell.parse::<usize>().ok()).expect("a count")
    };
    let (sent, lost) = (column("sent"), column("lost"));
    let events = records(&dir.path().join("logs/up.sqlog"));
    holds(&events, sent);
    assert_eq!(named(&events, "transport:packet_sent").len(), sent);
    let data = |event: &&&Value| event["data"]["kind"] == "data";
    assert_eq!(named(&events, "network:packet_lost").iter().filter(data).count(), lost);
    let again = named(&events, "recovery:packet_lost");
    // NewReno also repeats what has arrived.
    assert!((1..=column("retransmissions")).contains(&again.len()), "{}", again.len());

    let of = |end: &str| captured(&dir.path().join("caps").join(format!("{end}.pcap")));
    let data = |packets: &[(u64, usize, Vec<u8>)]| {
        packets.iter().filter(|(_, length, _)| *length == 1500).count()
    };
    // A capture before a link has what its queue has taken.
    let (taken, came) = (data(&of("air-phone")), data(&of("air-ap")));
    assert_eq!(taken, sent - column("dropped"));
    assert!((lost..=lost + column("under_way_after")).contains(&(taken - came)), "{came}");
    let (_, length, first) = &of("path-server")[0];
    assert_eq!((*length, first[0], first[9]), (1500, 0x45, 6), "IPv4, TCP");
    assert_eq!(u16::from_be_bytes([first[2], first[3]]), 1500);
    assert_eq!(u32::from_be_bytes(first[24..28].try_into().expect("four")), 1, "the first byte");
}

#[test]
fn a_run_over_quic_as_qlog_and_captures() {
    let dir = with_tiny();
    let args =
        ["protocol=newreno", "--on", "quic-sim", "--qlog", "logs", "--pcap", "caps", "--json"];
    let output = atl(dir.path(), &[&ONE[..], &args].concat());
    if err(&output).contains("was built without qlogs") {
        return;
    }
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    let caps = captured(&dir.path().join("caps/path-server.pcap"));
    holds(&records(&dir.path().join("logs/up.sqlog")), 150);
    let (_, length, first) = &caps[0];
    assert_eq!((first.len(), first[9]), (*length, 17), "UDP, whole");
    assert_eq!(u16::from_be_bytes([first[22], first[23]]), 443);
    assert!(first[28] & 0xc0 == 0xc0, "a long header of QUIC");
}

#[test]
fn tcpdump_reads_a_capture() {
    let Ok(version) = Command::new("tcpdump").arg("--version").output() else {
        // The test's own writer: `eprintln!` would be captured.
        let _ = writeln!(std::io::stderr(), "skipped: tcpdump is not installed");
        return;
    };
    assert!(version.status.success());
    let dir = with_tiny();
    let output = atl(dir.path(), &[&ONE[..], &["protocol=newreno", "--pcap", "caps"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("Packets caps/air-phone.pcap"), "{}", out(&output));
    let read = Command::new("tcpdump")
        .args(["-n", "-t", "-c", "3", "-r", "caps/path-server.pcap"])
        .current_dir(dir.path())
        .output()
        .expect("runs");
    let text = String::from_utf8_lossy(&read.stdout);
    let first = text.lines().next().unwrap_or_default();
    assert!(first.starts_with("IP 10.0.0.1.20000 > 10.0.0.3.443: Flags [.], seq 1:1449"), "{text}");
    let checked = Command::new("tcpdump")
        .args(["-n", "-vv", "-r", "caps/path-server.pcap"])
        .current_dir(dir.path())
        .output()
        .expect("runs");
    let checked = String::from_utf8_lossy(&checked.stdout);
    assert!(checked.contains("(correct)") && !checked.contains("incorrect"), "{checked}");
}

#[test]
fn packets_of_several_runs_are_refused_with_the_way_to_one() {
    let dir = with_tiny();
    for (args, says) in [
        (&["run", "tiny.toml", "--qlog", "logs"][..], "2 points with 5 seeds"),
        (&["run", "tiny.toml", "--pcap", "c", "--on", "sim,quic-sim"], "choose one engine"),
        (
            &[
                "run",
                "tiny.toml",
                "--seeds",
                "1",
                "--set",
                "protocol=tcp-atl",
                "--pcap",
                "c",
                "--on",
                "udp",
            ],
            "`udp`",
        ),
    ] {
        let output = atl(dir.path(), args);
        assert_eq!(output.status.code(), Some(2), "{args:?}");
        assert!(err(&output).contains(says), "{}", err(&output));
    }
}
