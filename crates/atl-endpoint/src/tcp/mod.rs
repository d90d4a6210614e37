//! TCP endpoints without I/O: they are handed packets and the time, and asked for what to send.
//!
//! Segments are counted, not bytes: segment `n` holds bytes `n * MSS` and up. Loss recovery is RFC 5681
//! (Reno), RFC 6582 (NewReno), RFC 6675 (SACK), RFC 8985 (RACK-TLP), or older (Tahoe, go-back-N), or none at all; the congestion window belongs
//! to a controller of `atl-core`, which is told what happens and never sends.

mod ack;
mod acks;
mod connection;
mod counts;
mod freeze;
mod frozen;
mod params;
mod peer;
mod probe;
mod quench;
mod receiver;
mod recovery;
mod scoreboard;
mod sender;
#[cfg(test)]
mod testing;

pub use ack::AckInfo;
pub use counts::SenderCounts;
pub use frozen::FrozenBy;
pub use params::Tcp;
pub use receiver::{Arrival, Receiver};
pub use recovery::{ReceiverDuties, Recovery};
pub use scoreboard::{DUP_THRESH, LostTx, Scoreboard};
pub use sender::{Outgoing, Sender};
