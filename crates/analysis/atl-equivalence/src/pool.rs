//! The yardstick: the same case in the simulator with many seeds.

use atl_core::time::Span;
use atl_engine::setup::LinkSetup;

use crate::battery::Case;
use crate::simulated;
use crate::stats::{KOLMOGOROV_MEAN, Spread, distance, homogeneity};
use crate::summary::Summary;

/// Runs of the simulator with other seeds than the run that is judged.
#[derive(Clone, Debug)]
pub struct Pool {
    pub(crate) runs: Vec<Summary>,
    /// The delays of all runs, sorted.
    pub(crate) delays: Vec<f64>,
    /// Mean distance of the delays of one run from those of all.
    apart: f64,
}

impl Pool {
    /// Runs a case with these seeds. `go_on` is asked after each run; `None` once it returns false.
    pub fn new(
        case: &Case,
        link: &LinkSetup,
        seeds: impl Iterator<Item = u64>,
        lasts: Span,
        go_on: &dyn Fn() -> bool,
    ) -> Option<Pool> {
        let mut runs = Vec::new();
        for seed in seeds {
            runs.push(Summary::of(&simulated::run(case, link, seed, lasts)));
            if !go_on() {
                return None;
            }
        }
        let mut delays: Vec<f64> = runs.iter().flat_map(|run| run.delays.iter().copied()).collect();
        delays.sort_by(f64::total_cmp);
        let n = runs.len() as f64;
        // A run is itself part of the pool, which makes its distance smaller by this factor.
        let own = n / (n - 1.0).max(1.0);
        let apart = runs.iter().map(|run| distance(&run.delays, &delays, 0.0)).sum::<f64>();
        Some(Pool { apart: own * apart / n.max(1.0), runs, delays })
    }

    /// Mean and deviation over the runs.
    pub(crate) fn spread(&self, of: impl Fn(&Summary) -> f64) -> Spread {
        Spread::of(&self.runs.iter().map(of).collect::<Vec<_>>())
    }

    /// The number of independent delays that say as much as the `n` of one run, at most `n`. Delays
    /// of successive packets in a queue depend on each other, so that runs differ by more than the
    /// chance of `n` draws.
    pub(crate) fn effective(&self, n: usize) -> f64 {
        let effective = (KOLMOGOROV_MEAN / self.apart.max(1e-9)).powi(2);
        // The pool is a sample too, and has an error of its own.
        let runs = self.runs.len() as f64;
        effective.min(n as f64) * runs / (runs + 1.0)
    }

    /// The counts of all runs together.
    pub(crate) fn counts<const N: usize>(&self, of: impl Fn(&Summary) -> [u64; N]) -> [u64; N] {
        let mut sums = [0; N];
        for run in &self.runs {
            for (sum, count) in sums.iter_mut().zip(of(run)) {
                *sum += count;
            }
        }
        sums
    }

    /// The factor by which counts of one run vary more than independent ones: the mean of statistic
    /// over degrees of freedom.
    pub(crate) fn inflation<const N: usize>(&self, of: impl Fn(&Summary) -> [u64; N]) -> f64 {
        let all = self.counts(&of);
        let found = self.runs.iter().filter_map(|run| homogeneity(&of(run), &all));
        let ratios: Vec<f64> = found.map(|found| found.statistic / found.degrees).collect();
        Spread::of(&ratios).mean
    }

    /// The mean time course, and the spread over the runs of a run's largest difference from it.
    pub(crate) fn course(&self, of: impl Fn(&Summary) -> &[f64]) -> (Vec<f64>, Spread) {
        let mut mean = Vec::new();
        for run in &self.runs {
            mean.resize(of(run).len().max(mean.len()), 0.0);
            for (sum, value) in mean.iter_mut().zip(of(run)) {
                *sum += value / self.runs.len() as f64;
            }
        }
        let farthest: Vec<f64> = self.runs.iter().map(|run| farthest(of(run), &mean)).collect();
        let spread = Spread::of(&farthest);
        (mean, spread)
    }
}

/// The largest difference in any window between two time courses.
pub(crate) fn farthest(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| (x - y).abs()).fold(0.0, f64::max)
}
