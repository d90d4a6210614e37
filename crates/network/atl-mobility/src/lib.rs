//! Mobile hosts among radio cells.
//!
//! A host follows a [`Track`](geometry::Track) through [`Cell`](coverage::Cell)s.
//! [`compile`](journey::compile) works out ahead of the run which signals its lower layers will
//! give, and when: each crossing of a circle or a line is solved for, so there are no ticks of
//! position. A transport gives these signals their meaning; this crate knows none.
//!
//! - [`geometry`]: points, tracks of way points, times at which a moving point crosses a curve;
//! - [`coverage`]: cells, and the signal over distance;
//! - [`trigger`]: where the host changes cells;
//! - [`prediction`]: which cell it expects to be the next;
//! - [`binding`]: the care-of addresses, which take time to set up;
//! - [`journey`]: all of them together.
//!
//! ```
//! use atl_core::time::Time;
//! use atl_mobility::coverage::Cell;
//! use atl_mobility::geometry::{Point, Track, WayPoint};
//! use atl_mobility::journey::{Rules, compile};
//! use atl_mobility::prediction::Heading;
//!
//! // Two cells of 500 m, 850 m apart: they overlap over 150 m.
//! let cells = [Cell::new(Point::new(0.0, 0.0), 500.0), Cell::new(Point::new(850.0, 0.0), 500.0)];
//! let cells: Vec<Cell> = cells.into_iter().collect::<Option<_>>().unwrap();
//! let way = [Point::new(0.0, 0.0), Point::new(850.0, 0.0)].map(|at| WayPoint::new(at, 25.0));
//! let track = Track::new(Time::ZERO, &way).unwrap();
//! let journey = compile(&cells, &track, &Rules::default(), &Heading, Time::MAX).unwrap();
//! let times: Vec<f64> = journey.steps.iter().map(|step| step.at.secs()).collect();
//! // Enters the second cell at 350 m, is half way at 425 m, leaves the first cell at 500 m.
//! assert_eq!(times, [14.0, 17.0, 20.0]);
//! ```

pub mod binding;
pub mod coverage;
pub mod geometry;
pub mod journey;
pub mod prediction;
pub mod trigger;
