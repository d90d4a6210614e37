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

/// What people call a variable, with the unit of its numbers where that is known: `SNR (dB)`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Name {
    /// Without the unit.
    pub(crate) name: String,
    /// Unit of its bare numbers; empty if they have none.
    pub(crate) unit: String,
}

impl Name {
    /// Name and unit.
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

/// Endings of variables' names that are units.
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

/// Words of variables' names that are written in capitals.
const CAPITALS: [&str; 10] = ["ack", "ber", "cer", "ip", "mss", "mtu", "rto", "rtt", "snr", "tcp"];

/// A variable as the file calls it, or else as its name says: `snr_db` is `SNR (dB)`, `wired_delay` is `wired delay`.
/// A symbol such as `p_w` stays as it is.
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
    // A letter with an index is a symbol.
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
    // A word speaks for itself and comes first; a number needs the name of its variable.
    let (numbers, words): (Vec<_>, Vec<_>) =
        selection.at.iter().partition(|(_, v)| v.number.is_some());
    parts.extend(words.iter().map(|(_, v)| label_of(scenario, v)));
    parts.extend(numbers.iter().map(|(name, v)| variable(scenario, name).with(&v.text)));
    if parts.is_empty() { "all flows".to_owned() } else { parts.join(", ") }
}

/// Several groups in a few words: `atl-1 … atl-5` instead of all five names.
pub(crate) fn group_names(groups: &[String]) -> String {
    match groups {
        [first, .., last] if groups.len() > 3 => format!("{first} … {last}"),
        groups => groups.join(" + "),
    }
}
