//! The samples of a run as a table: a row for each time, a column for each flow.

use atl_core::time::Time;
use atl_engine::result::{RunResult, Sample};
use atl_engine::setup::Setup;

/// Samples of a run by row (time) and column (flow).
#[derive(Clone, Copy, Debug)]
pub(crate) struct History<'a> {
    samples: &'a [Sample],
    flows: usize,
}

impl<'a> History<'a> {
    /// `None` if the run has no samples, or if a flow lacks a sample at some time.
    pub(crate) fn of(setup: &Setup, run: &'a RunResult) -> Option<History<'a>> {
        let flows = setup.flows.len();
        let samples = run.samples.as_slice();
        let whole = flows > 0 && !samples.is_empty() && samples.len().is_multiple_of(flows);
        whole.then_some(History { samples, flows })
    }

    pub(crate) fn rows(&self) -> usize {
        self.samples.len() / self.flows
    }

    /// Time of a row in seconds.
    pub(crate) fn time_s(&self, row: usize) -> f64 {
        self.samples[row * self.flows].time_s
    }

    pub(crate) fn sample(&self, row: usize, flow: usize) -> Option<&'a Sample> {
        if flow >= self.flows {
            return None;
        }
        self.samples.get(row * self.flows + flow).filter(|s| s.flow as usize == flow)
    }

    /// Number of rows up to and including `time_s`.
    pub(crate) fn rows_until(&self, time_s: f64) -> usize {
        let (mut low, mut high) = (0, self.rows());
        while low < high {
            let middle = low + (high - low) / 2;
            if self.time_s(middle) <= time_s {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// Value of a flow's counter in a row counted from 1; 0 at the start of the run.
    pub(crate) fn count_at(
        &self,
        flow: usize,
        time: Time,
        count: fn(&Sample) -> Option<u64>,
    ) -> Option<u64> {
        if time == Time::ZERO {
            return Some(0);
        }
        let row = self.rows_until(time.secs()).checked_sub(1)?;
        let here = self.time_s(row).total_cmp(&time.secs()).is_eq();
        self.sample(row, flow).filter(|_| here).and_then(count)
    }
}
