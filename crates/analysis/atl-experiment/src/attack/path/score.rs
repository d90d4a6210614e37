//! The harm that a run has done.

use atl_engine::result::{RunResult, Sample};

use super::case::PathCase;
use super::objective::Objective::{Drops, LowRate, Queue, Share, Stall, Stuck, Utilisation};

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
            missing(least_drop(&samples(run)) / (case.bdp() + f64::from(case.queue_packets())))
        }
        LowRate => {
            let all: f64 = (0..run.flows.len()).map(bits).sum();
            missing(all / case.capacity())
        }
        Stall => stall(&samples(run), objective.duration()),
        Share => missing(bits(OTHERS) / (bits(SENDER) + bits(OTHERS)).max(1.0)),
        Queue => standing(&samples(run), objective.duration(), case),
        Stuck => missing(late(&samples(run), objective.duration()) / (case.kbps as f64 * 1e3)),
    }
}

fn missing(share: f64) -> f64 {
    (1.0 - share).clamp(0.0, 1.0)
}

fn samples(run: &RunResult) -> Vec<&Sample> {
    run.samples.iter().filter(|sample| sample.flow as usize == SENDER).collect()
}

/// The smallest window at a drop in packets, or what is in flight where that is more, as after a
/// reduction; infinite without a drop. Packets are not lost otherwise.
///
/// Packets in the queue are in flight, so that at a drop at least as many are as it holds.
fn least_drop(samples: &[&Sample]) -> f64 {
    let sent = |sample: &Sample| {
        sample.cwnd.map_or(f64::INFINITY, |cwnd| cwnd.max(f64::from(sample.in_flight)))
    };
    let mut least = f64::INFINITY;
    let mut before = 0.0_f64;
    for sample in samples {
        let now = sent(sample);
        if sample.losses_per_s.is_some_and(|losses| losses > 0.0) {
            least = least.min(before.max(now));
        }
        before = now;
    }
    least
}

/// Goodput of the last ten seconds, in bits per second.
fn late(samples: &[&Sample], duration: u64) -> f64 {
    const LAST_S: f64 = 10.0;
    let from = duration as f64 / 1e3 - LAST_S;
    let at = |sample: Option<&&Sample>| sample.map_or(0, |sample| sample.delivered_bytes);
    let before = at(samples.iter().rfind(|sample| sample.time_s <= from));
    (at(samples.last()) - before) as f64 * 8.0 / LAST_S
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

#[cfg(test)]
mod tests {
    use super::*;

    fn sample(time_s: f64, cwnd: f64, in_flight: u32, losses: f64, delivered_bytes: u64) -> Sample {
        let (cwnd, losses_per_s) = (Some(cwnd), Some(losses));
        Sample { time_s, cwnd, in_flight, losses_per_s, delivered_bytes, ..Sample::default() }
    }

    #[test]
    fn a_drop_counts_with_the_most_that_was_on_the_way() {
        let no_drop = [sample(0.1, 10.0, 10, 0.0, 0), sample(0.2, 5.0, 5, 0.0, 0)];
        assert!(least_drop(&no_drop.iter().collect::<Vec<_>>()).is_infinite());
        let drops = [
            sample(0.1, 30.0, 30, 0.0, 0),
            // A packet sent again into the same full queue, after the reduction.
            sample(0.2, 15.0, 28, 100.0, 0),
            sample(0.3, 20.0, 20, 0.0, 0),
            // The window fell within the sample's time: it was 20 before.
            sample(0.4, 10.0, 12, 100.0, 0),
        ];
        let least = least_drop(&drops.iter().collect::<Vec<_>>());
        assert!((least - 20.0).abs() < 1e-12, "{least}");
    }

    #[test]
    fn the_late_goodput_is_that_of_the_last_ten_seconds() {
        let samples: Vec<Sample> = (1..=30)
            .map(|s| sample(f64::from(s), 1.0, 1, 0.0, if s > 20 { s as u64 * 1000 } else { 7000 }))
            .collect();
        let all: Vec<&Sample> = samples.iter().collect();
        let bps = late(&all, 30_000);
        assert!((bps - 23_000.0 * 8.0 / 10.0).abs() < 1e-9, "{bps}");
        assert!(late(&all[..20], 30_000).abs() < 1e-12);
    }
}
