//! Predictions on maps where the naive choice is wrong.

use atl_mobility::journey::Rules;
use atl_mobility::prediction::{Heading, History, Nearest, Predictor};
use atl_mobility::trigger::Trigger;

use crate::support::{cells, rules, told, track, try_journey};

fn signals(
    map: &[(f64, f64, f64)],
    way: &[(f64, f64)],
    rules: &Rules,
    predictor: &dyn Predictor,
) -> Vec<String> {
    told(&try_journey(&cells(map), &track(way), rules, predictor).expect("a journey"))
}

/// A road to the east passes a cell at its side, which it leaves before its own; the next one is
/// ahead.
const SIDE: &[(f64, f64, f64)] = &[(0.0, 0.0, 500.0), (300.0, 400.0, 420.0), (850.0, 0.0, 500.0)];
const EAST: &[(f64, f64)] = &[(0.0, 0.0), (850.0, 0.0)];

#[test]
fn the_nearest_cell_need_not_be_on_the_way() {
    let exit = rules(Trigger::Exit);
    let told = signals(SIDE, EAST, &exit, &Nearest);
    // At 172 m only the cell at the side is there, at 350 m it is the nearer one still: its path is
    // prepared, and gone at 428 m. Only then the right one is.
    assert_eq!(
        told,
        ["17.194 imminent 1", "42.806 gone 1", "42.806 imminent 2", "50 done 2", "50 gone 0"]
    );
    // By its heading the host knows better.
    let told = signals(SIDE, EAST, &exit, &Heading);
    assert_eq!(told, ["35 imminent 2", "50 done 2", "50 gone 0"]);
}

/// A fork: the road turns to the north where both other cells cover.
const FORK: &[(f64, f64, f64)] = &[(0.0, 0.0, 500.0), (850.0, 0.0, 520.0), (700.0, 600.0, 600.0)];
const TURN: &[(f64, f64)] = &[(0.0, 0.0), (400.0, 100.0), (700.0, 600.0)];

#[test]
fn the_heading_need_not_be_kept() {
    let exit = rules(Trigger::Exit);
    let straight = signals(FORK, TURN, &exit, &Heading);
    let announced = |told: &[String]| -> Vec<String> {
        told.iter()
            .filter(|t| t.contains("imminent"))
            .map(|t| t[t.len() - 1..].to_owned())
            .collect()
    };
    assert_eq!(announced(&straight), ["1", "2"], "{straight:?}");
    // A host that has gone this way before expects the turn.
    let history = History::new(&[vec![0, 2], vec![0, 1], vec![0, 2]]);
    let known = signals(FORK, TURN, &exit, &history);
    assert_eq!(announced(&known).last().map(String::as_str), Some("2"), "{known:?}");
    let at = |told: &[String]| {
        let imminent = told.iter().find(|t| t.ends_with("imminent 2")).expect("announced");
        imminent.split(' ').next().and_then(|t| t.parse::<f64>().ok()).expect("a time")
    };
    assert!(at(&known) < at(&straight), "{known:?} {straight:?}");
}

/// A wrong prediction: a path that is never taken, and the right one unprepared.
#[test]
fn a_wrong_prediction_leaves_the_right_path_unprepared() {
    let wrong = History::new(&[vec![0, 1]]);
    let told = signals(SIDE, EAST, &rules(Trigger::Exit), &wrong);
    assert_eq!(told[0], "17.194 imminent 1");
    let middle = signals(SIDE, EAST, &Rules::default(), &History::new(&[vec![0, 1], vec![0, 1]]));
    let taken = middle.iter().position(|t| t.ends_with("done 2")).expect("taken");
    let announced = middle.iter().position(|t| t.ends_with("imminent 2")).expect("announced");
    assert_eq!(announced + 1, taken, "{middle:?}");
}

/// Both cells border on the middle one; the cell that the host came from tells which is next.
#[test]
fn the_cell_before_counts_more_than_the_current_one() {
    use atl_mobility::prediction::View;
    let map = cells(&[(0.0, 0.0, 500.0), (850.0, 0.0, 500.0), (1700.0, 0.0, 500.0)]);
    let track = track(&[(850.0, 0.0), (860.0, 0.0)]);
    let motion = track.leg(atl_core::time::Time::ZERO).onwards(atl_core::time::Time::ZERO);
    let view = |visited: &'static [usize]| View {
        cells: &map,
        trigger: Trigger::Middle,
        motion: &motion,
        current: 1,
        candidates: &[0, 2],
        visited,
    };
    let commuter = History::new(&[vec![0, 1, 2], vec![2, 1, 0]]);
    assert_eq!(commuter.next(&view(&[0, 1])), Some(2));
    assert_eq!(commuter.next(&view(&[2, 1])), Some(0));
    // The host came from a cell that it never came from before: the cell to which this one was most
    // often left.
    let often = History::new(&[vec![0, 1, 2], vec![2, 1, 0], vec![3, 1, 0]]);
    assert_eq!(often.next(&view(&[5, 1])), Some(0));
    assert_eq!(often.next(&view(&[1])), Some(0));
    // It learns on the way: once from 1 to 0 in the past, twice to 2 today.
    let learns = History::new(&[vec![1, 0]]);
    assert_eq!(learns.next(&view(&[1])), Some(0));
    assert_eq!(learns.next(&view(&[1, 2, 1, 2, 1])), Some(2));
    // An empty history leaves the answer to the heading.
    let nothing = History::default();
    assert_eq!(nothing.next(&view(&[1])), Heading.next(&view(&[1])));
}
