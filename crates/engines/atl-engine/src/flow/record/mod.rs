//! Recording of a run: when something is written down, what the network does to packets, samples over time.

mod marks;
mod network;
mod samples;
#[cfg(test)]
mod tests;

pub use marks::{Mark, Marks};
pub use network::{DataPacket, NetworkCounts, OnLinks};
pub use samples::{Moment, Recorder, Tally};
