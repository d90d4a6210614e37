//! ATM: virtual channels that carry packets in cells, with an adaptation layer at both ends.
//!
//! A cell is a [`Packet`](crate::packet::Packet) of 53 bytes on ordinary links: a switch is a link
//! with a queue. Its octets are real and kept in a slab. The channel damages them; the header check
//! at the end of each link and the layers' checks at the end of the virtual channel find the
//! damage.
//!
//! A path of cells has entries of its own in the routing table ([`Door`](crate::network::Door)), so
//! that packets outside of channels cost the same with and without ATM.

mod channels;
mod end;
mod faults;
mod layer;
mod lines;
mod octets;
mod quench;

pub(crate) use channels::{Atm, Scratch};
#[cfg(test)]
pub(crate) use end::ChannelCounts;
pub(crate) use end::Claim;
#[cfg(test)]
pub(crate) use lines::Lines;
pub(crate) use lines::Passage;
