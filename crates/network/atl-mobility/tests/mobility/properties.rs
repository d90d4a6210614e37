//! Properties of journeys on random maps.

use std::collections::BTreeSet;

use atl_core::path::{PathId, PathSignal};
use atl_core::time::{Span, Time};
use atl_mobility::coverage::Cell;
use atl_mobility::geometry::{Point, Track, WayPoint};
use atl_mobility::journey::{Journey, JourneyError, Rules, compile};
use atl_mobility::prediction::{Heading, History, Nearest, Predictor};
use atl_mobility::trigger::Trigger;
use proptest::prelude::*;
use proptest::test_runner::RngSeed;

fn a_point() -> impl Strategy<Value = Point> {
    // Whole numbers of 50 m too, so that circles touch and way points lie on edges.
    let whole = (-20..20_i32, -20..20_i32)
        .prop_map(|(x, y)| Point::new(f64::from(x) * 50.0, f64::from(y) * 50.0));
    let any = (-1000.0..1000.0, -1000.0..1000.0).prop_map(|(x, y)| Point::new(x, y));
    prop_oneof![whole, any]
}

fn a_map() -> impl Strategy<Value = Vec<Cell>> {
    let radius = prop_oneof![(1..12_i32).prop_map(|r| f64::from(r) * 50.0), 1.0..600.0];
    let cell = (a_point(), radius).prop_filter_map("a cell", |(at, r)| Cell::new(at, r));
    prop::collection::vec(cell, 1..9)
}

fn a_track() -> impl Strategy<Value = Track> {
    let wait = prop_oneof![3 => Just(0_u64), 1 => 0..30_000_u64];
    let point = (a_point(), 0.5..60.0, wait).prop_map(|(at, speed_mps, wait)| WayPoint {
        at,
        speed_mps,
        wait: Span::from_millis(wait),
    });
    (0..5_000_u64, prop::collection::vec(point, 2..8))
        .prop_filter_map("a track", |(start, points)| {
            Track::new(Time::from_millis(start), &points).ok()
        })
}

fn some_rules() -> impl Strategy<Value = Rules> {
    let strongest = (0.0..10.0, 2.0..4.0)
        .prop_map(|(hysteresis_db, exponent)| Trigger::Strongest { hysteresis_db, exponent });
    let equal = Just(Trigger::Strongest { hysteresis_db: 0.0, exponent: 3.0 });
    let trigger = prop_oneof![
        Just(Trigger::Middle),
        Just(Trigger::Entry),
        Just(Trigger::Exit),
        equal,
        strongest
    ];
    let binding = prop_oneof![Just(0_u64), 0..20_000_u64].prop_map(Span::from_millis);
    (trigger, binding).prop_map(|(trigger, binding)| Rules { trigger, binding, gap: None })
}

fn a_predictor() -> impl Strategy<Value = usize> {
    0..3_usize
}

fn predictor(which: usize) -> Box<dyn Predictor> {
    match which {
        0 => Box::new(Nearest),
        1 => Box::new(Heading),
        _ => Box::new(History::new(&[vec![0, 1, 0, 2, 0], vec![2, 1]])),
    }
}

/// Distance in metres that rounding to nanoseconds can move a position out of a cell.
const ROUNDING_M: f64 = 1e-4;

/// Checks a journey against the map by testing positions, without solving for crossings.
fn check(
    cells: &[Cell],
    track: &Track,
    rules: &Rules,
    journey: &Journey,
) -> Result<(), TestCaseError> {
    let outside = |path: PathId, at: Time| {
        let cell = &cells[journey.cells[path.index()]];
        cell.at().distance(track.position(at)) - cell.radius_m()
    };
    let starts_outside = cells.iter().all(|cell| !cell.covers(track.position(Time::ZERO)));
    let mut there = BTreeSet::from([PathId::FIRST]);
    let mut current = Some(PathId::FIRST);
    let mut announced = BTreeSet::new();
    let mut last = Time::ZERO;
    for (i, step) in journey.steps.iter().enumerate() {
        prop_assert!(step.at >= last, "times are in order");
        last = step.at;
        let path = step.signal.path();
        prop_assert!(path.index() < journey.cells.len());
        match step.signal {
            PathSignal::Imminent(_) => {
                prop_assert!(current.is_some(), "a handoff from somewhere");
                prop_assert_ne!(current, Some(path));
                prop_assert!(outside(path, step.at) < ROUNDING_M);
                there.insert(path);
                announced.insert(path);
            }
            PathSignal::Done(_) => {
                prop_assert_ne!(current, Some(path));
                prop_assert!(current.is_none() || announced.contains(&path), "announced");
                prop_assert!(outside(path, step.at) < ROUNDING_M, "it covers the host");
                announced.remove(&path);
                there.insert(path);
                current = Some(path);
            }
            PathSignal::Gone(_) => {
                prop_assert!(there.remove(&path), "it was there");
                announced.remove(&path);
                let first = i == 0 && starts_outside && step.at == Time::ZERO;
                prop_assert!(first || outside(path, step.at).abs() < ROUNDING_M, "at its edge");
                if current == Some(path) {
                    current = None;
                }
            }
        }
    }
    // Between the steps: the current path's cell covers the host, and a host without a path is in
    // no cell, or in one whose address is not ready.
    let mut current = Some(PathId::FIRST);
    let ends: Vec<Time> = journey.steps.iter().map(|step| step.at).collect();
    let mut from = Time::ZERO;
    for (i, &to) in ends.iter().enumerate() {
        let middle = Time::from_nanos(from.nanos() + (to.nanos() - from.nanos()) / 2);
        if to.since(from) > Span::from_millis(1) {
            match current {
                Some(path) => prop_assert!(outside(path, middle) < ROUNDING_M),
                None if rules.binding.is_zero() => {
                    let deep = |cell: &Cell| {
                        cell.at().distance(track.position(middle)) < cell.radius_m() - ROUNDING_M
                    };
                    prop_assert!(!cells.iter().any(deep), "without a path in a cell");
                }
                None => {}
            }
        }
        match journey.steps[i].signal {
            PathSignal::Done(path) => current = Some(path),
            PathSignal::Gone(path) if current == Some(path) => current = None,
            _ => {}
        }
        from = to;
    }
    Ok(())
}

proptest! {
    // A case takes 0.1 ms, and mistakes show once in some thousands. `PROPTEST_CASES=200000` tries
    // more.
    #![proptest_config(ProptestConfig {
        rng_seed: RngSeed::Fixed(13),
        cases: ProptestConfig::default().cases.max(5000),
        ..ProptestConfig::default()
    })]

    #[test]
    fn signals_are_consistent(
        cells in a_map(),
        track in a_track(),
        rules in some_rules(),
        which in a_predictor(),
        until in prop_oneof![Just(u64::MAX), 1..200_000_u64],
    ) {
        let until = if until == u64::MAX { Time::MAX } else { Time::from_millis(until) };
        match compile(&cells, &track, &rules, &*predictor(which), until) {
            Ok(journey) => {
                prop_assert!(journey.steps.iter().all(|step| step.at < until));
                let distinct: BTreeSet<&usize> = journey.cells.iter().collect();
                prop_assert_eq!(distinct.len(), journey.cells.len());
                check(&cells, &track, &rules, &journey)?;
            }
            Err(JourneyError::NeverCovered) => {
                let enters = |cell: &Cell| {
                    let first = cell.visits(&track).first().copied();
                    first.is_some_and(|(from, to)| from.saturating_add(rules.binding) < until.min(to) && from < until)
                };
                prop_assert!(!cells.iter().any(enters));
            }
            Err(error) => prop_assert!(false, "{error}"),
        }
    }

    /// A prediction affects the announcements, and never the host's place.
    #[test]
    fn predictions_do_not_move_the_host(cells in a_map(), track in a_track(), rules in some_rules()) {
        let rules = Rules { binding: Span::ZERO, ..rules };
        let moves = |which: usize| {
            let journey = compile(&cells, &track, &rules, &*predictor(which), Time::MAX).ok()?;
            let cell = |path: PathId| journey.cells[path.index()];
            let done = journey.steps.iter().filter_map(|step| match step.signal {
                PathSignal::Done(path) => Some((step.at, cell(path))),
                _ => None,
            });
            Some(done.collect::<Vec<_>>())
        };
        prop_assert_eq!(moves(0), moves(1));
        prop_assert_eq!(moves(0), moves(2));
    }

    /// Visits agree with a test of single positions.
    #[test]
    fn visits_agree_with_looking(cells in a_map(), track in a_track(), at in 0..200_000_u64) {
        let at = Time::from_millis(at);
        for cell in &cells {
            let place = track.position(at);
            let depth = cell.radius_m() - cell.at().distance(place);
            let visited = cell.visits(&track).iter().any(|(from, to)| *from <= at && at < *to);
            prop_assert!(depth.abs() < ROUNDING_M || visited == (depth > 0.0), "{depth} {visited}");
        }
    }
}
