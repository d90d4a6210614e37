//! What is measured of a flow: jitter, delays of segments, offered load, round-trip times.

mod arrivals;
mod delays;
mod offered;
mod rtts;

pub use arrivals::Arrivals;
pub use delays::Delays;
pub use offered::Offered;
pub use rtts::Rtts;
