//! Names for the values and selections of a scenario, as the report shows them.

use atl_scenario::quote::Selection;
use atl_scenario::scenario::{Scenario, Value};

pub(crate) fn values_of(scenario: &Scenario, variable: &str) -> Vec<Value> {
    let mut values: Vec<Value> = Vec::new();
    for value in scenario.points.iter().filter_map(|p| p.vars.get(variable)) {
        if !values.iter().any(|v| v.matches(value)) {
            values.push(value.clone());
        }
    }
    values
}

/// Label of the protocol that the value names, otherwise the value's text.
pub(crate) fn label_of(scenario: &Scenario, value: &Value) -> String {
    // No number names a protocol, and looking for one would read the flows of every point.
    if value.number.is_some() {
        return value.text.clone();
    }
    let flows = scenario.points.iter().flat_map(|p| &p.setup.flows);
    match flows.map(|f| &f.protocol).find(|p| p.name == value.text) {
        Some(protocol) => protocol.label.clone(),
        None => value.text.clone(),
    }
}

/// Display name of a variable with the unit of its numbers where known: `SNR (dB)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// Without the unit.
    pub(crate) name: String,
    /// Unit of its bare numbers; empty if unknown or if values carry their own.
    pub(crate) unit: String,
}

impl Name {
    pub(crate) fn title(&self) -> String {
        if self.unit.is_empty() {
            self.name.clone()
        } else {
            format!("{} ({})", self.name, self.unit)
        }
    }

    /// The variable with one of its values: `SNR = 15 dB`, `d_w = 10ms`.
    pub(crate) fn with(&self, value: &str) -> String {
        match value.parse::<f64>() {
            Ok(_) if !self.unit.is_empty() => format!("{} = {value} {}", self.name, self.unit),
            _ => format!("{} = {value}", self.name),
        }
    }
}

/// Suffixes of variables' names that are units.
const UNITS: [(&str, &str); 14] = [
    ("bps", "b/s"),
    ("bytes", "bytes"),
    ("db", "dB"),
    ("dbm", "dBm"),
    ("hz", "Hz"),
    ("kbps", "kb/s"),
    ("kmh", "km/h"),
    ("mbps", "Mb/s"),
    ("ms", "ms"),
    ("packets", "packets"),
    ("percent", "%"),
    ("pkts", "packets"),
    ("s", "s"),
    ("us", "µs"),
];

/// Words written in capitals.
const CAPITALS: [&str; 10] = ["ack", "ber", "cer", "ip", "mss", "mtu", "rto", "rtt", "snr", "tcp"];

/// Title of a variable from the scenario file, otherwise derived from its name: `snr_db` becomes
/// `SNR (dB)`, `wired_delay` becomes `wired delay`. A symbol such as `p_w` stays as it is.
pub(crate) fn variable(scenario: &Scenario, variable: &str) -> Name {
    if let Some(label) = scenario.labels.get(variable) {
        let parts = label.strip_suffix(')').and_then(|label| label.rsplit_once(" ("));
        return match parts {
            Some((name, unit)) => Name { name: name.to_owned(), unit: unit.to_owned() },
            None => Name { name: label.clone(), unit: String::new() },
        };
    }
    let mut words: Vec<&str> = variable.split(['_', '-']).filter(|w| !w.is_empty()).collect();
    let unit = match &words[..] {
        [first, .., last] if first.len() > 1 => UNITS.iter().find(|(ending, _)| ending == last),
        _ => None,
    };
    if unit.is_some() {
        words.pop();
    }
    let unit = unit.map_or_else(String::new, |(_, unit)| (*unit).to_owned());
    // A single letter marks a symbol with an index, such as `p_w`.
    if words.iter().all(|word| word.chars().count() == 1) || words.iter().any(|w| w.len() == 1) {
        return Name { name: variable.to_owned(), unit };
    }
    let capital = |word: &&str| match CAPITALS.contains(word) {
        true => word.to_uppercase(),
        false => (*word).to_owned(),
    };
    Name { name: words.iter().map(capital).collect::<Vec<_>>().join(" "), unit }
}

/// A selection in words: `TCP-ATL, p_w = 5e-2`.
pub(crate) fn describe(scenario: &Scenario, selection: &Selection) -> String {
    let mut parts: Vec<String> = Vec::new();
    if !selection.groups.is_empty() {
        parts.push(group_names(&selection.groups));
    }
    // Words come first and stand alone; a number needs the name of its variable.
    let (numbers, words): (Vec<_>, Vec<_>) =
        selection.at.iter().partition(|(_, v)| v.number.is_some());
    parts.extend(words.iter().map(|(_, v)| label_of(scenario, v)));
    parts.extend(numbers.iter().map(|(name, v)| variable(scenario, name).with(&v.text)));
    if parts.is_empty() { "all flows".to_owned() } else { parts.join(", ") }
}

/// Abbreviates long lists: `atl-1 … atl-5` instead of all five names.
pub(crate) fn group_names(groups: &[String]) -> String {
    match groups {
        [first, .., last] if groups.len() > 3 => format!("{first} … {last}"),
        groups => groups.join(" + "),
    }
}
