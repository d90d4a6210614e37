//! Maps and tracks written as one line of numbers.

use atl_core::path::PathSignal;
use atl_core::time::Time;
use atl_mobility::coverage::Cell;
use atl_mobility::geometry::{Point, Track, WayPoint};
use atl_mobility::journey::{Journey, JourneyError, Rules, compile};
use atl_mobility::prediction::{Heading, Predictor};
use atl_mobility::trigger::Trigger;

/// Cells from (x, y, radius).
pub(crate) fn cells(list: &[(f64, f64, f64)]) -> Vec<Cell> {
    list.iter().map(|&(x, y, r)| Cell::new(Point::new(x, y), r).expect("a cell")).collect()
}

/// A track at 10 m/s.
pub(crate) fn track(points: &[(f64, f64)]) -> Track {
    let points: Vec<WayPoint> =
        points.iter().map(|&(x, y)| WayPoint::new(Point::new(x, y), 10.0)).collect();
    Track::new(Time::ZERO, &points).expect("a track")
}

/// The cells of Taleb et al., sec. IV-A: radius 500 m, 850 m apart.
pub(crate) fn two() -> Vec<Cell> {
    cells(&[(0.0, 0.0, 500.0), (850.0, 0.0, 500.0)])
}

pub(crate) fn rules(trigger: Trigger) -> Rules {
    Rules { trigger, ..Rules::default() }
}

pub(crate) fn try_journey(
    cells: &[Cell],
    track: &Track,
    rules: &Rules,
    predictor: &dyn Predictor,
) -> Result<Journey, JourneyError> {
    compile(cells, track, rules, predictor, Time::MAX)
}

/// The signals of a journey, as `10 imminent 1`, with times in seconds and cells instead of paths.
pub(crate) fn told(journey: &Journey) -> Vec<String> {
    let one = |step: &atl_mobility::journey::Step| {
        let what = match step.signal {
            PathSignal::Imminent(_) => "imminent",
            PathSignal::Done(_) => "done",
            PathSignal::Gone(_) => "gone",
        };
        let secs = (step.at.secs() * 1e3).round() / 1e3;
        format!("{secs} {what} {}", journey.cells[step.signal.path().index()])
    };
    journey.steps.iter().map(one).collect()
}

/// The signals of a host that predicts by its heading.
pub(crate) fn signals(cells: &[Cell], track: &Track, rules: &Rules) -> Vec<String> {
    told(&try_journey(cells, track, rules, &Heading).expect("a journey"))
}
