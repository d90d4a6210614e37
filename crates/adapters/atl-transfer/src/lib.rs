//! Files over QUIC, with a congestion controller that knows its wireless link.
//!
//! - [`receiver`] receives into a [`folder`], and hands out a [`ticket`].
//! - [`sender`] sends files, folders or generated load to the receiver of a ticket, over as many
//!   connections as it takes.
//! - [`roam`] keeps a connection when the sender moves to another network.
//! - [`wire`] has the messages between them, and [`report`] a receiver's reports of its wireless
//!   link, both without I/O.
//! - [`observer`] is called with the events of a transfer.
//!
//! A peer is not trusted: names are checked ([`name`]), no symbolic link is followed, hashes decide
//! whether a file can be resumed and whether it is complete, and memory is bounded before and after
//! a ticket is shown.
//!
//! This crate holds the protocol and both of its ends. It never holds a congestion controller, nor
//! arguments or a terminal.

mod channel;
mod error;
pub mod folder;
mod hash;
mod identity;
mod link;
mod marks;
pub mod name;
pub mod observer;
mod proof;
pub mod receiver;
pub mod report;
pub mod roam;
pub mod sender;
mod socket;
mod tasks;
pub mod ticket;
mod transport;
mod trust;
pub mod wire;

pub use error::Error;
pub use identity::{Identity, IdentityError};
pub use link::LinkWatch;
pub use marks::{LinkMarks, MarkWatch};
pub use transport::Transport;
