//! Where the records of a file begin.

use std::collections::BTreeMap;

/// No place in the file.
const NOWHERE: u64 = u64::MAX;

/// Where the records of runs begin.
///
/// Only points that some runs are missing of have their runs' places here. Those of a whole point are a list in the file, and
/// its place is all that is kept: a sweep of a million runs has a thousand of them.
#[derive(Debug)]
pub(crate) struct Places {
    seeds: usize,
    /// Where the lists of whole points begin.
    lists: Vec<u64>,
    /// The other points that have any run in the file.
    parts: BTreeMap<usize, Part>,
}

/// A point that is not whole.
#[derive(Debug)]
struct Part {
    begins: Vec<u64>,
    missing: usize,
}

/// A point that has become whole.
#[derive(Debug)]
pub(crate) struct Whole {
    pub(crate) point: usize,
    /// Where its records begin, by seed.
    pub(crate) begins: Vec<u64>,
}

impl Places {
    /// For so many points with so many seeds each.
    pub(crate) fn new(points: usize, seeds: usize) -> Places {
        Places { seeds, lists: vec![NOWHERE; points], parts: BTreeMap::new() }
    }

    /// The number of runs that there can be.
    pub(crate) fn runs(&self) -> usize {
        self.lists.len() * self.seeds
    }

    /// True if this run is in the file.
    pub(crate) fn holds(&self, run: usize) -> bool {
        let (point, seed) = (run / self.seeds, run % self.seeds);
        let part = || self.parts.get(&point).is_some_and(|part| part.begins[seed] != NOWHERE);
        self.lists[point] != NOWHERE || part()
    }

    /// A run's record begins here. If that makes its point whole, its list has to be written, and [`Self::listed`] told.
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

    /// A point's list begins here.
    pub(crate) fn listed(&mut self, point: usize, begin: u64) {
        self.lists[point] = begin;
    }

    /// Where the lists begin, once all points that are in the file are whole.
    pub(crate) fn into_lists(self) -> Vec<u64> {
        self.lists
    }
}
