//! The results of a path's scenario: the best transports in each network, for bulk data and for
//! calls, what they leave a neighbour, and what link knowledge is worth.

use std::sync::Arc;

use atl_core::time::Time;
use atl_engine::result::RunResult;
use atl_report::Outcome;
use atl_report::delays::{Delay, in_network};
use atl_report::metric::{of_run, pairs_of};
use atl_report::stats::{Estimate, MIN_SEEDS, paired_difference, paired_ratio};
use atl_scenario::measure::{During, Measure};
use atl_scenario::scenario::{Metric, Point};
use serde::Serialize;

use crate::path::contest::{
    self, ALONE, ALONE_LESS, KNOWING, NEIGHBOUR, NEIGHBOURS, beside_less, rungs,
};
use crate::path::stages::Path;

/// Goodputs within this share of each other are level, even where the difference is no chance.
const LEVEL_GOODPUT: f64 = 0.01;
/// Delays within this many seconds of each other are level.
const LEVEL_DELAY_S: f64 = 1e-3;
/// Share of the best goodput that a transport needs to be advised for calls.
const ENOUGH_FOR_CALLS: f64 = 0.5;
/// Share of the best goodput that a transport needs to be advised for bulk data and calls at once.
const ENOUGH_FOR_BOTH: f64 = 0.9;

/// The answer to "which transport survives my path, and what would link knowledge buy me?".
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Answer {
    /// The question in a few words, such as `Down over wifi, then leo`.
    pub title: String,
    /// All numbers of the path ([`Path::told`]).
    pub understood: String,
    /// Results in each network, in order of time.
    pub stays: Vec<Stay>,
    /// Results over the whole time.
    pub all: Stay,
    /// CUBIC flows in the same queue, of `beside`.
    pub neighbours: u32,
    /// Each transport beside them, over the whole time; empty without any.
    pub beside: Vec<Beside>,
    /// The worth of link knowledge, over the whole time.
    #[serde(skip_serializing_if = "Option::is_none")]
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
    /// The transports, the largest goodput first.
    pub places: Vec<Place>,
    /// The transports that lead, by purpose; absent with one transport, or with fewer than five
    /// seeds.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
}

/// A transport's result in a network.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Place {
    /// Label of the protocol.
    pub protocol: String,
    /// Goodput in bits per second.
    pub goodput_bps: Estimate,
    /// 95th percentile of the RTT above its least in this network, in seconds; absent without an
    /// RTT sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub queueing_p95_s: Option<Estimate>,
}

/// The transports to take. More than one where they are level: the interval of their paired
/// difference covers zero, or the difference is within 1 % of goodput or 1 ms of delay.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// For bulk data: the largest goodput.
    pub bulk: Vec<String>,
    /// For calls: the least queueing delay among those with at least half of the largest goodput.
    pub calls: Vec<String>,
    /// For both: the least queueing delay among those with at least 0.9 of the largest goodput.
    pub both: Vec<String>,
    /// Lead of the best for bulk data over the next that is not level with it; absent if all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

/// Lead of a transport over another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lead {
    /// The other.
    pub over: String,
    /// The ratio of their goodputs, paired by seed.
    pub ratio: Estimate,
}

/// A transport and CUBIC flows in the same queue.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Beside {
    /// Label of the protocol.
    pub protocol: String,
    /// Its goodput in bits per second.
    pub goodput_bps: Estimate,
    /// The CUBIC flow's goodput in bits per second; their mean where there are several.
    pub neighbour_bps: Estimate,
    /// That over what they have beside one CUBIC flow more, paired by seed; absent for CUBIC.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub keeps: Option<Estimate>,
}

/// Gains of a transport from each piece of knowledge about its link.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Knowledge {
    /// Label of the protocol.
    pub protocol: String,
    /// Gains of each input, if those before it are known.
    pub inputs: Vec<Gain>,
    /// Gain of all of them over nothing told.
    pub all: Gain,
    /// The same beside the CUBIC flows in the same queue.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub beside: Option<Gain>,
}

/// Gain from knowledge.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Gain {
    /// The knowledge, such as `p_w`.
    pub input: String,
    /// Ratio of the goodput with it to that without, paired by seed.
    pub ratio: Estimate,
    /// True if the ratio's interval excludes 1.
    pub matters: bool,
}

/// A point of the scenario.
struct Line<'a> {
    label: String,
    beside: bool,
    /// True if the sender knows less of its link than it could: no part of the contest.
    less: bool,
    point: &'a Point,
    runs: Arc<[RunResult]>,
}

/// Values by seed; `None` for a run without one.
type Values = Vec<Option<f64>>;

impl Line<'_> {
    /// Goodput in bit/s of the path's own flow, which is the first.
    fn goodput(&self, during: Option<During>) -> Values {
        self.mean_goodput(&[0], during)
    }

    /// Mean goodput in bit/s of its neighbours, which are the other flows.
    fn neighbours(&self) -> Values {
        self.mean_goodput(&(1..self.point.setup.flows.len()).collect::<Vec<_>>(), None)
    }

    fn mean_goodput(&self, flows: &[usize], during: Option<During>) -> Values {
        let measure = Measure { metric: Metric::Goodput, during };
        let of = |run| of_run(measure, &self.point.setup, run, Some(flows));
        self.runs.iter().map(of).collect()
    }

    /// 95th percentile of the queueing delay in a network, or over all of them, in seconds.
    fn queueing(&self, network: Option<&str>) -> Values {
        let setup = &self.point.setup;
        let of = |run: &RunResult| match network {
            // A flow that stays in one network has its delays under no name.
            Some(name) if run.flows.first().is_some_and(|flow| !flow.delays.is_empty()) => {
                in_network(Delay::QueueingP95, setup, run, &[0], name)
            }
            _ => of_run(Metric::QueueingP95, setup, run, Some(&[0])),
        };
        self.runs.iter().map(of).collect()
    }
}

impl Answer {
    /// Reads the answer from the results of [`Path::file`]'s scenario.
    pub fn of(path: &Path, outcome: &Outcome) -> Answer {
        let among = contest::beside(path.neighbours);
        let among_less = beside_less(path.neighbours);
        let lines: Vec<Line<'_>> = outcome
            .points()
            .filter_map(|(point, runs)| {
                let flow = point.setup.flows.first()?;
                let (beside, less) = match &*point.vars.get(NEIGHBOURS)?.text {
                    ALONE => (false, false),
                    ALONE_LESS => (false, true),
                    text if text == among => (true, false),
                    text if text == among_less => (true, true),
                    _ => return None,
                };
                let label = flow.protocol.label.clone();
                Some(Line { label, beside, less, point, runs: runs.get() })
            })
            .collect();
        let stays = path.stays().enumerate().map(|(i, (stage, end))| {
            let during = During { from: stage.from, to: end };
            let rate = path.mean_rate(&stage.network).bps();
            let key = path.key(i);
            stay(stage.network.name.to_string(), rate, during, Some((during, &key)), &lines)
        });
        let stays: Vec<Stay> = stays.collect();
        let whole = During { from: Time::ZERO, to: Time::ZERO + path.duration };
        let carried = stays.iter().map(|stay| stay.rate_bps * (stay.to_s - stay.from_s));
        let rate = carried.sum::<f64>() / whole.secs();
        let all = stay("all".to_owned(), rate, whole, None, &lines);
        Answer {
            title: path.title(),
            understood: path.told(),
            stays,
            all,
            neighbours: path.neighbours,
            beside: beside(&lines),
            knowledge: knowledge(&lines),
        }
    }
}

/// The lines of the contest: all transports, but for those told less.
fn contest<'a>(lines: &'a [Line<'a>]) -> impl Iterator<Item = &'a Line<'a>> {
    lines.iter().filter(|line| !line.less)
}

fn estimate(values: &Values) -> Option<Estimate> {
    let known: Vec<f64> = values.iter().copied().flatten().collect();
    Estimate::within(&known, 0.0..=f64::INFINITY)
}

fn stay(
    network: String,
    rate_bps: f64,
    span: During,
    part: Option<(During, &str)>,
    lines: &[Line<'_>],
) -> Stay {
    let alone = contest(lines).filter(|line| !line.beside);
    let mut shown: Vec<Shown> = alone
        .filter_map(|line| {
            let goodput = line.goodput(part.map(|(during, _)| during));
            let queueing = line.queueing(part.map(|(_, key)| key));
            let place = Place {
                protocol: line.label.clone(),
                goodput_bps: estimate(&goodput)?,
                queueing_p95_s: estimate(&queueing),
            };
            Some(Shown { place, goodput, queueing })
        })
        .collect();
    shown.sort_by(|a, b| b.goodput().total_cmp(&a.goodput()));
    Stay {
        network,
        from_s: span.from.secs(),
        to_s: span.to.secs(),
        rate_bps,
        advice: advice(&shown),
        places: shown.into_iter().map(|one| one.place).collect(),
    }
}

/// A place with its values by seed.
struct Shown {
    place: Place,
    goodput: Values,
    queueing: Values,
}

impl Shown {
    fn goodput(&self) -> f64 {
        self.place.goodput_bps.mean
    }
}

fn advice(shown: &[Shown]) -> Option<Advice> {
    let [first, _, ..] = shown else { return None };
    if first.place.goodput_bps.n < MIN_SEEDS {
        return None;
    }
    let level = |one: &&Shown| one.place.protocol == first.place.protocol || are_level(first, one);
    let next = shown.iter().find(|one| !level(one));
    let lead = next.and_then(|other| {
        let ratio = ratio(&first.goodput, &other.goodput)?;
        Some(Lead { over: other.place.protocol.clone(), ratio })
    });
    let name = |one: &Shown| one.place.protocol.clone();
    Some(Advice {
        bulk: shown.iter().filter(level).map(name).collect(),
        calls: quickest(shown, ENOUGH_FOR_CALLS * first.goodput()),
        both: quickest(shown, ENOUGH_FOR_BOTH * first.goodput()),
        lead,
    })
}

/// True if chance, or next to nothing, tells two goodputs apart.
fn are_level(a: &Shown, b: &Shown) -> bool {
    ratio(&a.goodput, &b.goodput)
        .is_none_or(|ratio| !ratio.excludes(1.0) || (ratio.mean - 1.0).abs() < LEVEL_GOODPUT)
}

/// The transports with the least queueing delay among those with at least `enough` goodput.
fn quickest(shown: &[Shown], enough: f64) -> Vec<String> {
    let delay = |one: &Shown| one.place.queueing_p95_s.map(|estimate| estimate.mean);
    let able: Vec<&Shown> = shown.iter().filter(|one| one.goodput() >= enough).collect();
    let known = able.iter().copied().filter(|one| delay(one).is_some());
    let Some(best) =
        known.min_by(|a, b| delay(a).unwrap_or(0.0).total_cmp(&delay(b).unwrap_or(0.0)))
    else {
        return Vec::new();
    };
    let level = |one: &&&Shown| {
        let differences = paired_difference(&pairs_of(&one.queueing, &best.queueing));
        differences.is_some_and(|d| !d.excludes(0.0) || d.mean.abs() < LEVEL_DELAY_S)
    };
    able.iter().filter(level).map(|one| one.place.protocol.clone()).collect()
}

fn beside(lines: &[Line<'_>]) -> Vec<Beside> {
    let among = |line: &&Line<'_>| line.beside;
    let usual = contest(lines).filter(among).find(|line| line.label == NEIGHBOUR);
    let usual = usual.map(Line::neighbours);
    contest(lines)
        .filter(among)
        .filter_map(|line| {
            let neighbour = line.neighbours();
            let keeps = usual.as_ref().filter(|_| line.label != NEIGHBOUR);
            Some(Beside {
                protocol: line.label.clone(),
                goodput_bps: estimate(&line.goodput(None))?,
                neighbour_bps: estimate(&neighbour)?,
                keeps: keeps.and_then(|usual| ratio(&neighbour, usual)),
            })
        })
        .collect()
}

fn knowledge(lines: &[Line<'_>]) -> Option<Knowledge> {
    let of = |label: &str, beside: bool| {
        let line = lines.iter().find(|line| line.label == label && line.beside == beside);
        line.map(|line| line.goodput(None))
    };
    let gain = |input: &str, over: &Values, under: &Values| {
        let ratio = ratio(over, under)?;
        Some(Gain { input: input.to_owned(), matters: ratio.excludes(1.0), ratio })
    };
    let ladder: Vec<(Option<&str>, Values)> =
        rungs().filter_map(|(input, label)| Some((input, of(label, false)?))).collect();
    let steps = ladder.windows(2).filter_map(|pair| match pair {
        [(_, under), (input, over)] => gain((*input)?, over, under),
        _ => None,
    });
    let ((_, nothing), (_, all)) = (ladder.first()?, ladder.last()?);
    let lowest = rungs().next()?.1;
    let beside = of(KNOWING, true).zip(of(lowest, true));
    Some(Knowledge {
        protocol: KNOWING.to_owned(),
        inputs: steps.collect(),
        all: gain("all", all, nothing)?,
        beside: beside.and_then(|(over, under)| gain("all", &over, &under)),
    })
}

/// Ratio of means, paired by seed.
fn ratio(over: &Values, under: &Values) -> Option<Estimate> {
    paired_ratio(&pairs_of(over, under))
}
