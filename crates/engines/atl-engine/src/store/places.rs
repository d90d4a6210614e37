//! Offsets of the records in the temporary file.

use std::collections::BTreeMap;

/// Marks a run without a record in the file.
const NOWHERE: u64 = u64::MAX;

/// Byte offsets of the records of runs.
///
/// Only points with some but not all of their runs in the file have an entry for each run. A
/// complete point has its offsets in a list in the file, and only the list's offset stays in
/// memory: a sweep of a million runs then needs a thousand of them.
#[derive(Debug)]
pub(crate) struct Places {
    seeds: usize,
    /// Offset of each complete point's list, by point.
    lists: Vec<u64>,
    /// Points with some of their runs in the file.
    parts: BTreeMap<usize, Part>,
}

/// A point that still misses runs.
#[derive(Debug)]
struct Part {
    begins: Vec<u64>,
    missing: usize,
}

/// A point whose last run has just arrived.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) point: usize,
    /// Offset of each record, by seed.
    pub(crate) begins: Vec<u64>,
}

impl Places {
    pub(crate) fn new(points: usize, seeds: usize) -> Places {
        Places { seeds, lists: vec![NOWHERE; points], parts: BTreeMap::new() }
    }

    /// Number of runs of the sweep, whether in the file or not.
    pub(crate) fn runs(&self) -> usize {
        self.lists.len() * self.seeds
    }

    pub(crate) fn holds(&self, run: usize) -> bool {
        let (point, seed) = (run / self.seeds, run % self.seeds);
        let part = || self.parts.get(&point).is_some_and(|part| part.begins[seed] != NOWHERE);
        self.lists[point] != NOWHERE || part()
    }

    /// Notes that a run's record begins at this offset. If that completes its point, the caller
    /// must write the point's list and call [`Self::listed`].
    pub(crate) fn insert(&mut self, run: usize, begin: u64) -> Option<Whole> {
        let (point, seed) = (run / self.seeds, run % self.seeds);
        let empty = || Part { begins: vec![NOWHERE; self.seeds], missing: self.seeds };
        let part = self.parts.entry(point).or_insert_with(empty);
        part.begins[seed] = begin;
        part.missing -= 1;
        if part.missing > 0 {
            return None;
        }
        self.parts.remove(&point).map(|part| Whole { point, begins: part.begins })
    }

    /// Notes that the list of a complete point begins at this offset.
    pub(crate) fn listed(&mut self, point: usize, begin: u64) {
        self.lists[point] = begin;
    }

    /// Offsets of the lists, by point. Call it once no point is incomplete.
    pub(crate) fn into_lists(self) -> Vec<u64> {
        self.lists
    }
}
