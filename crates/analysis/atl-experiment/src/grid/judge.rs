//! Results beside the targets that this project has set itself.

use std::collections::{BTreeMap, BTreeSet};

use atl_report::stats::quantile;
use serde::Serialize;

use super::contest::{RIVALS, RUNGS, Sender};
use super::point::Point;
use super::run::Outcome;

/// A target, and what was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Target {
    /// The measured quantity, for a reader.
    pub what: String,
    /// The number of points over which it is.
    pub points: usize,
    /// The value to reach.
    pub target: f64,
    /// The measured value; absent without a point.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub measured: Option<f64>,
    /// The number of the point that is farthest from the target.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub worst: Option<u32>,
}

impl Target {
    /// True if it is reached; without a point it is not.
    pub fn is_met(&self) -> bool {
        self.measured.is_some_and(|measured| measured >= self.target)
    }
}

/// A value at each of some points.
type Values = Vec<(u32, f64)>;
/// A statistic of values.
type Statistic = fn(&[f64]) -> Option<f64>;

/// The loss from which on knowledge has to pay most.
const LOSSY: f64 = 0.03;
/// The least that a rung gets over the one below.
const RUNG: f64 = 0.98;
/// A sender uses a link if it gets this share of its rate.
const USED: f64 = 0.8;

/// Further seeds for points that may owe their place to luck, and for those of them that still may.
pub const SEEDS_AGAIN: [u64; 2] = [40, 200];

/// Share of the link's rate that a sender gets as goodput.
pub fn used(outcome: &Outcome, sender: &str) -> f64 {
    outcome.of(sender).goodput_bps / (outcome.point.kbps as f64 * 1e3)
}

/// The points at which a rung misses its target over the one below. With few seeds a flow's luck
/// decides which those are, so that [`targets`] asks for other seeds there.
pub fn doubtful(outcomes: &[Outcome]) -> Vec<Point> {
    let below = |pair| rung(outcomes, pair).into_iter().filter(|(_, value)| *value < RUNG);
    let numbers: BTreeSet<u32> =
        RUNGS.windows(2).flat_map(below).map(|(number, _)| number).collect();
    let points = outcomes.iter().map(|outcome| outcome.point);
    points.filter(|point| numbers.contains(&point.number)).collect()
}

/// A sender's goodput, delay and fairness over all points, as the targets measure them; each is
/// absent without a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Standing {
    /// Goodput over the best rival's: the mean.
    pub mean: Option<f64>,
    /// The same: the worst twentieth.
    pub worst: Option<f64>,
    /// Share of the points at which its queue is short.
    pub short: Option<f64>,
    /// Jain's index of several flows: the worst twentieth.
    pub jain: Option<f64>,
}

/// The standing of the sender with this label.
pub fn standing(outcomes: &[Outcome], sender: &str) -> Standing {
    let goodput = numbers(&ratios(outcomes, sender, &rivals(), &|_| true));
    Standing {
        mean: mean(&goodput),
        worst: worst_twentieth(&goodput),
        short: mean(&numbers(&delays(outcomes, sender))),
        jain: worst_twentieth(&numbers(&jains(outcomes, sender))),
    }
}

fn rivals() -> Vec<&'static str> {
    RIVALS.iter().map(|rival| rival.label).collect()
}

fn delays(outcomes: &[Outcome], sender: &str) -> Values {
    outcomes.iter().filter_map(|outcome| short(outcome, sender)).collect()
}

fn jains(outcomes: &[Outcome], sender: &str) -> Values {
    let fair = |outcome: &Outcome| Some((outcome.point.number, outcome.of(sender).jain?));
    outcomes.iter().filter_map(fair).collect()
}

/// A sender's goodput over the best of others, at the points that are chosen.
fn ratios(
    outcomes: &[Outcome],
    sender: &str,
    others: &[&str],
    chosen: &dyn Fn(&Outcome) -> bool,
) -> Values {
    let ratio = |outcome: &Outcome| {
        let best = others.iter().map(|other| outcome.of(other).goodput_bps).fold(0.0, f64::max);
        (best > 0.0).then(|| (outcome.point.number, outcome.of(sender).goodput_bps / best))
    };
    outcomes.iter().filter(|outcome| chosen(outcome)).filter_map(ratio).collect()
}

/// A rung's goodput over that of the one below.
fn rung(outcomes: &[Outcome], pair: &[Sender]) -> Values {
    ratios(outcomes, pair[1].label, &[pair[0].label], &|_| true)
}

/// Every target of the grid, judged on these outcomes; a rung over the one below by `again`, runs
/// with other seeds, at the points that are in it: the last ones of a point.
pub fn targets(outcomes: &[Outcome], again: &[Outcome]) -> Vec<Target> {
    let (nothing, all) = (RUNGS[0].label, RUNGS[RUNGS.len() - 1].label);
    let everywhere = |_: &Outcome| true;
    let over = |sender: &str, others: &[&str], chosen: &dyn Fn(&Outcome) -> bool| {
        ratios(outcomes, sender, others, chosen)
    };
    let rivals = rivals();
    let told = over(all, &rivals, &everywhere);
    let mut list = vec![
        target("told all, goodput over the best rival: mean", &told, mean, 1.05),
        target("told all, goodput over the best rival: worst 5 %", &told, worst_twentieth, 0.97),
        target(
            "the same where p_w is 3 % or more: mean",
            &over(all, &rivals, &|outcome| outcome.point.loss >= LOSSY),
            mean,
            1.7,
        ),
        target(
            "told nothing, over the better of BBRv3 and CUBIC: worst 5 %",
            &over(nothing, &["BBRv3", "CUBIC"], &everywhere),
            worst_twentieth,
            0.97,
        ),
    ];
    for pair in RUNGS.windows(2) {
        let what = format!("told {}, over told {}: least", pair[1].label, pair[0].label);
        let mut values: BTreeMap<u32, f64> = rung(outcomes, pair).into_iter().collect();
        values.extend(rung(again, pair));
        let values = values.into_iter().collect();
        list.push(target(&what, &values, least, RUNG));
    }
    list.push(target(
        "p95 of the queueing delay, in whole packets, at most BBRv3's where that uses .8 of the link, else .25 RTT or 10 ms: share of points",
        &delays(outcomes, all),
        mean,
        0.95,
    ));
    list.push(target(
        "Jain's index of 2 to 8 of its own: worst 5 %",
        &jains(outcomes, all),
        worst_twentieth,
        0.95,
    ));
    list
}

/// 1 if a sender's queue is as short as it has to be, else 0.
fn short(outcome: &Outcome, sender: &str) -> Option<(u32, f64)> {
    let ours = outcome.of(sender).queueing_p95_s?;
    let theirs = outcome.of("BBRv3").queueing_p95_s;
    let bound = match theirs {
        Some(theirs) if used(outcome, "BBRv3") >= USED => theirs,
        _ => (0.25 * outcome.point.rtt().secs()).max(0.01),
    };
    // A queue is of whole packets: less than half of one is no difference.
    let packets = |secs: f64| (secs * outcome.point.packets_per_second()).round();
    Some((outcome.point.number, if packets(ours) <= packets(bound) { 1.0 } else { 0.0 }))
}

fn target(what: &str, values: &Values, statistic: Statistic, target: f64) -> Target {
    let worst = values.iter().min_by(|a, b| a.1.total_cmp(&b.1)).map(|(number, _)| *number);
    Target {
        what: what.to_owned(),
        points: values.len(),
        target,
        measured: statistic(&numbers(values)),
        worst,
    }
}

fn numbers(values: &Values) -> Vec<f64> {
    values.iter().map(|(_, value)| *value).collect()
}

fn mean(values: &[f64]) -> Option<f64> {
    (!values.is_empty()).then(|| values.iter().sum::<f64>() / values.len() as f64)
}

fn worst_twentieth(values: &[f64]) -> Option<f64> {
    quantile(values, 0.05)
}

fn least(values: &[f64]) -> Option<f64> {
    values.iter().copied().reduce(f64::min)
}

#[cfg(test)]
mod tests {
    use super::super::run::Contestant;
    use super::*;

    /// Goodputs of the rungs and of all rivals alike, in shares of the link.
    fn outcome(number: u32, rungs: [f64; 4], rivals: f64) -> Outcome {
        let point = Point { flows: 1, loss: 0.05, ..Point::draw(1, number) };
        let contestant = |(sender, share): (&'static str, f64)| Contestant {
            sender,
            goodput_bps: share * point.kbps as f64 * 1e3,
            queueing_p95_s: Some(0.02),
            jain: None,
        };
        let rungs = RUNGS.iter().map(|rung| rung.label).zip(rungs);
        let rivals = RIVALS.iter().map(|rival| (rival.label, rivals));
        Outcome { point, senders: rungs.chain(rivals).map(contestant).collect() }
    }

    #[test]
    fn ratios_are_those_of_the_points() {
        let outcomes =
            [outcome(0, [0.4, 0.5, 0.6, 0.6], 0.3), outcome(1, [0.5, 0.5, 0.49, 0.9], 0.9)];
        let found = targets(&outcomes, &[]);
        let of = |what: &str| {
            let found = found.iter().find(|target| target.what.starts_with(what));
            found.unwrap_or_else(|| panic!("{what}"))
        };
        // 2 and 1.
        let mean = of("told all, goodput over the best rival: mean");
        assert_eq!((mean.points, mean.measured, mean.worst), (2, Some(1.5), Some(1)));
        assert!(mean.is_met());
        assert!(!of("the same where p_w is 3 % or more").is_met(), "1.5 and not 1.7");
        let rung = of("told p_w and d_w, over told p_w");
        assert!((rung.measured.expect("two points") - 0.98).abs() < 1e-12, "{rung:?}");
        assert_eq!(rung.worst, Some(1));
        // Both have 20 ms: at the second point BBRv3 uses the link, at the first .25 RTT or 10 ms
        // count.
        let delays = of("p95 of the queueing delay");
        let bound = (0.25 * Point::draw(1, 0).rtt().secs()).max(0.01);
        let expected = if bound >= 0.02 { 1.0 } else { 0.5 };
        assert_eq!(delays.measured, Some(expected));
        let found = standing(&outcomes, "all");
        assert_eq!((found.short, found.jain), (Some(expected), None));
    }

    /// At 12 Mb/s a packet is a millisecond.
    #[test]
    fn queues_are_compared_in_whole_packets() {
        for (ours, theirs, expected) in
            [(0.0204, 0.0196, 1.0), (0.0206, 0.0204, 0.0), (0.0194, 0.0204, 1.0)]
        {
            let mut outcome = outcome(0, [0.9; 4], 0.9);
            outcome.point.kbps = 12_000;
            for sender in &mut outcome.senders {
                sender.goodput_bps = 11e6;
                let own = RIVALS.iter().all(|rival| rival.label != sender.sender);
                sender.queueing_p95_s = Some(if own { ours } else { theirs });
            }
            assert_eq!(standing(&[outcome], "all").short, Some(expected), "{ours} and {theirs}");
        }
    }

    #[test]
    fn a_point_whose_luck_is_in_doubt_is_judged_by_other_seeds() {
        let rungs = [0.4, 0.5, 0.495, 0.5];
        let mut outcomes: Vec<Outcome> = (0..40).map(|n| outcome(n, rungs, 0.3)).collect();
        assert_eq!(doubtful(&outcomes), [], "none is below the target");
        outcomes[7] = outcome(7, [0.5, 0.4, 0.4, 0.4], 0.3);
        outcomes[9] = outcome(9, [0.4, 0.4, 0.4, 0.391], 0.3);
        let points: Vec<u32> = doubtful(&outcomes).iter().map(|point| point.number).collect();
        assert_eq!(points, [7, 9]);
        let p_w = |again: &[Outcome]| {
            let found = targets(&outcomes, again);
            let of = found.iter().find(|target| target.what.starts_with("told p_w, over"));
            of.cloned().expect("a target")
        };
        let runs = [0.4, 0.495].map(|told| outcome(7, [0.5, told, 0.5, 0.5], 0.3));
        let (luck, again) = (p_w(&[]), p_w(&runs));
        assert!((luck.measured.expect("points") - 0.8).abs() < 1e-12, "{luck:?}");
        assert!((again.measured.expect("points") - 0.99).abs() < 1e-12, "{again:?}");
        assert_eq!((again.points, again.worst), (40, Some(7)));
    }

    #[test]
    fn without_a_point_nothing_is_met() {
        assert!(targets(&[], &[]).iter().all(|target| !target.is_met() && target.points == 0));
    }
}
