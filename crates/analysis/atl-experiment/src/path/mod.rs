//! A path described in a few words: its scenario, and the transport that does best on it.
//!
//! A [`Path`] is a list of networks with the times at which a phone moves to them. [`Path::file`]
//! writes a scenario that sends data over it with several transports, each alone and beside CUBIC
//! flows, one of them also with less knowledge of its link; [`Answer`] sums up the results.
//!
//! # Example
//!
//! ```
//! use atl_experiment::path::{Direction, Path, Stage, named};
//! use atl_core::time::{Span, Time};
//!
//! let wifi = named("wifi").expect("a network of this name");
//! let leo = named("leo").expect("a network of this name");
//! let path = Path {
//!     send: Direction::Down,
//!     stages: vec![
//!         Stage { from: Time::ZERO, network: wifi },
//!         Stage { from: Time::from_millis(20_000), network: leo },
//!     ],
//!     queue: None,
//!     neighbours: 1,
//!     duration: Span::from_secs(40),
//!     seeds: 5,
//!     protocols: Vec::new(),
//! };
//! path.check()?;
//! let file = path.file();
//! assert!(file.contains("[network.leo]"));
//! # Ok::<(), String>(())
//! ```

mod advice;
mod answer;
mod contest;
mod description;
mod direction;
mod effects;
mod file;
mod network;
mod place;
mod queue;
mod stages;
mod words;
mod written;

pub use advice::{Advice, CALL_GOOD_S, CALL_LIMIT_S, Lead};
pub use answer::{Answer, Beside, Gain, Knowledge, Stay};
pub use description::Description;
pub use direction::Direction;
pub use effects::Effects;
pub use network::{Network, is_played, named, networks};
pub use place::Place;
pub use queue::Queue;
pub use stages::{Path, SAMPLE, Stage};
pub use words::{MOST_NEIGHBOURS, Words};
