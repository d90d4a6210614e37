//! What people call the values and selections of a scenario.

use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Scenario, Value};

/// The distinct values of a variable, in the order of the points.
pub(crate) fn values_of(scenario: &Scenario, variable: &str) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in scenario.points.iter().filter_map(|p| p.vars.get(variable)) {
        if !values.iter().any(|v| v.matches(value)) {
            values.push(value.clone());
        }
    }
    values
}

/// The label of the protocol that a value names, or else the value's own text.
pub(crate) fn label_of(scenario: &Scenario, value: &Value) -> String {
    let flows = scenario.points.iter().flat_map(|p| &p.setup.flows);
    match flows.map(|f| &f.protocol).find(|p| p.name == value.text) {
        Some(protocol) => protocol.label.clone(),
        None => value.text.clone(),
    }
}

/// A selection in words: `TCP-ATL, p_w = 5e-2`.
pub(crate) fn describe(scenario: &Scenario, selection: &Selection) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !selection.groups.is_empty() {
        parts.push(group_names(&selection.groups));
    }
    // A word speaks for itself and comes first; a number needs the name of its variable.
    let (numbers, words): (Vec<_>, Vec<_>) =
        selection.at.iter().partition(|(_, v)| v.number.is_some());
    parts.extend(words.iter().map(|(_, v)| label_of(scenario, v)));
    parts.extend(numbers.iter().map(|(name, v)| format!("{name} = {}", v.text)));
    if parts.is_empty() { "all flows".to_owned() } else { parts.join(", ") }
}

/// Several groups in a few words: `atl-1 … atl-5` instead of all five names.
pub(crate) fn group_names(groups: &[String]) -> String {
    match groups {
        [first, .., last] if groups.len() > 3 => format!("{first} … {last}"),
        groups => groups.join(" + "),
    }
}
