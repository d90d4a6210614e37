//! Points in a plane, tracks, and the times at which a moving point crosses a curve.

mod crossing;
mod point;
mod track;

pub(crate) use crossing::Quadratic;
pub use point::Point;
pub use track::{Leg, Track, TrackError, WayPoint};
