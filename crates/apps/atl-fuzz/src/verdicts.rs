//! Verdicts on quotes, whatever was measured.

use std::path::Path;
use std::sync::Arc;

use atl_engine::result::{EngineId, FlowResult, RunResult};
use atl_engine::store::Results;
use atl_report::Outcome;
use atl_report::stats::{MIN_SEEDS, Spread};
use atl_report::verdict::{Judged, Verdict, judge};
use atl_scenario::{Overrides, no_files, parse};

use crate::bytes::Bytes;

/// Quotes of every kind: numbers as themselves and as bounds, comparisons both ways round.
const QUOTES: &str = include_str!("verdicts/quotes.toml");

/// Numbers that no measurement should be, and some that one is.
const STRANGE: [f64; 8] =
    [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, -1.0, 0.0, f64::MIN_POSITIVE, f64::MAX, 2e6];

/// The first byte is the number of seeds; the others are what each run measured. Verdicts follow
/// from numbers that are numbers, contradict neither themselves nor each other, and do not depend
/// on the unit of what they compare.
pub fn verdicts(data: &[u8]) {
    let mut bytes = Bytes(data);
    let Some(seeds) = bytes.byte() else { return };
    let seeds = usize::from(seeds % 9) + 1;
    let given = Overrides { seeds: Some(seeds.to_string()), ..Overrides::default() };
    let scenario = parse("quotes", QUOTES, Path::new("quotes.toml"), &no_files, &given);
    let scenario = Arc::new(scenario.unwrap_or_else(|errors| panic!("{errors}")));
    let mut plain = true;
    let runs: Vec<Vec<RunResult>> = scenario
        .points
        .iter()
        .map(|_| (0..seeds).map(|_| run(&mut bytes, &mut plain)).collect())
        .collect();
    let outcome = |runs: Vec<Vec<RunResult>>| Outcome {
        scenario: Arc::clone(&scenario),
        results: Results::from(runs),
        engine: EngineId { name: "sim".to_owned(), version: "0".to_owned() },
        version: "0".to_owned(),
        command: "none".to_owned(),
    };
    let judged = judge(&outcome(runs.clone()));
    assert_eq!(judged.len(), scenario.quotes.len());
    for one in &judged {
        is_sound(one, seeds);
    }
    let of = |id: &str| {
        let one = judged.iter().find(|one| one.quote.id == id);
        one.unwrap_or_else(|| panic!("no quote {id}"))
    };
    for id in ["value", "ratio"] {
        let (most, least) = (of(&format!("{id}-most")), of(&format!("{id}-least")));
        let both = [most, least];
        assert!(
            both.iter().any(|one| one.verdict != Verdict::NotMet),
            "more and less at once: {both:?}"
        );
        if of(id).verdict == Verdict::Met {
            assert!(both.iter().all(|one| one.verdict == Verdict::Met), "{id}: {both:?}");
        }
    }
    for id in ["order", "above"] {
        let both = [of(id), of(&format!("{id}-reversed"))];
        assert!(both.iter().any(|one| !one.verdict.passes()), "both ways round: {both:?}");
    }
    if plain {
        let double = |flow: &FlowResult| FlowResult {
            goodput_bps: 2.0 * flow.goodput_bps,
            throughput_bps: 2.0 * flow.throughput_bps,
            ..flow.clone()
        };
        let doubled = runs.iter().map(|point| {
            let run = |run: &RunResult| RunResult {
                flows: run.flows.iter().map(double).collect(),
                ..run.clone()
            };
            point.iter().map(run).collect()
        });
        let doubled = judge(&outcome(doubled.collect()));
        for (one, twice) in judged.iter().zip(&doubled) {
            // A value is quoted in its unit.
            if !one.quote.id.starts_with("value") {
                assert_eq!(one.verdict, twice.verdict, "twice all rates: {one:?}, {twice:?}");
            }
        }
    }
}

fn is_sound(one: &Judged, seeds: usize) {
    assert!(!one.reason.is_empty(), "{one:?}");
    let texts = one.measured.iter().map(|m| &m.text).chain([&one.reason]);
    for text in texts {
        assert!(!text.contains("NaN") && !text.contains("inf"), "{one:?}");
    }
    for measured in &one.measured {
        let estimate = measured.estimate;
        assert!(estimate.mean.is_finite(), "{one:?}");
        assert!((1..=estimate.of).contains(&estimate.n) && estimate.of <= seeds, "{one:?}");
        if let Spread::Interval { low, high } = estimate.spread {
            assert!(low <= high && estimate.n >= MIN_SEEDS, "{one:?}");
        }
    }
    if seeds < MIN_SEEDS {
        let open = matches!(one.verdict, Verdict::TooFewSeeds | Verdict::NotMeasured);
        assert!(open, "{seeds} seeds: {one:?}");
    }
    if one.verdict.decides() {
        assert!(!one.measured.is_empty(), "a verdict on nothing: {one:?}");
    }
}

fn run(bytes: &mut Bytes<'_>, plain: &mut bool) -> RunResult {
    let mut number = |bytes: &mut Bytes<'_>| match bytes.byte() {
        // An engine that cannot know has no number; where one is required, it is 0.
        None | Some(0) => None,
        Some(code @ 1..=16) => {
            *plain = false;
            Some(STRANGE[usize::from(code) % STRANGE.len()])
        }
        Some(17..=24) => {
            *plain = false;
            Some(bytes.f64())
        }
        // Around the quoted numbers.
        Some(code @ 25..=127) => Some(2e6 * (1.0 + f64::from(code) / 256.0)),
        Some(_) => Some(f64::from(bytes.u16()) * 64.0),
    };
    let mut flow = || {
        let seconds = |n: Option<f64>| n.map(|n| n / 1e6);
        let count = |n: Option<f64>| n.unwrap_or_default().abs() as u64;
        let sent = count(number(bytes));
        FlowResult {
            active_s: number(bytes).map_or(10.0, |n| n / 1e6),
            goodput_bps: number(bytes).unwrap_or_default(),
            throughput_bps: number(bytes).unwrap_or_default(),
            sent,
            lost: number(bytes).map(|n| n.abs() as u64),
            dropped: number(bytes).map(|n| n.abs() as u64),
            completion_s: seconds(number(bytes)),
            in_run_s: seconds(number(bytes)),
            rtt_median_s: seconds(number(bytes)),
            rtt_p95_s: seconds(number(bytes)),
            rtt_min_s: seconds(number(bytes)),
            ..FlowResult::default()
        }
    };
    RunResult { flows: vec![flow(), flow()], ..RunResult::default() }
}
