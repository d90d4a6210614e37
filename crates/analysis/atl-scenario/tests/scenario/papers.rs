//! Scenarios of papers state everything that a change of defaults would alter, since papers did not
//! use current defaults.

use atl_scenario::protocol::{Listed, catalogue};
use atl_scenario::{Overrides, builtin, open};
use toml::{Table, Value};

/// Protocols with the recovery of current stacks rather than a paper's.
const TODAYS: [&str; 2] = ["cubic", "bbr3"];

fn table(value: Option<&Value>) -> Option<&Table> {
    value.and_then(Value::as_table)
}

/// Asserts that the current protocols in a value name their recovery.
fn named_recovery(scenario: &str, value: &Value) {
    let todays = |value: &Value| value.as_str().is_some_and(|text| TODAYS.contains(&text));
    assert!(!todays(value), "{scenario}: a bare {value:?}");
    if let Some(table) = value.as_table() {
        let recovery = table.contains_key("recovery");
        assert!(
            !table.get("name").is_some_and(todays) || recovery,
            "{scenario}: {value:?} names no recovery"
        );
        table
            .iter()
            .filter(|(key, _)| *key != "name")
            .for_each(|(_, value)| named_recovery(scenario, value));
    }
    value.as_array().into_iter().flatten().for_each(|value| named_recovery(scenario, value));
}

#[test]
fn they_name_their_packets_windows_and_recoveries() {
    for scenario in builtin().iter().filter(|s| !s.name.starts_with("showcase/")) {
        let name = scenario.name;
        let file: Table = scenario.text.parse().unwrap_or_else(|e| panic!("{name}: {e}"));
        let common = table(file.get("tcp"));
        let read = open(name, &Overrides::default()).unwrap_or_else(|e| panic!("{name}: {e}"));
        let flows = file["flow"].as_array().expect("flows");
        for flow in flows.iter().filter_map(Value::as_table) {
            let own = table(flow.get("tcp"));
            let named = |key: &str| [own, common].iter().flatten().any(|t| t.contains_key(key));
            let setups = read.points.iter().flat_map(|p| &p.setup.flows);
            let called = flow["name"].as_str().expect("a name");
            let tcp = setups.filter(|f| f.name == called).any(|f| f.protocol.tcp().is_some());
            let keys = ["segment", "header", "ack", "initial-window"];
            for key in &keys[..if tcp { 4 } else { 3 }] {
                assert!(named(key), "{name}: flow `{called}` does not name `{key}`");
            }
        }
        // A bare name would get the current recovery.
        for key in ["vars", "sweep", "flow"] {
            file.get(key).into_iter().for_each(|value| named_recovery(name, value));
        }
    }
}

#[test]
fn todays_protocols_are_listed() {
    let listed = |name: &str| catalogue().iter().find(|p| p.name == name);
    assert!(TODAYS.iter().all(|name| listed(name).and_then(Listed::recovery).is_some()));
}
