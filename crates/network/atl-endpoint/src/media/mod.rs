//! Live media over a paced flow: the encoder at the sender, two players at the receiver. None has a
//! clock of its own.

mod encoder;
mod params;
mod playout;

pub use encoder::{Encoder, Frame};
pub use params::{EncoderRates, Media};
pub use playout::{MediaResult, Playout};
