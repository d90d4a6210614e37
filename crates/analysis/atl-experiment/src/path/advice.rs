//! The transports to take in a network: for bulk data, for calls, and for both at once.

use atl_report::metric::pairs_of;
use atl_report::stats::{Estimate, MIN_SEEDS, paired_difference, paired_ratio};
use serde::Serialize;

use crate::path::place::{Shown, Values};

/// Goodputs within this share of each other are level, even where the difference is no chance.
const LEVEL_GOODPUT: f64 = 0.01;
/// Delays within this many seconds of each other are level.
const LEVEL_DELAY_S: f64 = 1e-3;
/// Share of the best goodput that a transport needs to be advised for calls.
const ENOUGH_FOR_CALLS: f64 = 0.5;
/// Share of the best goodput that a transport needs to be advised for bulk data and calls at once.
const ENOUGH_FOR_BOTH: f64 = 0.9;

/// Longest one-way delay in seconds that planning accepts for a call (ITU-T G.114, 2003).
pub const CALL_LIMIT_S: f64 = 0.4;
/// One-way delay in seconds up to which a call is good (ITU-T G.114, 2003).
pub const CALL_GOOD_S: f64 = 0.15;

/// The transports to take. More than one where they are level: the interval of their paired
/// difference covers zero, or the difference is within 1 % of goodput or 1 ms of delay. None has a
/// worse mean than one that is not level with the best, however wide its own interval is.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Advice {
    /// For bulk data: the largest goodput.
    pub bulk: Vec<String>,
    /// For calls: the least queueing delay among those with at least half of the largest goodput
    /// and a one-way delay of at most [`CALL_LIMIT_S`].
    pub calls: Vec<String>,
    /// One-way delay in seconds of the first of them
    /// ([`one_way_p95_s`](crate::path::Place::one_way_p95_s)), or with none of them the least of
    /// those with at least half of the largest goodput; absent without an RTT sample.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub calls_one_way_s: Option<f64>,
    /// For both: as for calls, among those with at least 0.9 of the largest goodput.
    pub both: Vec<String>,
    /// One-way delay in seconds of the first of them, or with none the least of those with at least
    /// 0.9 of the largest goodput.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub both_one_way_s: Option<f64>,
    /// Lead of the best for bulk data over the next that is not level with it; absent if all are.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub lead: Option<Lead>,
}

/// Lead of a transport over another.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Lead {
    /// Label of the next that is not level with the best.
    pub over: String,
    /// The ratio of their goodputs, paired by seed.
    pub ratio: Estimate,
}

/// The advice on transports in order of goodput; `None` with one of them or with too few seeds.
pub(crate) fn advice(shown: &[Shown]) -> Option<Advice> {
    let [first, _, ..] = shown else { return None };
    if first.place.goodput_bps.n < MIN_SEEDS {
        return None;
    }
    // Everything behind the first that is not level is behind too.
    let behind = shown.iter().skip(1).position(|one| !are_level(first, one));
    let leading = behind.map_or(shown.len(), |behind| behind + 1);
    let lead = shown.get(leading).and_then(|other| {
        let ratio = ratio(&first.goodput, &other.goodput)?;
        Some(Lead { over: other.name(), ratio })
    });
    let (calls, calls_one_way_s) = quickest(shown, ENOUGH_FOR_CALLS * first.goodput());
    let (both, both_one_way_s) = quickest(shown, ENOUGH_FOR_BOTH * first.goodput());
    let bulk = shown[..leading].iter().map(Shown::name).collect();
    Some(Advice { bulk, calls, calls_one_way_s, both, both_one_way_s, lead })
}

/// True if chance, or next to nothing, tells two goodputs apart.
fn are_level(a: &Shown, b: &Shown) -> bool {
    ratio(&a.goodput, &b.goodput)
        .is_none_or(|ratio| !ratio.excludes(1.0) || (ratio.mean - 1.0).abs() < LEVEL_GOODPUT)
}

/// The transports with the least queueing delay among those with at least `enough` goodput whose
/// delay a call bears, with the one-way delay of the first; without any, the least there is.
fn quickest(shown: &[Shown], enough: f64) -> (Vec<String>, Option<f64>) {
    let able = shown.iter().filter(|one| one.goodput() >= enough);
    let mut able: Vec<(&Shown, f64, f64)> = able
        .filter_map(|one| Some((one, one.place.queueing_p95_s?.mean, one.place.one_way_p95_s?)))
        .collect();
    let least = able.iter().map(|(.., one_way)| *one_way).min_by(f64::total_cmp);
    able.retain(|(.., one_way)| *one_way <= CALL_LIMIT_S);
    able.sort_by(|a, b| a.1.total_cmp(&b.1));
    let Some((best, _, one_way)) = able.first().copied() else { return (Vec::new(), least) };
    let level = |(one, ..): &&(&Shown, f64, f64)| {
        let differences = paired_difference(&pairs_of(&one.queueing, &best.queueing));
        differences.is_some_and(|d| !d.excludes(0.0) || d.mean.abs() < LEVEL_DELAY_S)
    };
    (able.iter().take_while(level).map(|(one, ..)| one.name()).collect(), Some(one_way))
}

/// Ratio of means, paired by seed.
pub(crate) fn ratio(over: &Values, under: &Values) -> Option<Estimate> {
    paired_ratio(&pairs_of(over, under))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::path::place::Place;

    /// A transport with these goodputs in Mb/s and this one-way delay, all of it from queueing.
    fn shown(protocol: &str, mbps: [f64; 5], delays_s: [f64; 5]) -> Shown {
        let estimate = |values: &[f64]| Estimate::of(values).expect("finite");
        let queueing = estimate(&delays_s);
        Shown {
            place: Place {
                protocol: protocol.to_owned(),
                goodput_bps: estimate(&mbps.map(|mbps| mbps * 1e6)),
                queueing_p95_s: Some(queueing),
                one_way_p95_s: Some(queueing.mean),
            },
            goodput: mbps.map(|mbps| Some(mbps * 1e6)).to_vec(),
            queueing: delays_s.map(Some).to_vec(),
        }
    }

    #[test]
    fn a_wide_interval_recommends_nobody_past_one_that_is_behind() {
        let delays = [0.020, 0.021, 0.022, 0.021, 0.020];
        let all = [
            shown("best", [2.80, 2.79, 2.80, 2.81, 2.80], delays),
            shown("close", [2.60, 2.62, 2.63, 2.61, 2.64], delays.map(|delay| 2.0 * delay)),
            // Further behind, but too scattered to tell from the best.
            shown("wide", [2.9, 0.8, 3.0, 1.2, 2.9], [0.01, 0.4, 0.02, 0.3, 0.02]),
        ];
        assert!(are_level(&all[0], &all[2]) && !are_level(&all[0], &all[1]));
        let found = advice(&all).expect("five seeds");
        assert_eq!(found.bulk, ["best"]);
        assert_eq!(found.lead.map(|lead| lead.over).as_deref(), Some("close"));
        assert_eq!((found.calls, found.both), (vec!["best".to_owned()], vec!["best".to_owned()]));
    }

    #[test]
    fn a_call_bears_400_ms() {
        let mbps = [1.0, 1.01, 0.99, 1.0, 1.02];
        let at = |delay: f64| [delay, 1.01 * delay, 0.99 * delay, delay, delay];
        let of = |fast: f64, full: f64| {
            let half = mbps.map(|mbps| 0.6 * mbps);
            advice(&[shown("full", mbps, at(full)), shown("half", half, at(fast))]).expect("seeds")
        };
        let found = of(0.1, 0.39);
        assert_eq!((found.calls, found.both), (vec!["half".to_owned()], vec!["full".to_owned()]));
        let found = of(0.1, 0.41);
        assert_eq!((found.calls, found.both), (vec!["half".to_owned()], Vec::new()));
        assert!((found.both_one_way_s.expect("samples") - 0.41).abs() < 1e-9);
        let found = of(3.0, 5.0);
        assert!(found.calls.is_empty() && found.both.is_empty());
        assert!((found.calls_one_way_s.expect("samples") - 3.0).abs() < 1e-9);
    }
}
