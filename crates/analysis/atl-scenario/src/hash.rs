//! The hash of a scenario: SHA-256 over all that determines its results, and nothing else.

use std::fmt::Write as _;

use sha2::{Digest, Sha256};

use crate::tree::{Kind, Node};

/// Version of the format. Change it when the meaning of a scenario file changes.
const FORMAT: &str = "atl-scenario 1\n";

/// Collects the texts to hash.
#[derive(Clone, Debug)]
pub(crate) struct Fingerprint(Sha256);

impl Fingerprint {
    pub(crate) fn new() -> Self {
        Fingerprint(Sha256::new_with_prefix(FORMAT))
    }

    /// Adds a labelled text. Its length comes first, so that no two sequences of texts give the
    /// same bytes.
    pub(crate) fn text(&mut self, label: &str, text: &str) {
        self.0.update(format!("{label}:{}:", text.len()));
        self.0.update(text);
    }

    /// Adds a labelled value with its keys in alphabetical order, so that layout and comments have
    /// no influence.
    pub(crate) fn node(&mut self, label: &str, node: &Node) {
        let mut text = String::new();
        canonical(node, &mut text);
        self.text(label, &text);
    }

    pub(crate) fn hex(self) -> String {
        self.0.finalize().iter().fold(String::new(), |mut hex, byte| {
            // Writing to a string cannot fail.
            let _ = write!(hex, "{byte:02x}");
            hex
        })
    }
}

fn canonical(node: &Node, out: &mut String) {
    let _ = match &node.kind {
        Kind::Str(s) => write!(out, "{}\"{s}\"", s.len()),
        // Numbers are hashed by value: 1 and 1.0 are the same.
        Kind::Int(n) => write!(out, "{:?}", *n as f64),
        Kind::Float(n) => write!(out, "{n:?}"),
        Kind::Bool(b) => write!(out, "{b}"),
        Kind::Array(items) => {
            out.push('[');
            for item in items {
                canonical(item, out);
                out.push(',');
            }
            write!(out, "]")
        }
        Kind::Table(entries) => {
            let mut sorted: Vec<_> = entries.iter().collect();
            sorted.sort_by(|a, b| a.key.cmp(&b.key));
            out.push('{');
            for entry in sorted {
                let _ = write!(out, "{}\"{}\"=", entry.key.len(), entry.key);
                canonical(&entry.node, out);
                out.push(',');
            }
            write!(out, "}}")
        }
        Kind::Other(_) | Kind::Poison => write!(out, "?"),
    };
}
