//! Recording a run: the times at which values are recorded, counts in the network, RTTs by network,
//! samples over time.

mod marks;
mod network;
mod rtts;
mod samples;
#[cfg(test)]
mod tests;

pub use marks::{Mark, Marks};
pub use network::{DataPacket, NetworkCounts, OnLinks};
pub use rtts::NetworkRtts;
pub use samples::{Moment, Recorder, Tally};
