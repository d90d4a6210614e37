//! Knowledge of the paths at both ends of a paced flow; `roaming` acts on it.

mod dummy;
mod measurement;
mod probing;
mod receiving;
mod resequencer;
mod sending;

pub use probing::{MOST_DUMMIES, PROBE_TIME};
pub use receiving::LONGEST_HOLD;
pub use resequencer::Sequenced;

pub(super) use dummy::Dummy;
pub(super) use measurement::Measurement;
pub(super) use probing::{Plan, Probing};
pub(super) use receiving::Receiving;
pub(super) use resequencer::Resequencer;
pub(super) use sending::Sending;
