//! Parameters of a live encoder.

use std::sync::Arc;

use atl_core::time::Span;
use atl_core::units::Rate;

/// Live video whose encoder follows the rate of its flow.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Frames per second, positive.
    pub frames_per_second: f64,
    /// Possible encoder rates, without headers.
    pub rates: EncoderRates,
    /// Delay between a change of the rate of the flow and the first frame of the new rate.
    pub reaction: Span,
    /// Delay between the capture of a frame and its display.
    pub playout: Span,
}

/// Possible rates of an encoder.
#[derive(Clone, Debug, PartialEq)]
pub enum EncoderRates {
    /// Any rate from `min` to `max`.
    Range {
        /// Lowest rate, used even if the flow is slower.
        min: Rate,
        /// Highest rate, never below `min`.
        max: Rate,
    },
    /// One of these rates, in ascending order; at least one.
    Ladder(Arc<[Rate]>),
}
