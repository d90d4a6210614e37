//! TCP endpoints without I/O: the caller hands them packets and the time, and asks for packets to
//! send.
//!
//! They count segments, as common stacks do, and so do windows: a small segment takes as much of a
//! window as a full one. Each has its own length, which it gets when it is first sent and keeps
//! (`segmentation`); the receiver delivers its bytes in order, once. Loss recovery follows RFC 5681
//! (Reno), RFC 6582 (NewReno), RFC 6675 (SACK), RFC 8985 (RACK-TLP) or an older scheme (Tahoe,
//! go-back-N), or is absent. The congestion window belongs to a controller of `atl-core`, which
//! receives events and never sends.

mod ack;
mod acks;
mod connection;
mod counts;
mod credit;
mod credited;
mod echo;
mod ecn;
mod freeze;
mod frozen;
mod params;
mod path;
mod paths;
mod peer;
mod persist;
mod probe;
mod quench;
mod receiver;
mod recovery;
mod roaming;
mod scoreboard;
mod segmentation;
mod sender;
#[cfg(test)]
mod testing;
mod timing;

pub use ack::AckInfo;
pub use counts::SenderCounts;
pub use ecn::EcnMode;
pub use frozen::FrozenBy;
pub use params::{Nagle, Tcp};
pub use receiver::{Arrival, Receiver};
pub use recovery::{ReceiverDuties, Recovery};
pub use scoreboard::{DUP_THRESH, LostTx, Scoreboard};
pub use sender::{Outgoing, Sender};
