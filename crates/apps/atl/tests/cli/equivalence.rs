//! `atl equivalence`, in a case that takes two seconds, without root.

use std::path::Path;

use atl_equivalence::battery::{CASES, TCP_CASES};
use atl_equivalence::report::declared;

use crate::{atl, err, fine, json, names, out, refused};

const PAGE: &str = include_str!("../../../../../docs/equivalence.md");

#[test]
fn the_cases_are_listed() {
    let text = fine(Path::new("."), &["equivalence", "--list"]);
    let document = json(Path::new("."), &["equivalence", "--list", "--json"]);
    let listed = document["cases"].as_array().expect("cases");
    assert_eq!(listed.len(), CASES.len() + TCP_CASES.len());
    for case in listed {
        assert!(text.contains(case["name"].as_str().expect("a name")), "{case}");
    }
}

#[test]
fn wrong_arguments_run_nothing() {
    let dir = tempfile::tempdir().expect("a directory");
    let told = refused(dir.path(), &["equivalence", "--only", "rate-3", "--page", "page.md"], 2);
    assert!(told.contains("there is no case `rate-3` (cases: rate-2, "), "{told}");
    let told = refused(dir.path(), &["equivalence", "--only", "tcp-clean", "--no-kernel"], 2);
    assert!(told.contains("nothing is left to run"), "{told}");
    refused(dir.path(), &["equivalence", "--attempts", "0"], 2);
    let told = refused(dir.path(), &["equivalence", "--only", "rate-2", "--page", "."], 1);
    assert!(told.contains("cannot write ."), "{told}");
    assert!(names(dir.path()).is_empty());
}

/// The verdict depends on the load of this machine; its existence and what it is based on do not.
#[test]
fn a_quick_case_gives_a_verdict_and_a_page() {
    let dir = tempfile::tempdir().expect("a directory");
    let args = "equivalence --quick --only loss-bursts --no-kernel --attempts 1 --no-fifo --strict --json --page pages/it.md";
    let args: Vec<&str> = args.split(' ').collect();
    let output = atl(dir.path(), &args);
    let document: serde_json::Value = serde_json::from_str(&out(&output)).expect("JSON");
    let case = &document["cases"][0];
    let status = i32::from(case["verdict"] != "equivalent");
    assert_eq!(output.status.code(), Some(status), "--strict: {}", err(&output));
    assert_eq!((&case["name"], &case["packets"]), (&"loss-bursts".into(), &10_000.into()));
    let verdicts = ["equivalent", "undecided", "different", "not-judged"];
    assert!(verdicts.iter().any(|verdict| case["verdict"] == *verdict), "{case}");
    assert_eq!(case["fates"]["replayed"], 0);
    assert_eq!(document["whole"][0]["simulator"], document["whole"][0]["link"]);
    let measures = case["measures"].as_array().expect("measures");
    assert_eq!(document["statements"], measures.len());
    let lost = measures.iter().find(|measure| measure["what"] == "lost").expect("losses");
    let (observed, expected) = (lost["observed"].as_f64(), lost["expected"].as_f64());
    assert!((observed.expect("a share") - expected.expect("a share")).abs() < 0.04, "{lost}");
    assert!(lost["interval"]["low"].as_f64() < lost["interval"]["high"].as_f64(), "{lost}");
    let page = std::fs::read_to_string(dir.path().join("pages/it.md")).expect("the page");
    assert!(page.contains("\n| `loss-bursts` | ") && page.contains(&declared()), "{page}");
}

#[test]
fn the_page_shows_todays_battery() {
    assert!(
        PAGE.contains(&declared()),
        "`sudo atl equivalence --page docs/equivalence.md` regenerates docs/equivalence.md"
    );
    for case in CASES {
        assert!(PAGE.contains(&format!("\n| `{}` | ", case.name)), "{} has no result", case.name);
    }
}
