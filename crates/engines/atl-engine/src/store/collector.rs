//! Collecting the results of a sweep while its runs end.

use std::collections::BTreeMap;
use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::result::RunResult;

use crate::store::places::Places;
use crate::store::present::Present;
use crate::store::record::encode;
use crate::store::results::Results;
use crate::store::room::Room;
use crate::store::spill::Writer;

/// Takes the results of a sweep's runs, from any thread and in any order.
#[derive(Debug)]
pub struct Collector {
    seeds: usize,
    room: Arc<Room>,
    /// Directory for the temporary file, which is created when it is first needed.
    dir: PathBuf,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Results in memory, by index of the run.
    here: BTreeMap<usize, RunResult>,
    /// Offsets of the results in the file.
    there: Places,
    writer: Option<Writer>,
    present: Present,
    done: usize,
}

/// The error of a sweep that ended with runs that have no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Incomplete {
    /// Number of runs without a result.
    pub missing: usize,
}

impl fmt::Display for Incomplete {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the results of {} runs are missing", self.missing)
    }
}

impl std::error::Error for Incomplete {}

impl Collector {
    /// A collector for `points` points with `seeds` seeds each. Results for which `room` has no
    /// space go to a file without a name on the file system of `dir`; the directory must exist when
    /// the first such result comes.
    pub fn new(points: usize, seeds: usize, room: Arc<Room>, dir: impl Into<PathBuf>) -> Collector {
        let there = Places::new(points, seeds);
        let present = Present::default();
        let state = State { here: BTreeMap::new(), there, writer: None, present, done: 0 };
        Collector { seeds, room, dir: dir.into(), state: Mutex::new(state) }
    }

    /// Takes the result of a run. Runs are numbered by point, then by seed.
    ///
    /// # Errors
    /// If it has to go to the file and cannot be written.
    ///
    /// # Panics
    /// Panics if the sweep has no such run, or if it already has its result.
    pub fn put(&self, run: usize, result: RunResult) -> io::Result<()> {
        if self.room.take(&result) {
            let mut state = self.state();
            state.claim(run, &result);
            state.here.insert(run, result);
            return Ok(());
        }
        // Encodes before it takes the lock, so that other threads do not wait for it.
        let record = encode(&result).map_err(io::Error::other)?;
        let mut state = self.state();
        state.claim(run, &result);
        state.append(run, &record, &self.dir)
    }

    /// Ends the collection and hands out all results.
    ///
    /// # Errors
    /// If some are missing (the error holds an [`Incomplete`]), or if the file cannot be written.
    pub fn finish(self) -> io::Result<Results> {
        let mut state = self.state.into_inner().unwrap_or_else(PoisonError::into_inner);
        let missing = state.there.runs() - state.done;
        if missing > 0 {
            return Err(io::Error::other(Incomplete { missing }));
        }
        let mut points = BTreeMap::new();
        while let Some((&run, _)) = state.here.first_key_value() {
            let point = run / self.seeds;
            let runs = point * self.seeds..(point + 1) * self.seeds;
            let kept: Vec<(usize, RunResult)> =
                runs.clone().filter_map(|run| Some((run, state.here.remove(&run)?))).collect();
            if kept.len() == runs.len() {
                points.insert(point, kept.into_iter().map(|(_, result)| result).collect());
                continue;
            }
            // A point is wholly in memory or wholly in the file, so its other runs follow.
            for (run, result) in kept {
                let record = encode(&result).map_err(io::Error::other)?;
                state.append(run, &record, &self.dir)?;
            }
        }
        let reader = state.writer.take().map(Writer::finish).transpose()?;
        let lists = state.there.into_lists();
        Ok(Results::new((self.seeds, state.present), points, lists, reader))
    }

    fn state(&self) -> MutexGuard<'_, State> {
        // A thread that panicked with the lock has inserted no result, so the state is still
        // consistent.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl State {
    fn claim(&mut self, run: usize, result: &RunResult) {
        assert!(run < self.there.runs(), "the sweep has no run {run}");
        let known = self.there.holds(run) || self.here.contains_key(&run);
        assert!(!known, "the result of run {run} is there already");
        self.done += 1;
        self.present.note(result);
    }

    /// Writes the record of a run and, if its point is complete now, the point's list.
    fn append(&mut self, run: usize, record: &[u8], dir: &Path) -> io::Result<()> {
        let begin = self.writer(dir)?.append(record)?;
        if let Some(whole) = self.there.insert(run, begin) {
            let list: Vec<u8> = whole.begins.iter().flat_map(|begin| begin.to_le_bytes()).collect();
            let begin = self.writer(dir)?.append(&list)?;
            self.there.listed(whole.point, begin);
        }
        Ok(())
    }

    fn writer(&mut self, dir: &Path) -> io::Result<&mut Writer> {
        if self.writer.is_none() {
            self.writer = Some(Writer::new(dir)?);
        }
        self.writer.as_mut().ok_or_else(|| io::Error::other("there is no file"))
    }
}
