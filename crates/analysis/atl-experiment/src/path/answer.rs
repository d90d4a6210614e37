//! The results of a path's scenario: the best transport in each network, and the gain from link
//! reports.

use std::sync::Arc;

use atl_core::time::Time;
use atl_engine::result::RunResult;
use atl_report::Outcome;
use atl_report::metric::of_run;
use atl_report::stats::{Estimate, paired_ratio};
use atl_scenario::measure::{During, Measure};
use atl_scenario::scenario::{Metric, Point};
use serde::Serialize;

use crate::path::file::REPORTS;
use crate::path::stages::Path;

/// The answer to "which transport survives my path, and what would link knowledge buy me?".
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The question in a few words, such as `Down over wifi, then leo`.
    pub title: String,
    /// Results in each network, in order of time.
    pub stays: Vec<Stay>,
    /// Results over the whole time.
    pub all: Stay,
    /// Gain from link reports over the whole time; absent where they were not compared.
    pub knowledge: Option<Knowledge>,
}

/// Results while the phone is in one network, or over the whole time.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Stay {
    /// Name of the network; `all` for the whole time.
    pub network: String,
    /// When the phone enters it, in seconds.
    pub from_s: f64,
    /// When the phone leaves it, in seconds.
    pub to_s: f64,
    /// Rate of its link in the direction of the data, headers included, in bits per second; the
    /// mean over time for `all`.
    pub rate_bps: f64,
    /// The transports, best first.
    pub places: Vec<Place>,
    /// Lead of the first over the second; absent with one transport.
    pub leader: Option<Leader>,
}

/// A transport's result in a network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Label of the protocol.
    pub protocol: String,
    /// Goodput in bits per second.
    pub goodput_bps: Estimate,
}

/// Lead of the first transport over the second.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Leader {
    /// The ratio of their goodputs, paired by seed.
    pub ratio: Estimate,
    /// True if the ratio's interval excludes 1; false if the two are level.
    pub ahead: bool,
}

/// Gain of a protocol from link reports.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knowledge {
    /// Name of the protocol that uses them.
    pub protocol: String,
    /// Ratio of its goodput with reports to that without, paired by seed.
    pub ratio: Estimate,
    /// True if the ratio's interval excludes 1.
    pub matters: bool,
}

/// A point of the scenario.
struct Line<'a> {
    label: String,
    reports: bool,
    point: &'a Point,
    runs: Arc<[RunResult]>,
}

impl Answer {
    /// Reads the answer from the results of [`Path::file`]'s scenario.
    pub fn of(path: &Path, outcome: &Outcome) -> Answer {
        let lines: Vec<Line<'_>> = outcome
            .points()
            .filter_map(|(point, runs)| {
                let flow = point.setup.flows.first()?;
                let reports = point.vars.get(REPORTS)?.text == "with";
                let label = flow.protocol.label.clone();
                Some(Line { label, reports, point, runs: runs.get() })
            })
            .collect();
        let stays = path.stays().map(|(stage, end)| {
            let during = During { from: stage.from, to: end };
            let rate = path.rate(&stage.network).bps();
            stay(stage.network.name.to_string(), rate, during, Some(during), &lines)
        });
        let stays: Vec<Stay> = stays.collect();
        let whole = During { from: Time::ZERO, to: Time::ZERO + path.duration };
        let carried = stays.iter().map(|stay| stay.rate_bps * (stay.to_s - stay.from_s));
        let rate = carried.sum::<f64>() / whole.secs();
        let all = stay("all".to_owned(), rate, whole, None, &lines);
        Answer { title: path.title(), stays, all, knowledge: knowledge(&lines) }
    }
}

/// Goodput in bit/s by seed; `None` for a run without a value.
fn goodput(line: &Line<'_>, during: Option<During>) -> Vec<Option<f64>> {
    let measure = Measure { metric: Metric::Goodput, during };
    line.runs.iter().map(|run| of_run(measure, &line.point.setup, run, None)).collect()
}

fn stay(
    network: String,
    rate_bps: f64,
    span: During,
    during: Option<During>,
    lines: &[Line<'_>],
) -> Stay {
    let with = lines.iter().filter(|line| line.reports);
    let mut places: Vec<(Place, Vec<Option<f64>>)> = with
        .filter_map(|line| {
            let values = goodput(line, during);
            let known: Vec<f64> = values.iter().copied().flatten().collect();
            let goodput_bps = Estimate::within(&known, 0.0..=f64::INFINITY)?;
            Some((Place { protocol: line.label.clone(), goodput_bps }, values))
        })
        .collect();
    places.sort_by(|(a, _), (b, _)| b.goodput_bps.mean.total_cmp(&a.goodput_bps.mean));
    let leader = match &places[..] {
        [(_, first), (_, second), ..] => {
            ratio(first, second).map(|ratio| Leader { ahead: ratio.excludes(1.0), ratio })
        }
        _ => None,
    };
    Stay {
        network,
        from_s: span.from.secs(),
        to_s: span.to.secs(),
        rate_bps,
        places: places.into_iter().map(|(place, _)| place).collect(),
        leader,
    }
}

fn knowledge(lines: &[Line<'_>]) -> Option<Knowledge> {
    let without = lines.iter().find(|line| !line.reports)?;
    let with = lines.iter().find(|line| line.reports && line.label == without.label)?;
    let ratio = ratio(&goodput(with, None), &goodput(without, None))?;
    let matters = ratio.excludes(1.0);
    Some(Knowledge { protocol: with.label.clone(), ratio, matters })
}

/// Ratio of means, paired by seed.
fn ratio(over: &[Option<f64>], under: &[Option<f64>]) -> Option<Estimate> {
    let pairs: Vec<(f64, f64)> =
        over.iter().zip(under).filter_map(|(a, b)| Some(((*a)?, (*b)?))).collect();
    paired_ratio(&pairs)
}
