//! picoquic's link scenarios: the times of docs/networks.md are those of today, and within 15 % of
//! picoquic's, or the page says why not.

use crate::{json, with_tiny};

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

#[test]
fn transfers_take_about_as_long_as_picoquics() {
    let dir = with_tiny();
    let document = json(dir.path(), &["run", "showcase/picoquic", "--json"]);
    let points = document["points"].as_array().expect("a list");
    let rows = rows();
    assert_eq!(rows.len(), points.len(), "a row for each point");
    for Row { case, protocol, published, ours, explained } in rows {
        let group =
            points.iter().filter(|point| point["vars"]["case"] == *case).find_map(|point| {
                let groups = point["groups"].as_array()?;
                groups.iter().find(|g| g["group"] == "download" && g["protocol"] == *protocol)
            });
        let group = group.unwrap_or_else(|| panic!("{case} with {protocol} was run"));
        let time = &group["times"]["completion_s"];
        assert_eq!(time["ended"], time["of"], "{case}: every transfer ends");
        let median = time["median_s"].as_f64().expect("a median");
        assert!((median - ours).abs() < 0.006, "{case}, {protocol}: {median} s today");
        let near = (ours / published - 1.0).abs() <= 0.15;
        assert!(near != explained, "{case}, {protocol}: {ours} s beside {published} s");
    }
}
