//! A run as the numbers that are compared.

use atl_core::time::Time;

use crate::observation::{Fate, Observation, Probe};

/// Lengths of runs of lost packets that have a cell of their own: each cell ends at this length,
/// the last holds all longer ones.
const RUN_CELLS: [u64; 7] = [1, 2, 3, 4, 6, 9, u64::MAX];
/// Windows into which a run's time is divided.
pub(crate) const WINDOWS: usize = 20;

/// A run in numbers, as the measures take them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Summary {
    /// Bits per second transmitted, from the first arrival to the last.
    pub rate: f64,
    /// Delays of probes that arrived, in seconds, sorted.
    pub delays: Vec<f64>,
    /// Share of the transmitted probes that the link lost.
    pub lost: f64,
    /// Lost probes, and transmitted probes that were not lost.
    pub loss_counts: [u64; 2],
    /// Share of the probes that the queue dropped.
    pub dropped: f64,
    /// The same share of the low-priority probes alone.
    pub low_dropped: f64,
    /// Mean length of runs of lost probes; 0 without any.
    pub run_length: f64,
    /// Runs of lost probes by their length.
    pub runs: [u64; RUN_CELLS.len()],
    /// Probes delivered of those sent in each window of time, over their mean number.
    pub course: Vec<f64>,
    /// Mean delay of those sent in each window that arrived, in seconds; 0 where none did.
    pub delay_course: Vec<f64>,
}

fn share(part: u64, whole: u64) -> f64 {
    part as f64 / whole.max(1) as f64
}

impl Summary {
    pub(crate) fn of(observation: &Observation) -> Summary {
        let probes = &observation.probes;
        let mut delays: Vec<f64> = probes.iter().filter_map(|probe| probe.delay()).collect();
        delays.sort_by(f64::total_cmp);
        let lost = observation.count(|fate| *fate == Fate::Lost);
        let arrived = delays.len() as u64;
        let dropped = observation.count(|fate| *fate == Fate::Dropped);
        let low = || probes.iter().filter(|probe| probe.low);
        let low_dropped = low().filter(|probe| probe.fate == Fate::Dropped).count() as u64;
        let (runs, run_length) = runs(observation);
        let (course, delay_course) = course(observation);
        Summary {
            rate: rate(observation),
            lost: share(lost, lost + arrived),
            loss_counts: [lost, arrived],
            dropped: share(dropped, probes.len() as u64),
            low_dropped: share(low_dropped, low().count() as u64),
            run_length,
            runs,
            course,
            delay_course,
            delays,
        }
    }
}

/// Rate of the probes transmitted between the first arrival and the last, in bits per second.
/// Probes lost after their transmission count too.
fn rate(observation: &Observation) -> f64 {
    let probes = &observation.probes;
    let arrival = |probe: &Probe| match probe.fate {
        Fate::Arrived(at) => Some(at),
        _ => None,
    };
    // With two bands the first to arrive need not be the first sent.
    let ends = |at: Option<(usize, Time)>| at.unwrap_or((0, Time::ZERO));
    let arrivals = || probes.iter().enumerate().filter_map(|(i, probe)| Some((i, arrival(probe)?)));
    let (first, begin) = ends(arrivals().min_by_key(|(_, at)| *at));
    let (last, end) = ends(arrivals().max_by_key(|(_, at)| *at));
    let seconds = end.since(begin).secs();
    let transmitted = |probe: &&Probe| matches!(probe.fate, Fate::Arrived(_) | Fate::Lost);
    let packets = probes[first.min(last)..last.max(first)].iter().filter(transmitted).count();
    // The time starts at the first arrival: its own bits came before.
    let bits = packets as f64 * 8.0 * f64::from(observation.bytes);
    if seconds > 0.0 { bits / seconds } else { 0.0 }
}

/// Runs of lost probes among those transmitted: counted by length, and their mean length.
fn runs(observation: &Observation) -> ([u64; RUN_CELLS.len()], f64) {
    let mut cells = [0; RUN_CELLS.len()];
    let (mut count, mut total, mut current) = (0_u64, 0_u64, 0_u64);
    let mut end = |current: &mut u64| {
        if *current > 0 {
            let cell = RUN_CELLS.iter().position(|longest| *current <= *longest);
            cells[cell.unwrap_or(RUN_CELLS.len() - 1)] += 1;
            (count, total) = (count + 1, total + *current);
            *current = 0;
        }
    };
    for probe in &observation.probes {
        match probe.fate {
            Fate::Lost => current += 1,
            Fate::Arrived(_) => end(&mut current),
            Fate::Dropped | Fate::Missing => {}
        }
    }
    end(&mut current);
    (cells, total as f64 / count.max(1) as f64)
}

/// Arrivals among the probes sent in each window, over the mean number sent, and their mean delay.
fn course(observation: &Observation) -> (Vec<f64>, Vec<f64>) {
    let sent = observation.probes.iter().map(|probe| probe.sent);
    let (Some(first), Some(last)) = (sent.clone().min(), sent.max()) else {
        return (Vec::new(), Vec::new());
    };
    let width = (last.since(first).secs() / WINDOWS as f64).max(1e-9);
    let mut arrived = vec![0.0; WINDOWS];
    let mut delays = vec![0.0; WINDOWS];
    for probe in &observation.probes {
        if let Some(delay) = probe.delay() {
            let window = (probe.sent.since(first).secs() / width) as usize;
            arrived[window.min(WINDOWS - 1)] += 1.0;
            delays[window.min(WINDOWS - 1)] += delay;
        }
    }
    for (delay, count) in delays.iter_mut().zip(&arrived) {
        *delay /= f64::max(*count, 1.0);
    }
    let each = WINDOWS as f64 / observation.probes.len() as f64;
    (arrived.iter().map(|count| count * each).collect(), delays)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn probe(at: u64, fate: Fate) -> Probe {
        Probe {
            sent: Time::from_millis(at),
            entered: Time::from_millis(at),
            low: at.is_multiple_of(20),
            fate,
        }
    }

    #[test]
    fn a_run_in_numbers() {
        let arrived = |at| Fate::Arrived(Time::from_millis(at));
        let probes = vec![
            probe(0, arrived(5)),
            probe(10, Fate::Lost),
            probe(20, Fate::Dropped),
            // The drop before it does not end the run: it was never transmitted.
            probe(30, Fate::Lost),
            probe(40, arrived(45)),
            probe(50, Fate::Lost),
            probe(60, arrived(69)),
        ];
        let summary = Summary::of(&Observation { bytes: 1000, probes });
        // Five packets besides the first in 64 ms: two arrived, three were lost.
        assert!((summary.rate - 40_000.0 / 0.064).abs() < 1e-6);
        assert_eq!(summary.loss_counts, [3, 3]);
        assert!((summary.lost - 0.5).abs() < 1e-12);
        assert!((summary.dropped - 1.0 / 7.0).abs() < 1e-12);
        assert!((summary.low_dropped - 0.25).abs() < 1e-12, "one of those at 0, 20, 40, 60");
        assert_eq!(summary.runs, [1, 1, 0, 0, 0, 0, 0]);
        assert!((summary.run_length - 1.5).abs() < 1e-12);
        assert!((summary.delays[2] - 0.009).abs() < 1e-12);
        assert!((summary.course.iter().sum::<f64>() - 20.0 * 3.0 / 7.0).abs() < 1e-9);
    }

    #[test]
    fn nothing_sent_is_nothing() {
        let summary = Summary::of(&Observation::default());
        assert!(summary.rate <= 0.0 && summary.delays.is_empty() && summary.course.is_empty());
    }
}
