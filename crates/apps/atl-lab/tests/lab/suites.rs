//! Built-in suites, and folders of one's own.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use atl_lab::monitor::Rule;
use atl_lab::suite;
use noq_proto::congestion::NewRenoConfig;

use crate::cases::PATH;

#[test]
fn every_folder_is_a_case_of_its_suite() {
    for name in ["rfc9743", "rfc9002", "bbr"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("suites").join(name);
        let entries = fs::read_dir(&folder).expect("a folder");
        let folders: BTreeSet<String> = entries
            .map(|entry| entry.expect("readable").file_name().to_string_lossy().into_owned())
            .collect();
        let suite = suite(name);
        let cases: BTreeSet<String> = suite.names().map(str::to_owned).collect();
        assert!(folders.is_subset(&cases), "{name}: {folders:?}, {cases:?}");
        let rest = cases.difference(&folders);
        assert!(
            rest.clone().all(|case| case.starts_with("told-of-")),
            "{:?}",
            rest.collect::<Vec<_>>()
        );
    }
}

#[test]
fn a_folder_of_cases_is_a_suite() {
    let dir = tempfile::tempdir().expect("a directory");
    for (name, least) in [("easy", "1Mb/s"), ("hard", "20Mb/s")] {
        let case = dir.path().join(name);
        fs::create_dir(&case).expect("writable");
        fs::write(case.join("scenario.toml"), PATH).expect("writable");
        let expected = format!(
            "under-test = [\"new\"]\n[[expect]]\nmetric = \"goodput\"\nat-least = \"{least}\"\nat = {{ loss = 0 }}\n"
        );
        fs::write(case.join("expect.toml"), expected).expect("writable");
    }
    let name = dir.path().to_str().expect("UTF-8");
    let logs = tempfile::tempdir().expect("a directory");
    let run = || suite(name).with(NewRenoConfig::default()).logs(logs.path());
    let report = run().check().expect("it runs");
    let passed: Vec<bool> = report.cases.iter().map(atl_lab::Report::passed).collect();
    assert_eq!(passed, [true, false], "{report}");
    assert!(report.to_string().contains("1 of 2 cases passed"), "{report}");
    assert!(run().known("hard", "twice the link's rate").check().expect("it runs").passed());
    assert!(run().only("easy").check().expect("it runs").passed());
}

#[test]
fn rules_have_names_of_their_own_and_a_source() {
    let names: BTreeSet<&str> = Rule::ALL.iter().map(|rule| rule.name()).collect();
    assert_eq!(names.len(), Rule::ALL.len());
    let text = include_str!("../../../../../docs/lab.md");
    for rule in Rule::ALL {
        assert_eq!(Rule::named(rule.name()), Some(rule));
        let row = format!("| `{}` | {} |", rule.name(), rule.says());
        assert!(text.contains(&row), "docs/lab.md lacks the row\n{row}");
    }
}
