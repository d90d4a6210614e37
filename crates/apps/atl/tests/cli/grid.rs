//! `atl grid`.

use crate::{atl, err, json, out, with_tiny};

#[test]
fn a_grid_is_the_same_every_time_and_its_worst_points_are_files_that_run() {
    let dir = with_tiny();
    let args = ["grid", "--points", "2", "--seed", "3"];
    let first = json(dir.path(), &[&args[..], &["--json", "--jobs", "1"]].concat());
    let second = json(dir.path(), &[&args[..], &["--json", "--jobs", "2"]].concat());
    assert_eq!(first, second);
    assert_eq!(first["format"], "atl-grid/1");
    let points = first["points"].as_array().expect("points");
    assert_eq!((points.len(), points[0]["senders"].as_array().map(Vec::len)), (2, Some(13)));

    let rest = ["--out", "worst", "--page", "grid.md"];
    let output = atl(dir.path(), &[&args[..], &rest].concat());
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
    assert!(out(&output).contains("told all, goodput over the best rival: mean"));
    let page = std::fs::read_to_string(dir.path().join("grid.md")).expect("written");
    assert!(page.contains("| residual, told nothing |") && page.contains("| points | 2 |"));
    assert!(page.contains("| residual, backlog 0.4 |") && page.contains("](grid-frontier.svg)"));
    let figure = std::fs::read_to_string(dir.path().join("grid-frontier.svg")).expect("written");
    assert!(figure.contains("backlog 0.2 (") && figure.contains("BBRv3"), "{figure}");
    let worst = first["targets"][0]["worst"].as_u64().expect("two points");
    let output = atl(dir.path(), &["validate", &format!("worst/point-{worst}.toml")]);
    assert_eq!(output.status.code(), Some(0), "{}", err(&output));
}

#[test]
fn no_point_is_no_grid() {
    let dir = with_tiny();
    let output = atl(dir.path(), &["grid", "--points", "0"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(err(&output).contains("--points"), "{}", err(&output));
}
