//! JSON documents match docs/json.md, and its examples for jq work.
#![allow(clippy::print_stderr, reason = "a skipped test says so")]

use std::collections::BTreeSet;
use std::io::{ErrorKind, Write as _};
use std::process::{Command, Stdio};

use atl_report::summary::Summary;
use serde_json::Value;

use crate::{fine, json, path_json, path_text, with_tiny};

const PAGE: &str = include_str!("../../../../../docs/json.md");

/// Objects whose keys depend on the scenario.
const NAMED: [&str; 6] = [".vars", ".metrics", ".total", ".times", ".total_times", ".delays"];

/// All fields of a document, in the notation of docs/json.md.
fn fields(value: &Value, at: &str, found: &mut BTreeSet<String>) {
    match value {
        Value::Object(map) if map.contains_key("mean") && map.contains_key("spread") => {
            let parts: Vec<&str> =
                map.keys().map(String::as_str).filter(|key| *key != "per_seed").collect();
            assert_eq!(
                BTreeSet::from_iter(parts),
                ["mean", "low", "high", "spread", "n", "of"].into()
            );
            found.insert(at.to_owned());
        }
        Value::Object(map) if map.contains_key("watched_s") => {
            let parts = ["ended", "of", "median_s", "low_s", "high_s", "watched_s", "seeds"];
            assert_eq!(BTreeSet::from_iter(map.keys().map(String::as_str)), parts.into());
            found.insert(at.to_owned());
        }
        Value::Object(map) => {
            let named = NAMED.iter().any(|name| at.ends_with(name));
            for (key, value) in map {
                let key = if named { "*" } else { key };
                let at = if at.is_empty() { key.to_owned() } else { format!("{at}.{key}") };
                fields(value, &at, found);
            }
        }
        Value::Array(list) => {
            list.iter().for_each(|value| fields(value, &format!("{at}[]"), found));
        }
        _ => {
            found.insert(at.to_owned());
        }
    }
}

/// Fields that docs/json.md lists for a format, and those of them that are required.
fn described(format: &str) -> (BTreeSet<String>, BTreeSet<String>) {
    let section = PAGE.split("\n## ").find(|section| section.starts_with(format));
    let section = section.unwrap_or_else(|| panic!("docs/json.md has a section {format}"));
    let rows = section.lines().filter_map(|line| line.strip_prefix("| `"));
    let rows = rows.filter_map(|row| row.split_once("` | "));
    let (mut all, mut required) = (BTreeSet::new(), BTreeSet::new());
    for (field, about) in rows {
        all.insert(field.to_owned());
        if !about.contains("optional") {
            required.insert(field.to_owned());
        }
    }
    (all, required)
}

pub(crate) fn holds(document: &Value, format: &str) {
    assert_eq!(document["format"], format);
    let mut found = BTreeSet::new();
    fields(document, "", &mut found);
    let (all, required) = described(format);
    let unknown: Vec<_> = found.difference(&all).collect();
    assert!(unknown.is_empty(), "{format}: docs/json.md lacks {unknown:?}");
    let missing: Vec<_> = required.difference(&found).collect();
    assert!(missing.is_empty(), "{format}: the document lacks {missing:?}");
}

#[test]
fn documents_are_as_the_page_describes_them() {
    let dir = with_tiny();
    let run = |args: &[&str]| json(dir.path(), &[&["run", "tiny.toml", "--json"], args].concat());
    let whole = run(&["--out", "a", "--ablate", "link-reports"]);
    holds(&whole, "atl-run/2");
    assert!(whole["worth"][0]["differences"][0]["ratio"]["mean"].is_f64());
    assert_eq!(whole["scenario_hash"].as_str().map(str::len), Some(64));
    run(&["--out", "b", "--set", "link.air.loss=0"]);
    holds(&json(dir.path(), &["compare", "a", "b", "--json"]), "atl-compare/2");
    let path =
        ["path", "3g", "--then", "wifi@1s", "--duration", "2s", "--json", "--protocols", "reno"];
    holds(&path_json(dir.path(), &path), "atl-path/2");
    // The format comes first, for programs that read only the beginning.
    let text = fine(dir.path(), &["list", "--json"]);
    assert!(text.starts_with("{\n  \"format\": \"atl-list/1\",\n"), "{}", &text[..60]);
}

#[test]
fn every_format_is_on_the_page() {
    let source = include_str!("../../src/document.rs");
    let formats: Vec<&str> =
        source.split('"').filter(|part| part.starts_with("atl-") && part.contains('/')).collect();
    assert!(formats.len() >= 11);
    for format in formats.into_iter().chain([Summary::FORMAT]) {
        assert!(PAGE.contains(&format!("`{format}`")), "docs/json.md lacks {format}");
    }
}

/// Output of jq for a document; `None` if jq is not installed.
fn jq(options: &[&str], program: &str, document: &str) -> Option<String> {
    let child = Command::new("jq")
        .args(options)
        .arg(program)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn();
    let mut child = match child {
        Err(e) if e.kind() == ErrorKind::NotFound => {
            eprintln!("skipped: jq is not installed");
            return None;
        }
        child => child.expect("jq starts"),
    };
    let mut input = child.stdin.take().expect("a pipe");
    input.write_all(document.as_bytes()).expect("jq reads");
    drop(input);
    let output = child.wait_with_output().expect("jq ends");
    assert!(output.status.success(), "jq {program}");
    Some(String::from_utf8(output.stdout).expect("UTF-8"))
}

/// Options and programs after `| jq` in a text.
fn programs(text: &str) -> Vec<(Vec<&str>, &str)> {
    let after = text.lines().filter_map(|line| line.split_once("| jq ")).map(|(_, rest)| rest);
    after
        .map(|rest| {
            let (options, rest) =
                rest.strip_prefix("-r ").map_or((vec![], rest), |rest| (vec!["-r"], rest));
            let program = match rest.strip_prefix('\'') {
                Some(quoted) => quoted.split('\'').next().unwrap_or(quoted),
                None => rest.split(' ').next().unwrap_or(rest),
            };
            (options, program)
        })
        .collect()
}

fn try_examples(text: &str, expected: usize, document: &dyn Fn(&str) -> String) {
    let found = programs(text);
    assert_eq!(found.len(), expected, "examples in {text}");
    for (options, program) in found {
        let Some(shown) = jq(&options, program, &document(program)) else { return };
        assert!(!["", "null"].contains(&shown.trim()), "{program}: {shown}");
    }
}

#[test]
fn the_examples_for_jq_find_what_they_say() {
    let dir = with_tiny();
    let run = fine(dir.path(), &["run", "tiny.toml", "--json", "--out", "a"]);
    fine(dir.path(), &["run", "tiny.toml", "-q", "--out", "b", "--set", "link.path.rate=500kb/s"]);
    // Without jq, check the fields that the examples name.
    let document: Value = serde_json::from_str(&run).expect("JSON");
    assert!(document["headline"].is_string());
    assert!(document["points"][0]["total"]["goodput_bps"]["mean"].is_f64());
    let help = |command: &str| fine(dir.path(), &[command, "--help"]);
    try_examples(&help("run"), 2, &|_| run.clone());
    let list = fine(dir.path(), &["list", "--json"]);
    try_examples(&help("list"), 1, &|_| list.clone());
    let compared = fine(dir.path(), &["compare", "a", "b", "--json"]);
    try_examples(&help("compare"), 1, &|_| compared.clone());
    let path = ["path", "3g", "--duration", "2s", "--protocols", "reno", "--json"];
    let path = path_text(dir.path(), &path);
    try_examples(PAGE, 3, &|program| {
        if program.contains("stays") { path.clone() } else { run.clone() }
    });
}
