//! The times at which a quantity that is quadratic in time is positive.
//!
//! On a straight line at constant speed the square of the distance to a place is quadratic in time,
//! and so is every difference of such squares. A circle, the chord through the corners of two
//! overlapping circles, and the curve on which one signal exceeds another by some decibels are all
//! places where such a quantity is zero.

use core::ops::{Mul, Sub};

/// a t^2 + b t + c, with t in seconds.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Quadratic {
    pub(crate) a: f64,
    pub(crate) b: f64,
    pub(crate) c: f64,
}

/// Times in seconds, from and to.
pub(crate) type Interval = (f64, f64);

impl Quadratic {
    /// A quantity that does not change.
    pub(crate) const fn constant(c: f64) -> Self {
        Quadratic { a: 0.0, b: 0.0, c }
    }

    /// The times from 0 to `end` (which may be infinite) at which it is positive: at most two open
    /// intervals, in order.
    ///
    /// Of a quantity and its negative the intervals have exactly the same bounds, so that they
    /// never overlap.
    pub(crate) fn positive(self, end: f64) -> impl Iterator<Item = Interval> {
        let all = f64::NEG_INFINITY..f64::INFINITY;
        let (first, second) = match self.roots() {
            Some((low, high)) if self.a > 0.0 => (Some((all.start, low)), Some((high, all.end))),
            Some((low, high)) if self.a < 0.0 => (Some((low, high)), None),
            // A straight line has one root.
            Some((root, _)) if self.b > 0.0 => (Some((root, all.end)), None),
            Some((root, _)) => (Some((all.start, root)), None),
            None => ((self.a > 0.0 || self.c > 0.0).then_some((all.start, all.end)), None),
        };
        let within = move |(from, to): Interval| (from.max(0.0), to.min(end));
        first.into_iter().chain(second).map(within).filter(|(from, to)| from < to)
    }

    /// The roots in order, without cancellation (Press et al., Numerical Recipes, sec. 5.6).
    /// `None`: it never changes its sign.
    fn roots(self) -> Option<(f64, f64)> {
        let Quadratic { a, b, c } = self;
        if a == 0.0 {
            return (b != 0.0).then(|| (-c / b, -c / b));
        }
        let square = b * b - 4.0 * a * c;
        if square <= 0.0 {
            return None;
        }
        let q = -0.5 * (b + square.sqrt().copysign(b));
        // q = 0 needs b = 0 and a square of 0.
        let (one, other) = (q / a, c / q);
        Some((one.min(other), one.max(other)))
    }
}

impl Sub for Quadratic {
    type Output = Quadratic;

    fn sub(self, other: Quadratic) -> Quadratic {
        Quadratic { a: self.a - other.a, b: self.b - other.b, c: self.c - other.c }
    }
}

impl Mul<f64> for Quadratic {
    type Output = Quadratic;

    fn mul(self, factor: f64) -> Quadratic {
        Quadratic { a: self.a * factor, b: self.b * factor, c: self.c * factor }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn positive(a: f64, b: f64, c: f64, end: f64) -> Vec<Interval> {
        Quadratic { a, b, c }.positive(end).collect()
    }

    #[test]
    fn the_sign_of_every_kind_of_curve() {
        // (t - 1)(t - 3), up and down.
        assert_eq!(positive(1.0, -4.0, 3.0, 10.0), [(0.0, 1.0), (3.0, 10.0)]);
        assert_eq!(positive(-1.0, 4.0, -3.0, 10.0), [(1.0, 3.0)]);
        assert_eq!(positive(-1.0, 4.0, -3.0, 2.0), [(1.0, 2.0)]);
        // Before and after the time that counts.
        assert_eq!(positive(-1.0, -4.0, -3.0, 10.0), []);
        assert_eq!(positive(1.0, 4.0, 3.0, 10.0), [(0.0, 10.0)]);
        // Straight lines, one of which is not zero before it ends.
        assert_eq!(positive(0.0, 2.0, -4.0, 10.0), [(2.0, 10.0)]);
        assert_eq!(positive(0.0, -2.0, 4.0, 10.0), [(0.0, 2.0)]);
        // Quantities that do not change.
        assert_eq!(positive(0.0, 0.0, 1.0, f64::INFINITY), [(0.0, f64::INFINITY)]);
        assert_eq!(positive(0.0, 0.0, 0.0, 10.0), []);
        assert_eq!(positive(0.0, 0.0, -1.0, 10.0), []);
        // It only touches zero: (t - 1)^2 and its negative.
        assert_eq!(positive(1.0, -2.0, 1.0, 10.0), [(0.0, 10.0)]);
        assert_eq!(positive(-1.0, 2.0, -1.0, 10.0), []);
    }

    #[test]
    fn a_root_near_zero_is_not_cancelled_away() {
        // Roots 1e-9 and 1e9: the textbook formula gives 0 for the small one.
        let roots = Quadratic { a: 1.0, b: -(1e9 + 1e-9), c: 1.0 }.roots().expect("two roots");
        assert!((roots.0 - 1e-9).abs() < 1e-24, "{roots:?}");
    }
}
