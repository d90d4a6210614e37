//! Checking a table against the constraints of its section.

use crate::keys::{Condition, Is, Rule};
use crate::tree::{Entry, Kind};

/// A constraint that a table violates.
#[derive(Debug)]
pub(crate) enum Broken<'a> {
    /// Keys that exclude each other, and the error's label.
    Apart(Vec<&'a Entry>, &'static str),
    /// None of several keys is given: message and label.
    None(&'static str, &'static str),
    /// Name of a missing key.
    Missing(&'static str),
    /// A key that is not allowed here, and the error's label.
    Misplaced(&'a Entry, &'static str),
}

/// Violations of a constraint in a table with these entries.
pub(crate) fn broken<'a>(rule: &Rule, entries: &'a [Entry]) -> Vec<Broken<'a>> {
    let given = |key: &str| entries.iter().find(|entry| entry.key == key);
    let missing = |needs: &'static [&'static str]| {
        needs.iter().filter(|key| given(key).is_none()).map(|key| Broken::Missing(key)).collect()
    };
    match *rule {
        Rule::Apart { groups, label } => {
            let first = |keys: &&[&str]| keys.iter().find_map(|key| given(key));
            let found: Vec<&Entry> = groups.iter().filter_map(first).collect();
            if found.len() > 1 { vec![Broken::Apart(found, label)] } else { Vec::new() }
        }
        Rule::Some { keys, message, label } => {
            if keys.iter().any(|key| given(key).is_some()) {
                Vec::new()
            } else {
                vec![Broken::None(message, label)]
            }
        }
        Rule::With { key, needs } if given(key).is_some() => missing(needs),
        Rule::WithAny { key, needs, label } => match given(key) {
            Some(entry) if !needs.iter().any(|key| given(key).is_some()) => {
                vec![Broken::Misplaced(entry, label)]
            }
            _ => Vec::new(),
        },
        Rule::When { when, needs, never, label } if when.iter().all(|c| holds(c, entries)) => {
            let misplaced = never
                .iter()
                .filter_map(|key| given(key))
                .map(|entry| Broken::Misplaced(entry, label));
            let mut all: Vec<Broken<'_>> = missing(needs);
            all.extend(misplaced);
            all
        }
        Rule::With { .. } | Rule::When { .. } => Vec::new(),
    }
}

fn holds(condition: &Condition, entries: &[Entry]) -> bool {
    let Some(entry) = entries.iter().find(|entry| entry.key == condition.key) else {
        return false;
    };
    match (condition.is, &entry.node.kind) {
        (Is::Word(words), Kind::Str(text)) => words.contains(&text.as_str()),
        (Is::OtherWord(words), Kind::Str(text)) => !words.contains(&text.as_str()),
        (Is::True, Kind::Bool(value)) => *value,
        (Is::List, Kind::Array(_)) | (Is::Table, Kind::Table(_)) => true,
        _ => false,
    }
}
