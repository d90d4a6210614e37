//! Parameters of a live encoder.

use std::sync::Arc;

use atl_core::time::Span;
use atl_core::units::Rate;

/// Video whose encoder follows the rate that its flow is given.
#[derive(Clone, Debug, PartialEq)]
pub struct Media {
    /// Frames per second, positive.
    pub frames_per_second: f64,
    /// Rates that the encoder can have, headers not included.
    pub rates: EncoderRates,
    /// Time from a change of the flow's rate until frames of the new rate come out of the encoder.
    pub reaction: Span,
    /// Time from a frame's capture until it is to be shown.
    pub playout: Span,
}

/// Rates that an encoder can have.
#[derive(Clone, Debug, PartialEq)]
pub enum EncoderRates {
    /// Any from the least to the largest.
    Range {
        /// Least.
        min: Rate,
        /// Largest.
        max: Rate,
    },
    /// One of these, in rising order, of which there is at least one.
    Ladder(Arc<[Rate]>),
}
