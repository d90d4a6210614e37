//! The place at which a host that is covered by two cells changes from one to the other.

use core::cmp::Ordering;

use crate::coverage::{Cell, URBAN_EXPONENT};
use crate::geometry::{Leg, Point, Quadratic};

/// The place at which a host changes cells. Whatever the trigger, it changes when it leaves its
/// cell and another one covers it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Trigger {
    /// On the line through the corners of the overlap, half way between equal cells (Taleb et al.,
    /// sec. IV-A). A cell that lies within another has no such line: the host stays in the outer
    /// one.
    Middle,
    /// As soon as it enters the next cell.
    Entry,
    /// When it leaves its cell.
    Exit,
    /// Where the signal of the next cell exceeds that of its own.
    Strongest {
        /// Excess in dB, at least 0, that stops ping-pong on the line of equal signals.
        hysteresis_db: f64,
        /// Exponent of the path loss; above 0.
        exponent: f64,
    },
}

impl Trigger {
    /// The strongest signal by 3 dB, with the path loss of a town.
    pub const STRONGEST: Trigger =
        Trigger::Strongest { hysteresis_db: 3.0, exponent: URBAN_EXPONENT };

    /// A quantity over the time on a leg that is positive where the host changes from one cell to
    /// another; `None` of triggers that are not a place.
    ///
    /// In the other direction it is never positive at the same time.
    pub(crate) fn advantage(self, leg: &Leg, from: &Cell, to: &Cell) -> Option<Quadratic> {
        match self {
            Trigger::Middle => Some(to.depth_on(leg) - from.depth_on(leg)),
            Trigger::Strongest { hysteresis_db, exponent } => {
                // (d1 / r1)^2 > k (d2 / r2)^2, where 5 n log10 k is the hysteresis.
                let square = |cell: &Cell| cell.radius_m() * cell.radius_m();
                let k = libm::pow(10.0, hysteresis_db / (5.0 * exponent));
                let own = leg.square_distance(from.at()) * square(to);
                let next = leg.square_distance(to.at()) * square(from);
                Some(own - next * k)
            }
            Trigger::Entry | Trigger::Exit => None,
        }
    }

    /// Orders two cells by how well they suit a host at a place; the greater one is the better.
    pub(crate) fn compare(self, one: &Cell, other: &Cell, place: Point) -> Ordering {
        let worth = |cell: &Cell| match self {
            Trigger::Middle => cell.depth(place),
            _ => cell.depth(place) / (cell.radius_m() * cell.radius_m()),
        };
        worth(one).total_cmp(&worth(other))
    }

    /// The best of `among` at a place; the first of equals.
    pub(crate) fn best(
        self,
        cells: &[Cell],
        among: impl Iterator<Item = usize>,
        place: Point,
    ) -> Option<usize> {
        among.reduce(|best, next| match self.compare(&cells[next], &cells[best], place) {
            Ordering::Greater => next,
            Ordering::Less | Ordering::Equal => best,
        })
    }
}
