//! Emulated links, asked over the socket that the emulator offers.
//!
//! The messages are those of [`atl_wire::link_query`]. [`EmulatedSource`] asks at each
//! call, and connects anew if the emulator has been started again; [`EmulatedLosses`] lists the
//! datagrams that the link loses. [`LinkClient`] is the bare protocol: questions and subscriptions.

mod believed;
mod client;
mod losses;
mod sequence;
mod source;

pub use believed::{EmulatedLosses, LostCounts};
pub use client::{ClientCounts, LinkClient, Subscription};
pub use losses::LostStream;
pub use sequence::TagSequence;
pub use source::EmulatedSource;
