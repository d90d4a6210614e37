//! Rows, in chunks that bound the memory in use.

use atl_scenario::result::{FlowResult, LinkResult, RunResult, Sample};
use atl_scenario::scenario::Point;
use atl_scenario::setup::{FlowSetup, LinkSetup};

use crate::outcome::Outcome;

/// Rows of a chunk: large enough to compress well.
const CHUNK: usize = 128 * 1024;

/// One run.
#[derive(Clone, Copy)]
pub(super) struct RunRow<'a> {
    pub(super) outcome: &'a Outcome,
    pub(super) point_index: usize,
    pub(super) point: &'a Point,
    pub(super) seed: u64,
    pub(super) run: &'a RunResult,
}

/// One flow of a run.
#[derive(Clone, Copy)]
pub(super) struct FlowRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) index: usize,
    pub(super) setup: &'a FlowSetup,
    pub(super) flow: &'a FlowResult,
}

/// One link of a run.
#[derive(Clone, Copy)]
pub(super) struct LinkRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) index: usize,
    pub(super) setup: &'a LinkSetup,
    pub(super) link: &'a LinkResult,
}

/// One sample of a run.
#[derive(Clone, Copy)]
pub(super) struct SampleRow<'a> {
    pub(super) run: RunRow<'a>,
    pub(super) sample: &'a Sample,
}

/// A row of any file; it belongs to a run.
pub(super) trait Row {
    /// The run.
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

fn runs(outcomes: &[Outcome]) -> impl Iterator<Item = RunRow<'_>> {
    outcomes.iter().flat_map(|outcome| {
        outcome.points().enumerate().flat_map(move |(point_index, (point, runs))| {
            let row = move |(&seed, run)| RunRow { outcome, point_index, point, seed, run };
            outcome.scenario.seeds.iter().zip(runs).map(row)
        })
    })
}

/// Groups an iterator into chunks.
fn chunked<R>(mut rows: impl Iterator<Item = R>) -> impl Iterator<Item = Vec<R>> {
    std::iter::from_fn(move || {
        let chunk: Vec<R> = rows.by_ref().take(CHUNK).collect();
        (!chunk.is_empty()).then_some(chunk)
    })
}

pub(super) fn run_rows(outcomes: &[Outcome]) -> impl Iterator<Item = Vec<RunRow<'_>>> {
    chunked(runs(outcomes))
}

pub(super) fn flow_rows(outcomes: &[Outcome]) -> impl Iterator<Item = Vec<FlowRow<'_>>> {
    chunked(runs(outcomes).flat_map(|run| {
        let flows = run.point.setup.flows.iter().zip(&run.run.flows).enumerate();
        flows.map(move |(index, (setup, flow))| FlowRow { run, index, setup, flow })
    }))
}

pub(super) fn link_rows(outcomes: &[Outcome]) -> impl Iterator<Item = Vec<LinkRow<'_>>> {
    chunked(runs(outcomes).flat_map(|run| {
        let links = run.point.setup.links.iter().zip(&run.run.links).enumerate();
        links.map(move |(index, (setup, link))| LinkRow { run, index, setup, link })
    }))
}

pub(super) fn sample_rows(outcomes: &[Outcome]) -> impl Iterator<Item = Vec<SampleRow<'_>>> {
    chunked(
        runs(outcomes)
            .flat_map(|run| run.run.samples.iter().map(move |sample| SampleRow { run, sample })),
    )
}
