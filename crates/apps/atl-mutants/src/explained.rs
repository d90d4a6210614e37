//! Survivors that no test can kill, with the reason: `explained.toml`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;

use serde::Deserialize;

use crate::catalogue::Key;

/// The list, as text.
pub const LIST: &str = include_str!("../explained.toml");

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct List {
    #[serde(default)]
    mutant: Vec<Entry>,
}

/// A mutant and why no test can notice it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Entry {
    file: PathBuf,
    function: String,
    before: String,
    after: String,
    /// Which of several alike in the function, from 1; without it all are.
    nth: Option<usize>,
    why: String,
}

/// The explanations.
#[derive(Clone, Debug)]
pub struct Explained {
    entries: Vec<Entry>,
}

impl Explained {
    /// Reads a list.
    ///
    /// # Errors
    ///
    /// It is no such list; the message names the line.
    pub fn read(text: &str) -> Result<Explained, String> {
        let list: List = toml::from_str(text).map_err(|e| format!("explained.toml: {e}"))?;
        if let Some(entry) = list.mutant.iter().find(|entry| entry.why.trim().is_empty()) {
            return Err(format!(
                "explained.toml: {}, `{}`: `why` is empty",
                entry.file.display(),
                entry.before
            ));
        }
        Ok(Explained { entries: list.mutant })
    }

    /// The reason for a mutant.
    #[must_use]
    pub fn why(&self, key: &Key) -> Option<&str> {
        self.entries.iter().find(|entry| entry.names(key)).map(|entry| entry.why.as_str())
    }

    /// Entries about these files that name no mutant any more.
    #[must_use]
    pub fn stale(&self, files: &BTreeSet<PathBuf>, keys: &BTreeMap<Key, u32>) -> Vec<String> {
        let about = self.entries.iter().filter(|entry| files.contains(&entry.file));
        about
            .filter(|entry| !keys.keys().any(|key| entry.names(key)))
            .map(|entry| {
                let Entry { file, function, before, after, .. } = entry;
                format!("{}, {function}: `{before}` -> `{after}`", file.display())
            })
            .collect()
    }
}

impl Entry {
    fn names(&self, (file, function, before, after, nth): &Key) -> bool {
        self.file == *file
            && self.function == *function
            && self.before == *before
            && self.after == *after
            && self.nth.is_none_or(|own| own == *nth)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_list_can_be_read() {
        Explained::read(LIST).expect("a list");
    }

    #[test]
    fn an_entry_names_its_mutant_and_no_other() {
        let text = "[[mutant]]\nfile = \"a.rs\"\nfunction = \"f\"\nbefore = \"x < y\"\n\
                    after = \"(x) <= (y)\"\nnth = 2\nwhy = \"they are never equal\"\n";
        let list = Explained::read(text).expect("a list");
        let key = |nth| ("a.rs".into(), "f".into(), "x < y".into(), "(x) <= (y)".into(), nth);
        assert_eq!(list.why(&key(2)), Some("they are never equal"));
        assert_eq!(list.why(&key(1)), None);
        let files = BTreeSet::from([PathBuf::from("a.rs")]);
        assert_eq!(list.stale(&files, &BTreeMap::from([(key(2), 1)])), [""; 0]);
        assert_eq!(list.stale(&files, &BTreeMap::from([(key(1), 1)])).len(), 1);
    }

    #[test]
    fn an_entry_without_a_reason_is_a_mistake() {
        let text = "[[mutant]]\nfile = \"a.rs\"\nfunction = \"f\"\nbefore = \"x\"\nafter = \"y\"\n\
                    why = \" \"\n";
        assert!(Explained::read(text).expect_err("no reason").contains("`why` is empty"));
    }
}
