//! Live media over a paced flow: the encoder at one end, the players at the other, neither with a clock of its own.

mod encoder;
mod params;
mod playout;

pub use encoder::{Encoder, Frame};
pub use params::{EncoderRates, Media};
pub use playout::{MediaResult, Playout};
