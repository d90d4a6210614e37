//! Rows as iterators. A row is made when asked for and releases its results when dropped, so that a
//! sweep larger than memory can be written.

use std::ops::Deref;
use std::sync::Arc;

use atl_engine::result::{FlowResult, LinkResult, RunResult, Sample};
use atl_engine::setup::{FlowSetup, LinkSetup};
use atl_scenario::scenario::Point;

use crate::outcome::Outcome;

#[derive(Clone)]
pub(super) struct RunRow<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) point_index: usize,
    pub(super) point: &'a Point,
    pub(super) seed: u64,
    pub(super) run: Run,
}

/// A run's result. Keeps the results of its point in memory.
#[derive(Clone)]
pub(super) struct Run {
    runs: Arc<[RunResult]>,
    index: usize,
}

impl Deref for Run {
    type Target = RunResult;

    fn deref(&self) -> &RunResult {
        &self.runs[self.index]
    }
}

/// An element of a list in a run's result.
pub(super) struct Part<T: 'static> {
    run: Run,
    list: fn(&RunResult) -> &[T],
    index: usize,
}

impl<T> Deref for Part<T> {
    type Target = T;

    fn deref(&self) -> &T {
        &(self.list)(&self.run)[self.index]
    }
}

pub(super) struct FlowRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) index: usize,
    pub(super) setup: &'a FlowSetup,
    pub(super) flow: Part<FlowResult>,
}

pub(super) struct LinkRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) index: usize,
    pub(super) setup: &'a LinkSetup,
    pub(super) link: Part<LinkResult>,
}

pub(super) struct SampleRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) sample: Part<Sample>,
}

/// A row of any file.
pub(super) trait Row {
    /// The run that it belongs to.
    fn run(&self) -> &RunRow<'_>;
}

impl Row for RunRow<'_> {
    fn run(&self) -> &RunRow<'_> {
        self
    }
}

impl Row for FlowRow<'_> {
    fn run(&self) -> &RunRow<'_> {
        &self.run
    }
}

impl Row for LinkRow<'_> {
    fn run(&self) -> &RunRow<'_> {
        &self.run
    }
}

impl Row for SampleRow<'_> {
    fn run(&self) -> &RunRow<'_> {
        &self.run
    }
}

pub(super) fn run_rows(outcomes: &[Outcome]) -> impl Iterator<Item = RunRow<'_>> {
    outcomes.iter().flat_map(|outcome| {
        outcome.points().enumerate().flat_map(move |(point_index, (point, runs))| {
            let runs = runs.get();
            let seeds = outcome.scenario.seeds.iter().take(runs.len()).enumerate();
            seeds.map(move |(index, &seed)| {
                let run = Run { runs: Arc::clone(&runs), index };
                RunRow { outcome, point_index, point, seed, run }
            })
        })
    })
}

pub(super) fn flow_rows(outcomes: &[Outcome]) -> impl Iterator<Item = FlowRow<'_>> {
    run_rows(outcomes).flat_map(|run| {
        let flows = run.point.setup.flows.iter().take(run.run.flows.len()).enumerate();
        flows.map(move |(index, setup)| {
            let flow = Part { run: run.run.clone(), list: |run| &run.flows, index };
            FlowRow { run: run.clone(), index, setup, flow }
        })
    })
}

pub(super) fn link_rows(outcomes: &[Outcome]) -> impl Iterator<Item = LinkRow<'_>> {
    run_rows(outcomes).flat_map(|run| {
        let links = run.point.setup.links.iter().take(run.run.links.len()).enumerate();
        links.map(move |(index, setup)| {
            let link = Part { run: run.run.clone(), list: |run| &run.links, index };
            LinkRow { run: run.clone(), index, setup, link }
        })
    })
}

pub(super) fn sample_rows(outcomes: &[Outcome]) -> impl Iterator<Item = SampleRow<'_>> {
    run_rows(outcomes).flat_map(|run| {
        (0..run.run.samples.len()).map(move |index| {
            let sample = Part { run: run.run.clone(), list: |run| &run.samples, index };
            SampleRow { run: run.clone(), sample }
        })
    })
}
