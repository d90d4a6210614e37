//! The worth of link knowledge, on networks drawn at random: a sender that is told of its link, the
//! same sender told less, and the rivals that know nothing, at points of a stated distribution.
//!
//! A table of a few named networks shows where a law was developed. Here nothing was tuned: a
//! [`Point`] is drawn from its number, so that the same seed gives the same grid, and each is a
//! [scenario file](Point::file) that anyone can run. [`targets`] holds the results against what
//! this project has set itself, and says over how many points.

mod contest;
mod file;
mod judge;
mod point;
mod run;

pub use contest::{FRONTIER, RIVALS, RUNGS, Sender, contestants};
pub use judge::{SEEDS_AGAIN, Standing, Target, doubtful, standing, targets, used};
pub use point::Point;
pub use run::{Contestant, Outcome, outcomes};
