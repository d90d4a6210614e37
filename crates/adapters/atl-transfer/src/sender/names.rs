//! Names that a receiver's file system cannot hold.

use std::collections::BTreeSet;

use super::Entry;
use crate::name::{self, Limits};

/// The entries, by index, whose paths the receiver cannot hold within these limits, with the
/// reason.
pub(super) fn refused(entries: &[Entry], limits: Limits) -> Vec<(usize, String)> {
    let mut seen = BTreeSet::new();
    let mut refused = Vec::new();
    for (index, Entry { path, .. }) in entries.iter().enumerate() {
        let folded = || String::from_utf8_lossy(&path.join(&b'/')).to_lowercase();
        if let Err(error) = name::check(path, limits) {
            refused.push((index, error.to_string()));
        } else if limits.has(Limits::CASELESS) && !seen.insert(folded()) {
            let why = "another one differs in nothing but the case of its letters";
            refused.push((index, why.to_owned()));
        }
    }
    refused
}
