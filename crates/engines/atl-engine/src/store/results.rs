//! Reading the results of a sweep point by point.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};

use crate::result::RunResult;

use crate::store::present::Present;
use crate::store::spill::Reader;

/// The results of a sweep: for each point those of its seeds, in their order.
#[derive(Clone)]
pub struct Results {
    points: usize,
    seeds: usize,
    present: Present,
    /// Points whose results are in memory.
    here: BTreeMap<usize, Arc<[RunResult]>>,
    /// Points in the file, if there is one.
    there: Option<Arc<There>>,
}

struct There {
    /// Offset of each point's list of records, by point.
    lists: Vec<u64>,
    reader: Mutex<Open>,
}

struct Open {
    reader: Reader,
    /// The point read last, since readers often ask for the same one several times in a row.
    last: Option<(usize, Arc<[RunResult]>)>,
}

impl Results {
    pub(crate) fn new(
        (seeds, present): (usize, Present),
        here: BTreeMap<usize, Arc<[RunResult]>>,
        lists: Vec<u64>,
        reader: Option<Reader>,
    ) -> Results {
        let points = lists.len();
        let there = reader.map(|reader| {
            let reader = Mutex::new(Open { reader, last: None });
            Arc::new(There { lists, reader })
        });
        Results { points, seeds, present, here, there }
    }

    /// Number of points of the sweep.
    pub fn points(&self) -> usize {
        self.points
    }

    /// Number of seeds at each point.
    pub fn seeds(&self) -> usize {
        self.seeds
    }

    /// Kinds of measurements that any run has.
    pub fn present(&self) -> Present {
        self.present
    }

    /// Number of points that are in memory rather than in the file.
    pub fn in_memory(&self) -> usize {
        self.here.len()
    }

    /// The results of a point, by seed, read from the file where they are not in memory.
    ///
    /// # Panics
    /// Panics if there is no such point, or if the temporary file cannot be read back.
    pub fn point(&self, point: usize) -> Arc<[RunResult]> {
        assert!(point < self.points, "there is no point {point} among {}", self.points);
        if let Some(runs) = self.here.get(&point) {
            return Arc::clone(runs);
        }
        let Some(there) = &self.there else { return Arc::from([]) };
        match there.point(point, self.seeds) {
            Ok(runs) => runs,
            Err(error) => panic!("cannot read the temporary file of results again: {error}"),
        }
    }

    /// The results of each point, in the order of points.
    pub fn iter(&self) -> impl Iterator<Item = Arc<[RunResult]>> + '_ {
        (0..self.points).map(|point| self.point(point))
    }

    /// True if `is` holds for any run. Stops reading at the first.
    pub fn any(&self, mut is: impl FnMut(&RunResult) -> bool) -> bool {
        self.iter().any(|runs| runs.iter().any(&mut is))
    }

    /// Loads the results of all points into memory.
    pub fn to_vec(&self) -> Vec<Vec<RunResult>> {
        self.iter().map(|runs| runs.to_vec()).collect()
    }
}

impl There {
    fn point(&self, point: usize, seeds: usize) -> io::Result<Arc<[RunResult]>> {
        let mut open = self.reader.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((last, runs)) = &open.last
            && *last == point
        {
            return Ok(Arc::clone(runs));
        }
        let begins = open.reader.list(self.lists[point], seeds)?;
        // Reads in the order of the file, which is that in which the results came.
        let mut order: Vec<usize> = (0..seeds).collect();
        order.sort_by_key(|&seed| begins[seed]);
        let mut runs: Vec<RunResult> = Vec::new();
        runs.resize_with(seeds, RunResult::default);
        // Frees the last point before it loads the next, so that one point at a time is in memory.
        open.last = None;
        for seed in order {
            runs[seed] = open.reader.read(begins[seed])?;
        }
        let runs: Arc<[RunResult]> = runs.into();
        open.last = Some((point, Arc::clone(&runs)));
        Ok(runs)
    }
}

impl From<Vec<Vec<RunResult>>> for Results {
    /// Results in memory, indexed by point, then by seed.
    fn from(results: Vec<Vec<RunResult>>) -> Results {
        let (points, seeds) = (results.len(), results.first().map_or(0, Vec::len));
        let mut present = Present::default();
        results.iter().flatten().for_each(|run| present.note(run));
        let here = results.into_iter().map(Arc::from).enumerate().collect();
        Results { points, seeds, present, here, there: None }
    }
}

impl fmt::Debug for Results {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Results")
            .field("points", &self.points)
            .field("seeds", &self.seeds)
            .field("in_memory", &self.in_memory())
            .finish_non_exhaustive()
    }
}
