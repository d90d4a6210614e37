//! Recorded links: delivery opportunities over time, and one-way delay over time.
//!
//! Nothing here reads a file: the caller passes the text.

mod delay;
mod error;
mod rate;

pub use delay::DelayTrace;
pub use error::{TraceError, TraceErrorKind};
pub(crate) use rate::Cursor;
pub use rate::{OPPORTUNITY_BYTES, RateTrace};
