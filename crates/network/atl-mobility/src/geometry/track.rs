//! The track of a host: straight lines at constant speeds, and stops.

use core::fmt;

use atl_core::time::{Span, Time};

use super::{Point, Quadratic};

/// A place that a track leads through.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WayPoint {
    /// In metres from the map's origin.
    pub at: Point,
    /// Speed from here to the next way point, in m/s; above 0. Without meaning at the last one.
    pub speed_mps: f64,
    /// Time that the host spends here before it goes on.
    pub wait: Span,
}

impl WayPoint {
    /// A way point without a stop.
    pub const fn new(at: Point, speed_mps: f64) -> Self {
        WayPoint { at, speed_mps, wait: Span::ZERO }
    }
}

/// A defect of a list of way points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TrackError {
    /// There is no way point.
    Empty,
    /// The place of the way point with this index is not finite.
    Place(usize),
    /// The speed at the way point with this index is not finite and above zero.
    Speed(usize),
    /// The way point with this index is where the one before it is.
    SamePlace(usize),
}

impl fmt::Display for TrackError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TrackError::Empty => write!(f, "a track has at least one way point"),
            TrackError::Place(i) => write!(f, "the place of way point {i} is not finite"),
            TrackError::Speed(i) => write!(f, "the speed at way point {i} is not above zero"),
            TrackError::SamePlace(i) => write!(f, "way point {i} is where the one before it is"),
        }
    }
}

impl core::error::Error for TrackError {}

/// A part of a track: a straight line at constant speed, or a stop.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Leg {
    /// The time at which it begins.
    pub start: Time,
    /// The time at which it ends; [`Time::MAX`] at the last place.
    pub end: Time,
    /// The place at which it begins.
    pub from: Point,
    /// Velocity to the east and to the north, in m/s; zero at a stop.
    pub velocity_mps: (f64, f64),
}

impl Leg {
    /// The host's place at a time on this leg.
    pub fn position(&self, at: Time) -> Point {
        let t = at.since(self.start).secs();
        let (vx, vy) = self.velocity_mps;
        if self.stands() {
            return self.from;
        }
        Point::new(self.from.x_m + vx * t, self.from.y_m + vy * t)
    }

    /// True for a stop.
    pub fn stands(&self) -> bool {
        self.velocity_mps == (0.0, 0.0)
    }

    /// The same motion from a time on, without an end: the course of a host that never turns.
    pub fn onwards(&self, at: Time) -> Leg {
        Leg { start: at, end: Time::MAX, from: self.position(at), velocity_mps: self.velocity_mps }
    }

    /// The square of the distance to a place over the time since the leg began.
    pub(crate) fn square_distance(&self, to: Point) -> Quadratic {
        let (dx, dy) = (self.from.x_m - to.x_m, self.from.y_m - to.y_m);
        let (vx, vy) = self.velocity_mps;
        Quadratic { a: vx * vx + vy * vy, b: 2.0 * (dx * vx + dy * vy), c: dx * dx + dy * dy }
    }

    /// The times on this leg at which a quantity is positive, rounded to nanoseconds.
    pub(crate) fn positive(&self, quantity: Quadratic) -> impl Iterator<Item = (Time, Time)> {
        let (start, end) = (self.start, self.end);
        let seconds = if end == Time::MAX { f64::INFINITY } else { end.since(start).secs() };
        let time = move |t: f64| {
            if t >= seconds { end } else { start.saturating_add(Span::from_secs_f64(t)).min(end) }
        };
        quantity
            .positive(seconds)
            .map(move |(from, to)| (time(from), time(to)))
            .filter(|(a, b)| a < b)
    }
}

/// The track of a host. It is at its first way point until it starts, and stays at its last.
#[derive(Clone, Debug, PartialEq)]
pub struct Track {
    points: Vec<WayPoint>,
    legs: Vec<Leg>,
}

impl Track {
    /// A track through way points, begun at `start`.
    ///
    /// # Errors
    /// The first way point that is not finite, has no speed, or is where the one before it is.
    pub fn new(start: Time, points: &[WayPoint]) -> Result<Track, TrackError> {
        let last = points.len().checked_sub(1).ok_or(TrackError::Empty)?;
        for (i, point) in points.iter().enumerate() {
            if !point.at.is_finite() {
                return Err(TrackError::Place(i));
            }
            if i < last && !(point.speed_mps.is_finite() && point.speed_mps > 0.0) {
                return Err(TrackError::Speed(i));
            }
            if i > 0 && point.at == points[i - 1].at {
                return Err(TrackError::SamePlace(i));
            }
        }
        let mut legs = Vec::new();
        let mut now = Time::ZERO;
        let mut go = |now: &mut Time, from: Point, to: Point, lasts: Span| {
            let (start, end) = (*now, now.saturating_add(lasts));
            if start == end {
                return;
            }
            // Over the rounded time, so that the leg ends exactly where the next one begins.
            let secs = end.since(start).secs();
            let velocity_mps = ((to.x_m - from.x_m) / secs, (to.y_m - from.y_m) / secs);
            legs.push(Leg { start, end, from, velocity_mps });
            *now = end;
        };
        go(&mut now, points[0].at, points[0].at, start.since(Time::ZERO));
        for pair in points.windows(2) {
            let (here, next) = (pair[0], pair[1]);
            go(&mut now, here.at, here.at, here.wait);
            let lasts = Span::from_secs_f64(here.at.distance(next.at) / here.speed_mps);
            go(&mut now, here.at, next.at, lasts.max(Span::from_nanos(1)));
        }
        legs.push(Leg {
            start: now,
            end: Time::MAX,
            from: points[last].at,
            velocity_mps: (0.0, 0.0),
        });
        Ok(Track { points: points.to_vec(), legs })
    }

    /// The way points that it was made from.
    pub fn points(&self) -> &[WayPoint] {
        &self.points
    }

    /// Its legs, one after the other from the start of the run, without a gap; the last one never
    /// ends.
    pub fn legs(&self) -> &[Leg] {
        &self.legs
    }

    /// The leg at a time; where one ends and the next begins, the next.
    pub fn leg(&self, at: Time) -> &Leg {
        let next = self.legs.partition_point(|leg| leg.start <= at);
        &self.legs[next.saturating_sub(1)]
    }

    /// The host's place at a time.
    pub fn position(&self, at: Time) -> Point {
        self.leg(at).position(at)
    }
}
