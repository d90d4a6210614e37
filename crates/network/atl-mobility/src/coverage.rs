//! Cells: where a network can be reached, and how strong its signal is there.

use atl_core::time::Time;

use crate::geometry::{Leg, Point, Quadratic, Track};

/// Path-loss exponent of a town: 2.7 to 3.5 in urban cells, 2 in free space (Rappaport, Wireless
/// Communications, 2nd edition, table 4.2).
pub const URBAN_EXPONENT: f64 = 3.0;

/// A radio cell: a circle around an access point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Cell {
    at: Point,
    radius_m: f64,
}

impl Cell {
    /// A cell around a place, with a radius in metres; `None` unless both are finite and the radius
    /// is above zero.
    pub fn new(at: Point, radius_m: f64) -> Option<Cell> {
        let fine = at.is_finite() && radius_m.is_finite() && radius_m > 0.0;
        fine.then_some(Cell { at, radius_m })
    }

    /// Place of its access point.
    pub const fn at(&self) -> Point {
        self.at
    }

    /// Distance from the access point to its edge, in metres.
    pub const fn radius_m(&self) -> f64 {
        self.radius_m
    }

    /// True for a place inside; the edge itself is outside.
    pub fn covers(&self, place: Point) -> bool {
        self.depth(place) > 0.0
    }

    /// Its signal at a place, in dB above that at its edge: 10 n log10(radius / distance), the
    /// log-distance path loss with exponent n. Infinite at the access point.
    pub fn signal_db(&self, place: Point, exponent: f64) -> f64 {
        10.0 * exponent * libm::log10(self.radius_m / self.at.distance(place))
    }

    /// Depth of a place within it: the square of the radius less that of the distance, in square
    /// metres.
    pub(crate) fn depth(&self, place: Point) -> f64 {
        self.radius_m * self.radius_m - self.at.square_distance(place)
    }

    /// The same over the time on a leg.
    pub(crate) fn depth_on(&self, leg: &Leg) -> Quadratic {
        Quadratic::constant(self.radius_m * self.radius_m) - leg.square_distance(self.at)
    }

    /// The times at which it covers a host on a track, in order and apart from each other.
    pub fn visits(&self, track: &Track) -> Vec<(Time, Time)> {
        let mut visits: Vec<(Time, Time)> = Vec::new();
        for leg in track.legs() {
            for (from, to) in leg.positive(self.depth_on(leg)) {
                match visits.last_mut() {
                    // A way point within the cell ends no visit.
                    Some(last) if last.1 == from => last.1 = to,
                    _ => visits.push((from, to)),
                }
            }
        }
        visits
    }
}
