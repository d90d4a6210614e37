//! The results of a path's scenario: the best transports in each network, for bulk data and for
//! calls, what they leave a neighbour, and what link knowledge is worth.

use std::sync::Arc;

use atl_core::time::Time;
use atl_engine::result::RunResult;
use atl_report::Outcome;
use atl_report::delays::{Delay, in_network};
use atl_report::metric::of_run;
use atl_report::stats::Estimate;
use atl_scenario::measure::{During, Measure};
use atl_scenario::scenario::{Metric, Point};
use serde::Serialize;

use crate::path::advice::{Advice, advice, ratio};
use crate::path::contest::{
    self, ALONE, ALONE_LESS, KNOWING, NEIGHBOUR, NEIGHBOURS, beside_less, rungs,
};
use crate::path::place::{Place, Shown, Values};
use crate::path::stages::Path;

/// Goodput in bits per second below which nearly nothing gets through, if it is also less than
/// [`NOTHING_SHARE`] of the link's rate: a full packet of 1500 bytes a second.
const NOTHING_BPS: f64 = 12_000.0;
/// Share of the link's rate below which nearly nothing gets through.
const NOTHING_SHARE: f64 = 0.01;

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
    /// The transports that lead, by purpose; absent with one transport, with fewer than five seeds,
    /// or where [nearly nothing gets through](Stay::is_dead).
    #[serde(skip_serializing_if = "Option::is_none")]
    pub advice: Option<Advice>,
}

impl Stay {
    /// True if nearly nothing gets through, whatever the transport.
    pub fn is_dead(&self) -> bool {
        let best = self.places.first().map_or(0.0, |place| place.goodput_bps.mean);
        best < NOTHING_BPS.min(NOTHING_SHARE * self.rate_bps)
    }
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
    /// That over what they have beside one CUBIC flow more, paired by seed; absent for CUBIC, and
    /// where those have nothing.
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

impl Line<'_> {
    /// Goodput in bit/s of the path's own flow, which is the first, over the time that it is
    /// active.
    fn goodput(&self) -> Values {
        self.mean_goodput(&[0])
    }

    /// The same in a part of the run. Its start is a random time into the run, and a rate over the
    /// part's whole length would be lower for nothing that a transport does.
    fn goodput_in(&self, during: During) -> Values {
        let (setup, measure) =
            (&self.point.setup, Measure { metric: Metric::Goodput, during: Some(during) });
        let of = |run: &RunResult| {
            let over_all = of_run(measure, setup, run, Some(&[0]))?;
            // It has no end, so it is active from its start to the end of the run.
            let start_s = setup.duration.secs() - run.flows.first()?.active_s;
            let active_s = during.secs() - (start_s - during.from.secs()).max(0.0);
            (active_s > 0.0).then(|| over_all * during.secs() / active_s)
        };
        self.runs.iter().map(of).collect()
    }

    /// Mean goodput in bit/s of its neighbours, which are the other flows.
    fn neighbours(&self) -> Values {
        self.mean_goodput(&(1..self.point.setup.flows.len()).collect::<Vec<_>>())
    }

    fn mean_goodput(&self, flows: &[usize]) -> Values {
        let of = |run| of_run(Metric::Goodput, &self.point.setup, run, Some(flows));
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
        let several = path.stages.len() > 1;
        let stays = path.stays().enumerate().map(|(i, (stage, end))| {
            let during = During { from: stage.from, to: end };
            let key = path.key(i);
            let part = Part { during, key: several.then_some(&*key) };
            let one_way =
                |_: &str, queueing_s: f64| Some((stage.network.rtt / 2).secs() + queueing_s);
            let rate = path.mean_rate(&stage.network).bps();
            stay(stage.network.name.to_string(), rate, part, &one_way, &lines)
        });
        let stays: Vec<Stay> = stays.collect();
        let whole = During { from: Time::ZERO, to: Time::ZERO + path.duration };
        let carried = stays.iter().map(|stay| stay.rate_bps * (stay.to_s - stay.from_s));
        let rate = carried.sum::<f64>() / whole.secs();
        // A call over the whole path is one in its worst network.
        let worst = |protocol: &str, _: f64| {
            let places = stays.iter().flat_map(|stay| &stay.places);
            let own = places.filter(|place| place.protocol == protocol);
            own.filter_map(|place| place.one_way_p95_s).max_by(f64::total_cmp)
        };
        let part = Part { during: whole, key: None };
        let all = stay("all".to_owned(), rate, part, &worst, &lines);
        let order =
            |one: &Beside| all.places.iter().position(|place| place.protocol == one.protocol);
        let mut beside = beside(&lines);
        beside.sort_by_key(|one| order(one).unwrap_or(usize::MAX));
        Answer {
            title: path.title(),
            understood: path.told(),
            stays,
            all,
            neighbours: path.neighbours,
            beside,
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

/// A part of the run.
struct Part<'a> {
    during: During,
    /// The network's key in the file; `None` for all of the run.
    key: Option<&'a str>,
}

/// A stay; `one_way` is the delay of a call from a protocol's label and its queueing delay.
fn stay(
    network: String,
    rate_bps: f64,
    Part { during, key }: Part<'_>,
    one_way: &dyn Fn(&str, f64) -> Option<f64>,
    lines: &[Line<'_>],
) -> Stay {
    let alone = contest(lines).filter(|line| !line.beside);
    let mut shown: Vec<Shown> = alone
        .filter_map(|line| {
            let goodput = key.map_or_else(|| line.goodput(), |_| line.goodput_in(during));
            let queueing = line.queueing(key);
            let queueing_p95_s = estimate(&queueing);
            let place = Place {
                protocol: line.label.clone(),
                goodput_bps: estimate(&goodput)?,
                queueing_p95_s,
                one_way_p95_s: queueing_p95_s.and_then(|p95| one_way(&line.label, p95.mean)),
            };
            Some(Shown { place, goodput, queueing })
        })
        .collect();
    shown.sort_by(|a, b| b.goodput().total_cmp(&a.goodput()));
    let advice = advice(&shown);
    let stay = Stay {
        network,
        from_s: during.from.secs(),
        to_s: during.to.secs(),
        rate_bps,
        advice: None,
        places: shown.into_iter().map(|one| one.place).collect(),
    };
    let advice = advice.filter(|_| !stay.is_dead());
    Stay { advice, ..stay }
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
            let keeps = keeps.filter(|usual| usual.iter().flatten().any(|bps| *bps > 0.0));
            Some(Beside {
                protocol: line.label.clone(),
                goodput_bps: estimate(&line.goodput())?,
                neighbour_bps: estimate(&neighbour)?,
                keeps: keeps.and_then(|usual| ratio(&neighbour, usual)),
            })
        })
        .collect()
}

fn knowledge(lines: &[Line<'_>]) -> Option<Knowledge> {
    let of = |label: &str, beside: bool| {
        let line = lines.iter().find(|line| line.label == label && line.beside == beside);
        line.map(|line| line.goodput())
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
