//! The harm that a run has done.

use atl_engine::result::{RunResult, Sample};

use super::case::PathCase;
use super::objective::Objective::{Drops, LowRate, Queue, Share, Stall, Utilisation};

/// Index of the sender's flow in the file, and of its neighbour's or the first burst's.
const SENDER: usize = 0;
const OTHERS: usize = 1;

/// The harm that a run has done to the sender: 0 is none. Uses and shares are those that are
/// missing, at most 1; a stall is in seconds, a queue in round trips.
pub(super) fn score(case: &PathCase, run: &RunResult) -> f64 {
    let objective = case.objective;
    let bits = |at: usize| run.flows.get(at).map_or(0.0, |flow| flow.goodput_bps * flow.active_s);
    match objective {
        Utilisation => {
            let gone = run.flows[SENDER].dropped.unwrap_or(0) + run.flows[SENDER].lost.unwrap_or(0);
            if gone > 0 { 0.0 } else { missing(bits(SENDER) / case.capacity()) }
        }
        Drops => {
            missing(first_drop(&samples(run)) / (case.bdp() + f64::from(case.queue_packets())))
        }
        LowRate => {
            let all: f64 = (0..run.flows.len()).map(bits).sum();
            missing(all / case.capacity())
        }
        Stall => stall(&samples(run), objective.duration()),
        Share => missing(bits(OTHERS) / (bits(SENDER) + bits(OTHERS)).max(1.0)),
        Queue => standing(&samples(run), objective.duration(), case),
    }
}

fn missing(share: f64) -> f64 {
    (1.0 - share).clamp(0.0, 1.0)
}

fn samples(run: &RunResult) -> Vec<&Sample> {
    run.samples.iter().filter(|sample| sample.flow as usize == SENDER).collect()
}

/// The largest window up to the first drop in packets; infinite without a drop. Packets are not
/// lost otherwise.
fn first_drop(samples: &[&Sample]) -> f64 {
    let mut largest = 0.0_f64;
    for sample in samples {
        largest = largest.max(sample.cwnd.unwrap_or(f64::INFINITY));
        if sample.losses_per_s.is_some_and(|losses| losses > 0.0) {
            return largest;
        }
    }
    f64::INFINITY
}

/// The longest time without a delivery, in seconds.
fn stall(samples: &[&Sample], duration: u64) -> f64 {
    let (mut longest, mut since, mut delivered) = (0.0_f64, 0.0, 0);
    for sample in samples {
        if sample.delivered_bytes > delivered {
            (since, delivered) = (sample.time_s, sample.delivered_bytes);
        }
        longest = longest.max(sample.time_s - since);
    }
    longest.max(duration as f64 / 1e3 - samples.last().map_or(0.0, |last| last.time_s))
}

/// The least queue of the second half, in round trips.
fn standing(samples: &[&Sample], duration: u64, case: &PathCase) -> f64 {
    let half = duration as f64 / 2e3;
    let later = samples.iter().filter(|sample| sample.time_s >= half);
    let least = later.filter_map(|sample| sample.srtt_s).fold(f64::INFINITY, f64::min);
    let (rtt, way) = (case.rtt.secs(), case.transmission());
    if least.is_finite() { ((least - way) / rtt - 1.0).max(0.0) } else { 0.0 }
}
