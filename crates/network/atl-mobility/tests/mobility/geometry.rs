//! Tracks, visits and signals against values worked by hand.

use atl_core::time::{Span, Time};
use atl_mobility::coverage::Cell;
use atl_mobility::geometry::{Point, Track, TrackError, WayPoint};

use crate::support::{cells, track};

fn at(x: f64, y: f64) -> Point {
    Point::new(x, y)
}

#[test]
fn a_track_goes_waits_and_stays() {
    let points = [
        WayPoint::new(at(0.0, 0.0), 10.0),
        WayPoint { at: at(30.0, 40.0), speed_mps: 5.0, wait: Span::from_secs(2) },
        WayPoint::new(at(30.0, 20.0), 0.0),
    ];
    let track = Track::new(Time::from_millis(1000), &points).expect("a track");
    // 1 s at the start, 5 s of 50 m, 2 s of waiting, 4 s of 20 m.
    for (secs, x, y) in [
        (0.0, 0.0, 0.0),
        (1.0, 0.0, 0.0),
        (3.5, 15.0, 20.0),
        (6.0, 30.0, 40.0),
        (8.0, 30.0, 40.0),
        (10.0, 30.0, 30.0),
        (12.0, 30.0, 20.0),
        (1e6, 30.0, 20.0),
    ] {
        let here = track.position(Time::from_secs_f64(secs));
        assert!(here.distance(at(x, y)) < 1e-9, "{secs}: {here:?}");
    }
    let starts: Vec<f64> = track.legs().iter().map(|leg| leg.start.secs()).collect();
    assert_eq!(starts, [0.0, 1.0, 6.0, 8.0, 12.0]);
    assert!(track.legs().windows(2).all(|pair| pair[0].end == pair[1].start));
}

#[test]
fn a_bad_track_names_its_way_point() {
    let point = |x: f64, speed: f64| WayPoint::new(at(x, 0.0), speed);
    let new = |points: &[WayPoint]| Track::new(Time::ZERO, points).expect_err("a bad track");
    assert_eq!(new(&[]), TrackError::Empty);
    assert_eq!(new(&[point(0.0, 1.0), point(f64::NAN, 1.0)]), TrackError::Place(1));
    assert_eq!(new(&[point(0.0, 0.0), point(1.0, 1.0)]), TrackError::Speed(0));
    assert_eq!(new(&[point(0.0, 1.0), point(1.0, -1.0), point(2.0, 1.0)]), TrackError::Speed(1));
    assert_eq!(new(&[point(0.0, f64::INFINITY), point(1.0, 1.0)]), TrackError::Speed(0));
    assert_eq!(new(&[point(0.0, 1.0), point(0.0, 1.0)]), TrackError::SamePlace(1));
    // The last way point has no speed to keep.
    assert!(Track::new(Time::ZERO, &[point(0.0, 1.0), point(1.0, 0.0)]).is_ok());
    // A speed so low that the way takes longer than `Time` can hold.
    assert!(
        Track::new(Time::ZERO, &[point(0.0, 1e-300), point(1e7, 1.0), point(0.0, 1.0)]).is_ok()
    );
}

#[test]
fn bad_cells_are_none() {
    for (x, r) in [(0.0, 0.0), (0.0, -1.0), (f64::NAN, 1.0), (0.0, f64::INFINITY), (0.0, f64::NAN)]
    {
        assert_eq!(Cell::new(at(x, 0.0), r), None, "{x} {r}");
    }
}

#[test]
fn a_visit_is_a_chord() {
    let cell = &cells(&[(100.0, 30.0, 50.0)])[0];
    let visits = |points: &[(f64, f64)]| -> Vec<(f64, f64)> {
        let secs = |(from, to): (Time, Time)| (from.secs(), to.secs());
        cell.visits(&track(points)).into_iter().map(secs).collect()
    };
    // 30 m beside the centre: half the chord is 40 m.
    assert_eq!(visits(&[(0.0, 0.0), (200.0, 0.0)]), [(6.0, 14.0)]);
    // A way point within ends no visit; coming back is a visit of its own.
    assert_eq!(visits(&[(0.0, 0.0), (100.0, 0.0), (200.0, 0.0)]), [(6.0, 14.0)]);
    assert_eq!(visits(&[(0.0, 0.0), (200.0, 0.0), (0.0, 0.0)]), [(6.0, 14.0), (26.0, 34.0)]);
    // It touches the circle, or passes by.
    assert_eq!(visits(&[(0.0, -20.0), (200.0, -20.0)]), []);
    assert_eq!(visits(&[(0.0, -21.0), (200.0, -21.0)]), []);
    // It begins within, and it stays within.
    assert_eq!(visits(&[(100.0, 0.0), (200.0, 0.0)]), [(0.0, 4.0)]);
    let stays = cell.visits(&track(&[(0.0, 0.0), (100.0, 0.0)]));
    assert_eq!(stays, [(Time::from_millis(6000), Time::MAX)]);
}

#[test]
fn the_signal_falls_by_the_exponent_for_each_tenfold_of_distance() {
    let cell = &cells(&[(0.0, 0.0, 500.0)])[0];
    let signal = |x: f64| cell.signal_db(at(x, 0.0), 3.5);
    assert!(signal(500.0).abs() < 1e-12);
    assert!((signal(50.0) - 35.0).abs() < 1e-12);
    assert!((signal(5000.0) + 35.0).abs() < 1e-12);
    assert!(signal(0.0).is_infinite());
    assert!(cell.covers(at(499.999, 0.0)) && !cell.covers(at(500.0, 0.0)));
}
