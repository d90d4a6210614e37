//! picoquic's link scenarios: the times of docs/networks.md are those of today, and within 15 % of
//! picoquic's, or the page says why not.

use crate::{json, json_and_messages, with_tiny};

const PAGE: &str = include_str!("../../../../../docs/networks.md");

/// A row of the page's table.
struct Row {
    case: String,
    protocol: String,
    published: f64,
    ours: f64,
    explained: bool,
}

fn rows() -> Vec<Row> {
    let section = PAGE.split("## picoquic's link scenarios").nth(1).expect("the section");
    let rows = section.lines().filter(|line| line.starts_with("| `"));
    let row = |line: &str| {
        let cells: Vec<&str> = line.trim_matches('|').split('|').map(str::trim).collect();
        let seconds = |cell: &str| cell.trim_end_matches(" s").parse().expect("a time");
        Row {
            case: cells[0].trim_matches('`').to_owned(),
            protocol: cells[1].to_owned(),
            published: seconds(cells[2]),
            ours: seconds(cells[3]),
            explained: !cells[5].is_empty(),
        }
    };
    rows.map(row).collect()
}

/// The rows of a case of `showcase/picoquic`, and those of L4S with their paths.
fn parted() -> (Vec<Row>, Vec<(String, Row)>) {
    let (l4s, others): (Vec<Row>, Vec<Row>) =
        rows().into_iter().partition(|row| row.case.starts_with("l4s-files"));
    let path = |row: &Row| row.case.split("` at ").nth(1).expect("a path").to_owned();
    (others, l4s.into_iter().map(|row| (path(&row), row)).collect())
}

/// Checks a row against the group of a point that has its times.
fn holds(row: &Row, group: &serde_json::Value) {
    let Row { case, protocol, published, ours, explained } = row;
    let time = &group["times"]["completion_s"];
    assert_eq!(time["ended"], time["of"], "{case}: every transfer ends");
    let median = time["median_s"].as_f64().expect("a median");
    assert!((median - ours).abs() < 0.006, "{case}, {protocol}: {median} s today");
    let near = (ours / published - 1.0).abs() <= 0.15;
    assert!(near != *explained, "{case}, {protocol}: {ours} s beside {published} s");
}

/// The group of this name and protocol at the point where a variable has a value.
fn group<'a>(
    document: &'a serde_json::Value,
    [variable, value]: [&str; 2],
    [name, protocol]: [&str; 2],
) -> &'a serde_json::Value {
    let points = document["points"].as_array().expect("a list");
    let mut groups = points
        .iter()
        .filter(|point| point["vars"][variable] == *value)
        .flat_map(|point| point["groups"].as_array().expect("a list"));
    let found = groups.find(|group| group["group"] == *name && group["protocol"] == *protocol);
    found.unwrap_or_else(|| panic!("{value} with {protocol} was run"))
}

#[test]
fn transfers_take_about_as_long_as_picoquics() {
    let dir = with_tiny();
    let document = json(dir.path(), &["run", "showcase/picoquic", "--json"]);
    let (rows, _) = parted();
    assert_eq!(Some(rows.len()), document["points"].as_array().map(Vec::len), "one for each point");
    for row in &rows {
        holds(row, group(&document, ["case", &row.case], ["download", &row.protocol]));
    }
}

/// picoquic's `l4s_prague` and `l4s_prague_updown`: the tenth scenario, in a file of its own.
#[test]
fn files_over_l4s_take_about_as_long_as_picoquics() {
    let dir = with_tiny();
    let document = json(dir.path(), &["run", "showcase/l4s-files", "--json"]);
    let (others, rows) = parted();
    let published: Vec<(&str, f64)> =
        rows.iter().map(|(path, row)| (path.as_str(), row.published)).collect();
    assert_eq!(published, [("10 Mb/s", 4.1), ("10, 2, 10 Mb/s", 6.3)]);
    for (path, row) in &rows {
        holds(row, group(&document, ["path", path], ["files.back", &row.protocol]));
    }
    let mut cases: Vec<&str> = others.iter().map(|row| row.case.as_str()).collect();
    cases.dedup();
    assert_eq!(cases.len() + 1, 10, "{cases:?} and L4S");
}

const SCENARIO: &str = include_str!("../../../../../scenarios/showcase/picoquic.toml");

/// The median time of a case's download in seconds.
fn median(document: &serde_json::Value, case: &str, protocol: &str) -> f64 {
    let download = group(document, ["case", case], ["download", protocol]);
    download["times"]["completion_s"]["median_s"].as_f64().expect("a median")
}

/// Each reason that the page gives for a difference, by the run that shows it.
#[test]
fn the_reasons_of_the_page_are_those_of_runs() {
    let dir = with_tiny();
    // BBRv3's bound is the least RTT times the bandwidth: a longer one, or no jitter, frees it.
    for (case, setting, said, expected) in [
        ("wifi-bad", "network.wifi-bad.delay=20ms", "12.2 and", 12.2),
        ("wifi-bad", "network.wifi-bad.delay=40ms", "and 7.6 s", 7.6),
        ("wifi-bad", "network.wifi-bad.jitter.spread=1ms", "3.3 s", 3.3),
        // picoquic's first window, which grows with the RTT.
        ("satellite", "flow.download.tcp.initial-window=60", "7.80 s", 7.80),
    ] {
        let document = json(dir.path(), &["run", "showcase/picoquic", "--json", "--set", setting]);
        let found = median(&document, case, "BBRv3");
        assert!((found - expected).abs() < 0.06, "{case} with {setting}: {found}");
        assert!(PAGE.contains(said), "{said}");
    }
}

/// noq's controllers do the same over QUIC. No two runs of its BBRv3 are the same.
#[test]
fn the_reasons_hold_for_noqs_controllers() {
    let ours = |name: &str, label: &str| {
        format!("{{ name = \"{name}\", recovery = \"quic\", label = \"{label}\" }}")
    };
    let text = SCENARIO
        .replace(&ours("cubic", "CUBIC"), "\"noq-cubic\"")
        .replace(&ours("bbr3", "BBRv3"), "\"noq-bbr3\"");
    let dir = with_tiny();
    std::fs::write(dir.path().join("noq.toml"), text).expect("writable");
    let args = ["run", "noq.toml", "--json", "--on", "quic-sim", "--seeds", "5"];
    let (document, _) = json_and_messages(dir.path(), &args);
    let [bbr, cubic] = ["BBRv3 (noq)", "CUBIC (noq)"];
    let fade = median(&document, "wifi-fade", bbr);
    assert!((4.5..5.95).contains(&fade), "below .85 of picoquic's 7 s as well: {fade}");
    let bad = median(&document, "wifi-bad", bbr);
    assert!((8.0..25.0).contains(&bad), "far above picoquic's 4.5 s as well: {bad}");
    let two = median(&document, "two-cubics", cubic);
    assert!((two - 6.8).abs() < 0.3, "two-cubics: {two}");
}
