//! Coverage: the share of intervals that hold the true value.

use atl_core::units::Probability;
use atl_device::{Batch, loss_estimate};
use atl_link::random::Stream;

/// Runs of ten batches each, in which packets are lost by `lose`, and the share of runs whose
/// interval holds `p`.
fn coverage(p: f64, batches: bool, mut lose: impl FnMut(&mut Stream) -> bool) -> f64 {
    const RUNS: u32 = 2000;
    let mut stream = Stream::new(11, "coverage");
    let held = (0..RUNS).filter(|_| {
        let mut counted: Vec<Batch> = (0..20)
            .map(|_| {
                let lost = (0..500).filter(|_| lose(&mut stream)).count() as u64;
                Batch { packets: 500, lost }
            })
            .collect();
        if !batches {
            // All in one batch, which hides how losses vary.
            let lost = counted.iter().map(|batch| batch.lost).sum();
            counted = vec![Batch { packets: 10_000, lost }];
        }
        let estimate = loss_estimate(&counted).expect("packets");
        let p = Probability::new(p).expect("a probability");
        estimate.low <= p && p <= estimate.high
    });
    held.count() as f64 / f64::from(RUNS)
}

#[test]
fn independent_losses_are_covered_as_often_as_stated() {
    for p in [0.001, 0.01, 0.2] {
        let covered = coverage(p, true, |stream| stream.uniform() < p);
        // 0.95 with a standard deviation of 0.005; Wilson's own deviation at 10 packets is below
        // 0.02. The dispersion, which is at least 1, makes intervals a little too wide.
        assert!((0.925..=0.985).contains(&covered), "{covered} at {p}");
    }
}

#[test]
fn losses_in_bursts_need_the_batches() {
    // Gilbert: bursts of 10 packets on average, one packet in 100 lost.
    let run = |batches| {
        let mut bad = false;
        coverage(0.01, batches, move |stream| {
            let leave = if bad { 0.1 } else { 0.1 / 99.0 };
            bad ^= stream.uniform() < leave;
            bad
        })
    };
    let (with, without) = (run(true), run(false));
    assert!(without < 0.75, "plain: {without}");
    assert!(with > 0.87, "with the dispersion: {with}");
}
