//! `docs/wireless-effects.md`: models beside what others have published of real links.

use std::fmt::Write as _;
use std::sync::Arc;

use atl_core::time::{Span, Time};
use atl_core::units::Probability;
use atl_link::random::Stream;
use atl_link::{Conditions, Jitter, JitterShape, Link, Loss, Reconfiguration};

use crate::jitter::exits_of;
use crate::support::{EIGHT, arrivals, config, network};

/// A ping of 64 bytes, for an hour and a half.
const EVERY: Span = Span::from_millis(20);
const PINGS: u64 = 270_000;

/// The network `starlink` (`crates/analysis/atl-scenario/networks/starlink.toml`), a direction.
fn starlink() -> Conditions {
    Conditions {
        jitter: Some(Jitter {
            spread: Span::from_millis(4),
            shape: JitterShape::Uniform,
            in_order: true,
        }),
        reconfiguration: Some(Reconfiguration {
            every: Span::from_secs(15),
            step: Span::from_millis(8),
            outage: Span::from_millis(60),
            loss: Probability::clamped(0.7),
        }),
        loss: Loss::Bernoulli(Probability::clamped(0.001)),
        ..network(EIGHT, 25)
    }
}

/// The network `lte`: retransmissions, and nothing that is lost.
fn lte() -> Conditions {
    let harq = Jitter { spread: Span::from_millis(8), shape: JitterShape::Harq, in_order: false };
    Conditions { jitter: Some(harq), ..network(EIGHT, 25) }
}

/// Delay of each ping in one direction in ms; `None` if it was lost.
fn one_way(conditions: Conditions, name: &str) -> Vec<Option<f64>> {
    let mut link = Link::new(Arc::new(config(conditions)), Stream::new(11, name));
    let mut delays = vec![None; PINGS as usize];
    for (at, n) in arrivals(&exits_of(&mut link, PINGS, EVERY, 64)) {
        let sent = Time::from_nanos(EVERY.nanos() * n);
        delays[n as usize] = Some(1e3 * at.since(sent).secs());
    }
    delays
}

/// Round-trip times of answered pings with their numbers.
fn round_trips(conditions: impl Fn() -> Conditions) -> Vec<(u64, f64)> {
    let (there, back) = (one_way(conditions(), "there"), one_way(conditions(), "back"));
    let both = there.iter().zip(&back).enumerate();
    both.filter_map(|(n, (there, back))| Some((n as u64, (*there)? + (*back)?))).collect()
}

/// The most frequent time in s between two steps, which are changes of a second's median by more
/// than chance. Steps that are too small to be seen make some of these times longer.
fn period(trips: &[(u64, f64)]) -> f64 {
    let a_second = 1_000_000_000 / EVERY.nanos();
    let seconds = PINGS / a_second;
    let median = |second: u64| {
        let from = trips.partition_point(|(n, _)| *n < second * a_second);
        let to = trips.partition_point(|(n, _)| *n < (second + 1) * a_second);
        let mut all: Vec<f64> = trips[from..to].iter().map(|(_, rtt)| *rtt).collect();
        all.sort_by(f64::total_cmp);
        all[all.len() / 2]
    };
    let medians: Vec<f64> = (0..seconds).map(median).collect();
    let steps: Vec<usize> =
        (1..medians.len()).filter(|s| (medians[*s] - medians[s - 1]).abs() > 4.0).collect();
    let mut counts = std::collections::BTreeMap::<usize, u32>::new();
    for pair in steps.windows(2) {
        *counts.entry(pair[1] - pair[0]).or_default() += 1;
    }
    counts.iter().max_by_key(|(_, count)| **count).map_or(0.0, |(distance, _)| *distance as f64)
}

/// Network, quantity, source, published, and found.
type Figure = (&'static str, &'static str, &'static str, f64, f64);

fn figures() -> Vec<Figure> {
    const HUSTON: &str = "Huston 2024";
    let trips = round_trips(starlink);
    let between: Vec<f64> = trips.windows(2).map(|two| (two[1].1 - two[0].1).abs()).collect();
    let harq = one_way(lte(), "there");
    let late: Vec<f64> = harq.iter().flatten().map(|delay| delay - 25.064).collect();
    let again = late.iter().filter(|late| **late > 0.001).count() as f64;
    let first = late.iter().copied().filter(|late| *late > 0.001).fold(f64::INFINITY, f64::min);
    vec![
        ("`starlink`", "time between steps of the delay, s", HUSTON, 15.0, period(&trips)),
        (
            "`starlink`",
            "mean difference between successive RTTs, ms",
            HUSTON,
            6.7,
            between.iter().sum::<f64>() / between.len() as f64,
        ),
        (
            "`starlink`",
            "pings without an answer, % (1 to 2 published)",
            HUSTON,
            1.0,
            100.0 * (1.0 - trips.len() as f64 / PINGS as f64),
        ),
        (
            "`lte`",
            "blocks sent again, %",
            "Sauter 2017, p. 243",
            10.0,
            100.0 * again / late.len() as f64,
        ),
        ("`lte`", "time until a block is sent again, ms", "TS 36.213, sec. 7 and 8", 8.0, first),
    ]
}

pub(crate) fn table() -> String {
    let mut out = "| network | quantity | source | published | here | here : published |\n\
        | --- | --- | --- | ---: | ---: | ---: |\n"
        .to_owned();
    for (network, quantity, source, published, found) in figures() {
        let ratio = found / published;
        writeln!(
            out,
            "| {network} | {quantity} | {source} | {published:.1} | {found:.2} | {ratio:.2} |"
        )
        .expect("a string grows");
    }
    out
}
