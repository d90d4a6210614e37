//! Comparison of two texts line by line.

use serde::Serialize;
use similar::{ChangeTag, TextDiff};

/// The side of a comparison that has a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Change {
    /// The line is only in the first text.
    Removed,
    /// The line is only in the second text.
    Added,
}

/// A line that only one of two texts has.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Line {
    /// The side that has it.
    pub change: Change,
    /// The line, without its end.
    pub text: String,
}

/// Lines that only one of the texts has, in order. Comments and empty lines are left out, since
/// they change no result.
pub(super) fn changes(first: &str, second: &str) -> Vec<Line> {
    let diff = TextDiff::from_lines(first, second);
    let changed = diff.iter_all_changes().filter_map(|change| {
        let tag = match change.tag() {
            ChangeTag::Equal => return None,
            ChangeTag::Delete => Change::Removed,
            ChangeTag::Insert => Change::Added,
        };
        let text = change.value().trim_end();
        let says = !text.trim_start().is_empty() && !text.trim_start().starts_with('#');
        says.then(|| Line { change: tag, text: text.to_owned() })
    });
    changed.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_lines_that_say_something_count() {
        let first = "# a note\nqueue = 100\nloss = 0\n";
        let second = "# another note\n\nqueue = 400\nloss = 0\n";
        let line = |change, text: &str| Line { change, text: text.to_owned() };
        assert_eq!(
            changes(first, second),
            [line(Change::Removed, "queue = 100"), line(Change::Added, "queue = 400")]
        );
        assert!(changes(first, first).is_empty());
    }
}
