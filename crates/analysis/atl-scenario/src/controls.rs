//! Control characters: a title or a name must not ring a terminal's bell or rewrite its screen.

use crate::errors::{Problem, Sink};
use crate::tree::{Entry, Kind, Loc, Node};
use crate::visible::is_control;

/// Reports control characters in keys and texts of the file, line breaks and tabs excepted.
pub(crate) fn report(tree: &Node, sink: &Sink) {
    match &tree.kind {
        Kind::Str(text) => check(text, tree.at, sink),
        Kind::Array(items) => items.iter().for_each(|item| report(item, sink)),
        Kind::Table(entries) => {
            for Entry { key, key_at, node } in entries {
                check(key, *key_at, sink);
                report(node, sink);
            }
        }
        _ => {}
    }
}

fn check(text: &str, at: Loc, sink: &Sink) {
    if let Some(found) = text.chars().find(|c| is_control(*c)) {
        let message = "a text has a control character";
        let label = format!("U+{:04X} is not allowed here", u32::from(found));
        sink.report(Problem::new(message).at(at).label(label));
    }
}
