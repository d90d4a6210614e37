//! Measurements of a flow: jitter, segment delays, exchanges, playback, offered load, round-trip
//! times.

mod arrivals;
mod delays;
mod exchanges;
mod offered;
mod playback;
mod rtts;

pub use arrivals::Arrivals;
pub use delays::Delays;
pub use exchanges::{ExchangeResult, Exchanges};
pub use offered::Offered;
pub use playback::{Playback, PlaybackResult};
pub use rtts::Rtts;
