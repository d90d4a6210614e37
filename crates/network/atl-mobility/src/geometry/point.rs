//! A place in the plane.

/// A place in the plane, in metres from the map's origin.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Point {
    /// To the east, in metres.
    pub x_m: f64,
    /// To the north, in metres.
    pub y_m: f64,
}

impl Point {
    /// A place, in metres.
    pub const fn new(x_m: f64, y_m: f64) -> Self {
        Point { x_m, y_m }
    }

    /// True if neither coordinate is infinite or NaN.
    pub const fn is_finite(self) -> bool {
        self.x_m.is_finite() && self.y_m.is_finite()
    }

    /// Distance to another place, in metres.
    pub fn distance(self, other: Point) -> f64 {
        self.square_distance(other).sqrt()
    }

    /// Square of the distance to another place, in square metres.
    pub fn square_distance(self, other: Point) -> f64 {
        let (dx, dy) = (self.x_m - other.x_m, self.y_m - other.y_m);
        dx * dx + dy * dy
    }
}
