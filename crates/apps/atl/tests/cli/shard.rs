//! `atl run --shard` and `atl merge`.

use std::fs;
use std::path::Path;

use atl_engine::store::Results;
use atl_experiment::shard::Part;

use crate::{fine, json, refused, with_tiny};

const FILES: [&str; 4] = ["runs", "flows", "links", "samples"];

#[test]
fn the_parts_together_are_the_whole() {
    let dir = with_tiny();
    let changes = ["--set", "link.air.loss=2e-2", "--seeds", "1,3,5", "--csv"];
    fine(dir.path(), &[&["run", "tiny.toml", "--out", "whole"][..], &changes].concat());
    for part in ["3/4", "1/4", "4/4", "2/4"] {
        let arguments = ["run", "tiny.toml", "--shard", part, "--out", "parts"];
        let told = fine(dir.path(), &[&arguments[..], &changes[..4]].concat());
        assert!(told.contains("of 6") && told.contains("atl merge parts --out parts"), "{told}");
    }
    let told = fine(dir.path(), &["merge", "parts", "--out", "merged", "--csv"]);
    assert!(told.contains("A tiny scenario") && told.contains("6 runs"), "{told}");
    for (file, ending) in FILES.iter().flat_map(|file| [(file, "parquet"), (file, "csv")]) {
        let read = |folder: &str| fs::read(dir.path().join(format!("{folder}/{file}.{ending}")));
        assert!(
            read("whole").expect("written") == read("merged").expect("written"),
            "{file}.{ending}"
        );
    }
    assert!(dir.path().join("merged/report.html").exists());

    // Parts by name, with the result as JSON.
    let names = ["1", "2", "3", "4"].map(|k| format!("parts/shard-{k}-of-4.atl"));
    let names = names.iter().map(String::as_str);
    let arguments: Vec<&str> = ["merge", "--json"].into_iter().chain(names).collect();
    let document = json(dir.path(), &arguments);
    assert_eq!(document["seeds"], serde_json::json!([1, 3, 5]));
    let command = document["command"].as_str().expect("a text");
    assert!(!command.contains("--shard"), "{command}");
}

#[test]
fn missing_damaged_and_foreign_parts_are_named() {
    let dir = with_tiny();
    let part = |part: &str, seeds: &str, out: &str| {
        let arguments = ["run", "tiny.toml", "--shard", part, "--out", out, "--seeds", seeds, "-q"];
        assert_eq!(fine(dir.path(), &arguments), "");
    };
    part("1/2", "2", "parts");
    let told = refused(dir.path(), &["merge", "parts"], 2);
    assert!(
        told.contains(
            "1 part is missing: 2/2; run atl run tiny.toml --seeds 2 --shard 2/2 --out parts"
        ),
        "{told}"
    );
    assert!(!dir.path().join("out").exists(), "nothing is written");

    part("2/2", "3", "other");
    let told = refused(dir.path(), &["merge", "parts", "other"], 2);
    assert!(
        told.contains("shard-2-of-2.atl") && told.contains("differ in the scenario's content"),
        "{told}"
    );

    let path = dir.path().join("parts/shard-1-of-2.atl");
    let bytes = fs::read(&path).expect("written");
    fs::write(&path, &bytes[..bytes.len() - 5]).expect("written");
    let told = refused(dir.path(), &["merge", "parts"], 2);
    assert!(told.contains("shard-1-of-2.atl") && told.contains("run this part again"), "{told}");

    let told = refused(dir.path(), &["merge", "tiny.toml"], 2);
    assert!(told.contains("not a file of `atl run --shard`"), "{told}");
    let told = refused(dir.path(), &["merge", "."], 2);
    assert!(told.contains("has no parts"), "{told}");
}

/// Rewrites the file of a part as that of another build.
fn of_another_build(path: &Path) {
    let part = Part::open(path.to_path_buf()).expect("a part");
    let mut runs = Vec::new();
    let keep = |_, _, run| {
        runs.push(vec![run]);
        Ok(())
    };
    part.each(keep).expect("readable");
    let mut header = part.header().clone();
    header.build = "0123456789abcdef".to_owned();
    atl_experiment::part::write(path, &header, &[Results::from(runs)]).expect("written");
}

#[test]
fn parts_of_different_builds_are_merged_only_on_demand() {
    let dir = with_tiny();
    let part = |part: &str| {
        let arguments = ["run", "tiny.toml", "--seeds", "2", "--out", "parts", "--shard", part];
        json(dir.path(), &[&arguments[..], &["--json"]].concat())
    };
    let build = part("1/2")["build"].as_str().expect("a text").to_owned();
    assert!(build.len() == 16 && build.bytes().all(|byte| byte.is_ascii_hexdigit()), "{build}");
    assert_eq!(part("2/2")["build"], build.as_str());
    of_another_build(&dir.path().join("parts/shard-2-of-2.atl"));

    let told = refused(dir.path(), &["merge", "parts", "--out", "merged"], 2);
    for words in [
        "parts/shard-1-of-2.atl and parts/shard-2-of-2.atl: ",
        &format!("part 1/2 was run by atl 0.1.0 (build {build})"),
        "part 2/2 by atl 0.1.0 (build 0123456789abcdef)",
        "--other-builds",
    ] {
        assert!(told.contains(words), "{words} in {told}");
    }
    assert!(!dir.path().join("merged").exists(), "nothing is written");

    let arguments = ["merge", "parts", "--out", "merged", "--other-builds", "--csv", "-q"];
    fine(dir.path(), &arguments);
    let runs = fs::read_to_string(dir.path().join("merged/runs.csv")).expect("written");
    let page = fs::read_to_string(dir.path().join("merged/report.html")).expect("written");
    for build in [build.as_str(), "0123456789abcdef"] {
        assert!(runs.contains(build), "{build} in {runs}");
        assert!(page.contains(build), "{build} in the report");
    }
}

#[test]
fn a_scenario_that_has_changed_since_is_refused() {
    let dir = with_tiny();
    fine(dir.path(), &["run", "tiny.toml", "--shard", "1/1", "--out", "parts"]);
    let path = dir.path().join("tiny.toml");
    let text = fs::read_to_string(&path).expect("readable");
    fs::write(&path, text.replace("1e-2", "2e-2")).expect("writable");
    let told = refused(dir.path(), &["merge", "parts"], 2);
    assert!(told.contains("no longer the scenario that these parts were run with"), "{told}");
}

#[test]
fn parts_that_cannot_be_are_refused() {
    let dir = with_tiny();
    for part in ["0/3", "4/3", "third"] {
        let told = refused(dir.path(), &["run", "tiny.toml", "--shard", part], 2);
        assert!(told.contains("write K/N"), "{told}");
    }
    let told = refused(dir.path(), &["run", "-", "--shard", "1/2"], 2);
    assert!(told.contains("not standard input"), "{told}");
}
