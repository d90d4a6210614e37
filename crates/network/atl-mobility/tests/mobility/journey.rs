//! Journeys worked out by hand. Hosts drive at 10 m/s.

use atl_core::time::{Span, Time};
use atl_mobility::journey::{JourneyError, Rules, compile};
use atl_mobility::prediction::{Heading, Nearest};
use atl_mobility::trigger::Trigger;

use crate::support::{cells, rules, signals, told, track, try_journey, two};

const ACROSS: &[(f64, f64)] = &[(0.0, 0.0), (850.0, 0.0)];

#[test]
fn each_trigger_has_its_place() {
    let told = |trigger| signals(&two(), &track(ACROSS), &rules(trigger));
    // The overlap is from 350 m to 500 m.
    assert_eq!(told(Trigger::Middle), ["35 imminent 1", "42.5 done 1", "50 gone 0"]);
    assert_eq!(told(Trigger::Entry), ["35 imminent 1", "35 done 1", "50 gone 0"]);
    assert_eq!(told(Trigger::Exit), ["35 imminent 1", "50 done 1", "50 gone 0"]);
    // 30 log10(d1 / d2) = 3 dB: d1 = 1.2589 d2, so 850 m x 1.2589 / 2.2589 = 473.7 m.
    assert_eq!(told(Trigger::STRONGEST), ["35 imminent 1", "47.371 done 1", "50 gone 0"]);
    let equal = Trigger::Strongest { hysteresis_db: 0.0, exponent: 3.0 };
    assert_eq!(told(equal), ["35 imminent 1", "42.5 done 1", "50 gone 0"]);
    // Within the overlap the signals never differ by 20 dB: the host leaves its cell first.
    let never = Trigger::Strongest { hysteresis_db: 20.0, exponent: 3.0 };
    assert_eq!(told(never), ["35 imminent 1", "50 done 1", "50 gone 0"]);
}

#[test]
fn the_middle_of_unequal_cells_is_the_line_through_the_corners() {
    // x^2 - 300^2 = (x - 400)^2 - 200^2: x = 262.5. The overlap is from 200 m to 300 m.
    let cells = cells(&[(0.0, 0.0, 300.0), (400.0, 0.0, 200.0)]);
    let track = track(&[(0.0, 0.0), (400.0, 0.0)]);
    let told = signals(&cells, &track, &Rules::default());
    assert_eq!(told, ["20 imminent 1", "26.25 done 1", "30 gone 0"]);
}

#[test]
fn the_address_takes_its_time() {
    let told = |secs: f64, trigger: Trigger| {
        let rules = Rules { trigger, binding: Span::from_secs_f64(secs), gap: None };
        signals(&two(), &track(ACROSS), &rules)
    };
    assert_eq!(told(2.0, Trigger::Middle), ["37 imminent 1", "42.5 done 1", "50 gone 0"]);
    // Later than the middle: the handoff waits for it.
    assert_eq!(told(9.0, Trigger::Middle), ["44 imminent 1", "44 done 1", "50 gone 0"]);
    assert_eq!(told(2.0, Trigger::Entry), ["37 imminent 1", "37 done 1", "50 gone 0"]);
    // Later than the overlap: a gap.
    assert_eq!(told(16.0, Trigger::Middle), ["50 gone 0", "51 done 1"]);
    assert_eq!(told(16.0, Trigger::Exit), ["50 gone 0", "51 done 1"]);
}

#[test]
fn a_hole_is_a_time_without_a_path() {
    let cells = cells(&[(0.0, 0.0, 300.0), (850.0, 0.0, 500.0)]);
    assert_eq!(signals(&cells, &track(ACROSS), &Rules::default()), ["30 gone 0", "35 done 1"]);
    let rules = Rules { binding: Span::from_secs(1), ..Rules::default() };
    assert_eq!(signals(&cells, &track(ACROSS), &rules), ["30 gone 0", "36 done 1"]);
}

#[test]
fn cells_that_touch_have_no_hole_between_them() {
    let cells = cells(&[(0.0, 0.0, 350.0), (850.0, 0.0, 500.0)]);
    let told = signals(&cells, &track(ACROSS), &Rules::default());
    assert_eq!(told, ["35 imminent 1", "35 done 1", "35 gone 0"]);
}

#[test]
fn who_starts_outside_has_no_path_at_first() {
    let cells = cells(&[(850.0, 0.0, 500.0), (2000.0, 0.0, 700.0)]);
    let track = track(&[(0.0, 0.0), (2000.0, 0.0)]);
    let journey = try_journey(&cells, &track, &Rules::default(), &Heading).expect("a journey");
    assert_eq!(journey.cells, [0, 1]);
    assert_eq!(told(&journey)[..4], ["0 gone 0", "35 done 0", "130 imminent 1", "132.065 done 1"]);
}

#[test]
fn who_is_never_in_a_cell_has_no_journey() {
    let far = track(&[(0.0, 2000.0), (850.0, 2000.0)]);
    let none = |until| compile(&two(), &far, &Rules::default(), &Heading, until).unwrap_err();
    assert_eq!(none(Time::MAX), JourneyError::NeverCovered);
    assert_eq!(
        try_journey(&[], &track(ACROSS), &Rules::default(), &Heading).unwrap_err(),
        JourneyError::NeverCovered
    );
    // Covered only after the journey's end.
    let outside = track(&[(-1000.0, 0.0), (0.0, 0.0)]);
    let early = compile(&two(), &outside, &Rules::default(), &Heading, Time::from_millis(10_000));
    assert_eq!(early.unwrap_err(), JourneyError::NeverCovered);
}

#[test]
fn more_cells_than_paths_are_refused() {
    let line: Vec<(f64, f64, f64)> = (0..257).map(|i| (f64::from(i) * 10.0, 0.0, 6.0)).collect();
    let track = track(&[(0.0, 0.0), (2560.0, 0.0)]);
    let of = |n: usize| try_journey(&cells(&line[..n]), &track, &Rules::default(), &Heading);
    assert_eq!(of(257).unwrap_err(), JourneyError::TooManyCells);
    assert_eq!(of(256).expect("a journey").cells.len(), 256);
}

/// Turns in the overlap, before the middle: the path was announced, never taken, and is gone in the
/// end.
#[test]
fn who_turns_back_leaves_an_announced_path_unused() {
    let back = track(&[(0.0, 0.0), (400.0, 0.0), (0.0, 0.0)]);
    assert_eq!(signals(&two(), &back, &Rules::default()), ["35 imminent 1", "45 gone 1"]);
}

/// To and fro over the middle line, within the overlap: the turn announces the way back.
#[test]
fn ping_pong_keeps_both_paths_and_their_numbers() {
    let zigzag = track(&[(0.0, 0.0), (475.0, 0.0), (375.0, 0.0), (475.0, 0.0)]);
    let told = signals(&two(), &zigzag, &Rules::default());
    assert_eq!(
        told,
        [
            "35 imminent 1",
            "42.5 done 1",
            "47.5 imminent 0",
            "52.5 done 0",
            "57.5 imminent 1",
            "62.5 done 1",
        ]
    );
    // 3 dB apart, 376 m to 474 m: the same way stays in the second cell, just so.
    let told = signals(&two(), &zigzag, &rules(Trigger::STRONGEST));
    assert_eq!(told.iter().filter(|t| t.contains("done")).count(), 3, "{told:?}");
    let told =
        signals(&two(), &zigzag, &rules(Trigger::Strongest { hysteresis_db: 4.0, exponent: 3.0 }));
    assert_eq!(told, ["35 imminent 1"]);
}

#[test]
fn who_comes_back_comes_back_to_the_same_path() {
    let there_and_back = track(&[(0.0, 0.0), (850.0, 0.0), (0.0, 0.0)]);
    let journey = try_journey(&two(), &there_and_back, &Rules::default(), &Heading).expect("one");
    assert_eq!(journey.cells, [0, 1]);
    assert_eq!(
        told(&journey),
        [
            "35 imminent 1",
            "42.5 done 1",
            "50 gone 0",
            "120 imminent 0",
            "127.5 done 0",
            "135 gone 1",
        ]
    );
}

/// A hotspot within a large cell: entered by its signal, never by a middle line.
#[test]
fn a_cell_within_a_cell() {
    let cells = cells(&[(0.0, 0.0, 1000.0), (500.0, 0.0, 50.0)]);
    let through = track(&[(0.0, 0.0), (900.0, 0.0)]);
    // Its path is not announced: a host that kept its course would stay in the large cell.
    assert_eq!(signals(&cells, &through, &Rules::default()), [""; 0]);
    assert_eq!(
        signals(&cells, &through, &rules(Trigger::Entry)),
        ["45 imminent 1", "45 done 1", "55 imminent 0", "55 done 0", "55 gone 1"]
    );
    // With k = 1.2589 (3 dB): x / 1000 = k (500 - x) / 50 at 480.9 m, and k x / 1000 = (x - 500) /
    // 50 at 533.6 m.
    let told = signals(&cells, &through, &rules(Trigger::STRONGEST));
    assert_eq!(told[0], "45 imminent 1");
    let dones: Vec<&String> = told.iter().filter(|t| t.contains("done")).collect();
    assert_eq!(dones, ["48.09 done 1", "53.359 done 0"]);
}

#[test]
fn who_waits_in_the_overlap_hands_over_when_it_goes_on() {
    use atl_mobility::geometry::{Point, Track, WayPoint};
    let mut points = [0.0, 400.0, 850.0].map(|x| WayPoint::new(Point::new(x, 0.0), 10.0));
    points[1].wait = Span::from_secs(100);
    let track = Track::new(Time::ZERO, &points).expect("a track");
    let told = signals(&two(), &track, &Rules::default());
    assert_eq!(told, ["35 imminent 1", "142.5 done 1", "150 gone 0"]);
}

/// On the line itself neither side is better.
#[test]
fn driving_along_the_middle_line_changes_nothing() {
    let along = track(&[(425.0, -200.0), (425.0, 200.0)]);
    assert_eq!(signals(&two(), &along, &Rules::default()), ["0 imminent 1"; 0]);
}

#[test]
fn the_run_ends_when_it_ends() {
    let until = Time::from_millis(42_500);
    let journey = compile(&two(), &track(ACROSS), &Rules::default(), &Nearest, until);
    assert_eq!(told(&journey.expect("a journey")), ["35 imminent 1"]);
}

/// With one radio a change of cells begins before it is done: also one that the run does not live
/// to see.
#[test]
fn a_change_that_the_run_does_not_see_begins_in_it() {
    let hard = Rules { gap: Some(Span::from_secs(2)), ..Rules::default() };
    let ends = |ms| compile(&two(), &track(ACROSS), &hard, &Nearest, Time::from_millis(ms));
    let told = |ms| told(&ends(ms).expect("a journey"));
    assert_eq!(told(40_000), ["0 imminent 1"; 0]);
    assert_eq!(told(42_000), ["40.5 gone 0"]);
    assert_eq!(told(43_000), ["40.5 gone 0", "42.5 done 1"]);
}
