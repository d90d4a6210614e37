//! TCP: the kernel's over TUN devices in real time, the simulator's over the same links in virtual
//! time.
//!
//! This is a comparison, without a verdict: kernels differ in more than their congestion control.

mod kernel;
mod run;
mod simulated;

use atl_engine::Watch;
use serde::Serialize;

use crate::battery::{Kernel, TcpCase};
use crate::emulated::Options;
use crate::stats::{Interval, Spread, welch};

pub use run::{KernelRun, NoKernel};

/// The level of the intervals of ratios.
const ALPHA: f64 = 0.05;

/// The kernel's congestion control beside a protocol of the simulator.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TcpRow {
    /// Name of the path.
    pub case: &'static str,
    /// The path in a few words.
    pub title: &'static str,
    /// The kernel's congestion control.
    pub kernel: Kernel,
    /// The simulator's protocol, as a scenario file names it.
    pub protocol: &'static str,
    /// The kernel's goodput in runs that kept time, mean in bits per second; null without any.
    pub kernel_bps: Option<f64>,
    /// The simulator's mean goodput, in bits per second.
    pub simulated_bps: f64,
    /// Kernel over simulator (geometric means), with its 95 % interval; null with fewer than two
    /// runs.
    pub ratio: Option<Ratio>,
    /// All runs of the kernel, late ones included.
    pub runs: Vec<KernelRun>,
    /// Runs of the simulator.
    pub seeds: usize,
}

/// A ratio and its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Ratio {
    /// Kernel over simulator, geometric means.
    pub value: f64,
    /// Its 95 % interval (Welch, on logarithms).
    #[serde(flatten)]
    pub interval: Interval,
}

/// Compares the kernel's congestion controls with their counterparts over one path.
///
/// # Errors
/// If this machine does not allow it, or a run fails.
pub fn compare(
    case: &'static TcpCase,
    seeds: &[u64],
    pool: &[u64],
    options: Options,
    watch: &Watch<'_>,
    mut one_done: impl FnMut(),
) -> Result<Vec<TcpRow>, NoKernel> {
    let mut rows = Vec::new();
    for kernel in Kernel::ALL {
        let mut runs = Vec::new();
        for seed in seeds {
            runs.push(kernel::run(case, kernel, *seed, options, watch)?);
            one_done();
        }
        for protocol in kernel.counterparts() {
            let simulated = simulated::goodputs(case, protocol, pool, watch)?;
            rows.push(row(case, kernel, protocol, &runs, &simulated));
        }
    }
    Ok(rows)
}

fn row(
    case: &'static TcpCase,
    kernel: Kernel,
    protocol: &'static str,
    runs: &[KernelRun],
    simulated: &[f64],
) -> TcpRow {
    let real: Vec<f64> = runs.iter().filter(|run| run.trusted).map(|run| run.goodput_bps).collect();
    let logs =
        |values: &[f64]| -> Vec<f64> { values.iter().map(|value| value.max(1.0).ln()).collect() };
    let interval = welch(&logs(&real), &logs(simulated), ALPHA);
    TcpRow {
        case: case.name,
        title: case.title,
        kernel,
        protocol,
        kernel_bps: (!real.is_empty()).then(|| Spread::of(&real).mean),
        simulated_bps: Spread::of(simulated).mean,
        ratio: interval.map(|Interval { low, high }| Ratio {
            value: ((low + high) / 2.0).exp(),
            interval: Interval { low: low.exp(), high: high.exp() },
        }),
        runs: runs.to_vec(),
        seeds: simulated.len(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::battery::TCP_CASES;

    #[test]
    fn a_ratio_is_that_of_the_runs_that_kept_time() {
        let run = |goodput_bps, trusted| KernelRun {
            seed: 1,
            goodput_bps,
            late_p90_s: 0.0,
            late_share: 0.0,
            trusted,
        };
        let runs = [run(10e6, true), run(10e6, true), run(1e6, false)];
        let row = row(&TCP_CASES[0], Kernel::Cubic, "cubic", &runs, &[20e6, 20e6, 20e6]);
        let ratio = row.ratio.expect("two runs");
        assert!((ratio.value - 0.5).abs() < 1e-9 && (ratio.interval.high - 0.5).abs() < 1e-9);
        assert_eq!(row.kernel_bps, Some(10e6));
        let none = super::row(&TCP_CASES[0], Kernel::Cubic, "cubic", &runs[2..], &[20e6]);
        assert_eq!((none.kernel_bps, none.ratio), (None, None));
    }
}
