//! Defects planted in a link: each must be found, in the battery as it stands.

use atl_equivalence::battery::Case;
use atl_equivalence::measure::What;

use crate::{compare, different, pool};

/// Seeds with each of which a defect must be found.
const SEEDS: u64 = 3;

/// Plants a defect in a case by replacing part of its link, and expects that one of these measures
/// finds it, with every seed.
#[track_caller]
fn found(name: &str, (good, bad): (&'static str, &'static str), by: &[What]) {
    let case = Case::named(name).expect("a case");
    assert!(case.link.contains(good), "{name} has no {good}");
    let link: &'static str = Box::leak(case.link.replace(good, bad).into_boxed_str());
    let defective = Case { link, ..*case };
    let lasts = case.lasts(false);
    let pool = pool(case, lasts);
    for seed in 1..=SEEDS {
        let measures = compare(case, &pool, &defective, seed, lasts);
        let different: Vec<What> =
            different(&measures).iter().map(|measure| measure.what).collect();
        for what in by {
            assert!(
                different.contains(what),
                "{name} with {bad}, seed {seed}: {what:?} not in {different:?}"
            );
        }
    }
}

#[test]
fn a_rate_that_is_wrong_by_3_percent() {
    found("rate-20", ("20Mb/s", "20.6Mb/s"), &[What::Rate]);
    found("rate-2", ("2Mb/s", "1.94Mb/s"), &[What::Rate]);
    found("change-rate", ("12Mb/s", "12.36Mb/s"), &[What::Course]);
}

#[test]
fn two_milliseconds_more_delay() {
    let delays = [What::DelayLow, What::DelayMedian, What::DelayHigh, What::DelayDistance];
    found("delay-150", ("150ms", "152ms"), &delays);
    found("delay-queueing", ("20ms", "22ms"), &delays);
    found("change-delay", ("80ms", "82ms"), &[What::DelayCourse]);
}

#[test]
fn one_point_three_times_the_loss() {
    found("loss-random", ("loss = 0.03", "loss = 0.039"), &[What::Lost, What::LossCounts]);
    found("loss-heavy", ("loss = 0.25", "loss = 0.325"), &[What::Lost]);
    found("loss-bits", ("1e-5", "1.32e-5"), &[What::Lost]);
    // 1.3 times the share lost, with bursts as long as before.
    found(
        "loss-bursts",
        ("good-to-bad = 0.05", "good-to-bad = 0.0677"),
        &[What::Lost, What::LossCounts],
    );
}

#[test]
fn losses_without_their_bursts() {
    // The same number of losses, independent of each other.
    let bursts = "{ good-to-bad = 0.05, bad-to-good = 0.4 }";
    found("loss-bursts", (bursts, "0.1111"), &[What::RunLength, What::Runs]);
    let states = "{ good-to-bad = 0.05, bad-to-good = 0.2, loss-good = 0.01, loss-bad = 0.5 }";
    found("loss-states", (states, "0.108"), &[What::RunLength, What::Runs]);
    // Bursts as long on average, but all of them short or all of them long.
    found(
        "loss-bursts",
        ("bad-to-good = 0.4", "bad-to-good = 0.8"),
        &[What::RunLength, What::Lost],
    );
}

#[test]
fn a_queue_that_is_wrong_by_some_packets() {
    found("queue-5", ("queue = 5", "queue = 7"), &[What::DelayHigh, What::Dropped]);
    found("queue-50", ("queue = 50", "queue = 47"), &[What::DelayHigh]);
    found("queue-bytes", ("30kB", "27kB"), &[What::DelayHigh]);
    found("queue-bands", ("packets = 20", "packets = 17"), &[What::DelayHigh]);
    found("queue-bands", ("priority = true", "priority = false"), &[What::LowDropped]);
    found("queue-red", ("max = 25", "max = 35"), &[What::DelayMedian]);
    found(
        "queue-red",
        ("discipline = \"red\", packets = 60, min = 5, max = 25, weight = 0.05", "packets = 25"),
        &[What::DelayMedian],
    );
}

#[test]
fn a_schedule_that_is_not_kept() {
    found("blackout", ("700ms", "740ms"), &[What::Course]);
    found("blackout-hold", ("hold = true", "hold = false"), &[What::Lost, What::DelayDistance]);
    found("trace-commute", ("\"0s\"", "\"1s\""), &[What::Course]);
    found(
        "trace-delay",
        ("trace-offset = \"0s\"", "trace-offset = \"50ms\""),
        &[What::DelayCourse],
    );
}
