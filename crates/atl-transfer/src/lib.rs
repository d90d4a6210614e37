//! Files over QUIC, with a congestion controller that knows its wireless link.
//!
//! - [`receiver`] receives into a [`folder`], and hands out a [`ticket`].
//! - [`sender`] sends files, folders or generated load to whoever a ticket names, over as many
//!   connections as it takes.
//! - [`roam`] keeps a connection when the sender moves to another network.
//! - [`wire`] is what they say to each other, and [`report`] what a receiver tells of its wireless
//!   link; both without I/O.
//! - [`observer`] learns what happens.
//!
//! Of a peer nothing is believed: names are checked ([`name`]) and no symbolic link is followed,
//! hashes decide whether a file goes on and whether it is whole, memory is bounded before and after
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
pub mod receiver;
pub mod report;
pub mod roam;
pub mod sender;
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
