//! Timing accuracy of engines in real time.

use atl_engine::result::{Datagrams, Lateness};
use serde::Serialize;

use crate::outcome::Outcome;
use crate::quantity::number;

/// Timing accuracy of an outcome's runs, and with it their validity.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Trust {
    /// Number of runs in real time.
    pub runs: usize,
    /// Number of runs in which more than 1 % of the packets left more than a packet time late, so
    /// that they are invalid.
    pub late_runs: usize,
    /// True if no run was late.
    pub trusted: bool,
    /// Largest share of late packets in any run, from 0 to 1.
    pub worst_late_share: f64,
    /// Median lateness in seconds, the largest over the runs.
    pub worst_p50_s: f64,
    /// 90th percentile of lateness in seconds, the largest over the runs.
    pub worst_p90_s: f64,
    /// 99th percentile of lateness in seconds, the largest over the runs.
    pub worst_p99_s: f64,
    /// Datagrams that the operating system dropped from a full buffer, over all runs.
    pub missing_datagrams: u64,
    /// Datagrams ignored as malformed, cut off, repeated or from strangers, over all runs.
    pub refused_datagrams: u64,
}

impl Trust {
    /// Accuracy of an outcome; `None` if none of its runs was in real time.
    pub fn of(outcome: &Outcome) -> Option<Trust> {
        if !outcome.results.present().lateness {
            return None;
        }
        let mut all: Vec<Lateness> = Vec::new();
        let mut datagrams = Datagrams::default();
        for runs in outcome.results.iter() {
            all.extend(runs.iter().filter_map(|run| run.lateness));
            for run in runs.iter().filter_map(|run| run.datagrams) {
                datagrams.missing += run.missing;
                datagrams.refused += run.refused;
            }
        }
        let worst = |of: fn(&Lateness) -> f64| all.iter().map(of).fold(0.0, f64::max);
        let late_runs = all.iter().filter(|lateness| !lateness.is_trustworthy()).count();
        (!all.is_empty()).then(|| Trust {
            runs: all.len(),
            late_runs,
            trusted: late_runs == 0,
            worst_late_share: worst(|lateness| lateness.late_share),
            worst_p50_s: worst(|lateness| lateness.p50_s),
            worst_p90_s: worst(|lateness| lateness.p90_s),
            worst_p99_s: worst(|lateness| lateness.p99_s),
            missing_datagrams: datagrams.missing,
            refused_datagrams: datagrams.refused,
        })
    }

    /// In sentences: the lateness of packets, and what to do about it.
    pub fn words(&self) -> String {
        let micros = |secs: f64| number(secs * 1e6);
        let late = format!(
            "In real time: packets left at most {} µs late at the median, {} µs at the 90th percentile, {} µs at the 99th.",
            micros(self.worst_p50_s),
            micros(self.worst_p90_s),
            micros(self.worst_p99_s)
        );
        if self.trusted {
            return late;
        }
        format!(
            "NOT TO BE TRUSTED: in {} of {} runs more than {} % of the packets left later than a packet time, up to {} %. \
             Close other programs, allow real-time priority (`ulimit -r`), or take a slower link, and run again. {late}",
            self.late_runs,
            self.runs,
            number(Lateness::MAX_LATE_SHARE * 100.0),
            number(self.worst_late_share * 100.0)
        )
    }
}
