//! Measurements of a flow: jitter, segment delays, offered load, round-trip times.

mod arrivals;
mod delays;
mod offered;
mod rtts;

pub use arrivals::Arrivals;
pub use delays::Delays;
pub use offered::Offered;
pub use rtts::Rtts;
