//! An emulated link, which knows itself: asked over the socket that the emulator offers.
//!
//! The messages are those of [`atl_endpoint::wire::link_query`]. [`EmulatedSource`] asks at each call, and connects anew if the
//! emulator has been started again. [`LinkClient`] asks or subscribes without more.

mod client;
mod source;

pub use client::{ClientCounts, LinkClient, Subscription};
pub use source::EmulatedSource;
