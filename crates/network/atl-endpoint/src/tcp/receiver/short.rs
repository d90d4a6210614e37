//! Segments behind a hole that are not full. Nearly all are, so that their lengths need no place of
//! their own: a receiver keeps only what the others lack.

use std::collections::BTreeMap;

/// See [the module](self).
#[derive(Debug, Default)]
pub(super) struct Short {
    /// Bytes that a segment lacks to be full.
    missing: BTreeMap<u64, u32>,
}

impl Short {
    /// A segment arrived behind a hole, and lacks this many bytes. It may have been there before.
    pub(super) fn insert(&mut self, seq: u64, missing: u32) {
        self.missing.insert(seq, missing);
    }

    /// Removes the segments below `end`, and returns what they lack together.
    pub(super) fn take_below(&mut self, end: u64) -> u64 {
        let mut lack = 0;
        while let Some(first) = self.missing.first_entry()
            && *first.key() < end
        {
            lack += u64::from(first.remove());
        }
        lack
    }
}
