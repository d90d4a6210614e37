//! The sender.

mod connect;
mod file;
mod load;
mod meter;
mod reports;
mod session;
mod source;
mod summary;

use std::net::SocketAddr;
use std::time::Duration;

use atl_core::path::Reports;

pub use load::{Load, Loaded};
pub use session::send;
pub use source::{Entry, Kind, Listing};
pub use summary::{Fate, Summary, Traffic};

use crate::link::LinkWatch;
use crate::marks::MarkWatch;
use crate::roam::Roam;
use crate::ticket::Fingerprint;
use crate::transport::Transport;

/// What is sent.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Files and empty folders.
    Files(Vec<Entry>),
    /// Bytes that nobody keeps.
    Load(Load),
}

/// Where to, and how.
#[derive(Debug)]
pub struct Options {
    /// Addresses of the receiver, best first.
    pub to: Vec<SocketAddr>,
    /// Who it must be; `None` accepts anybody.
    pub fingerprint: Option<Fingerprint>,
    /// The ticket's secret, if there is a ticket.
    pub secret: Option<[u8; 16]>,
    /// Local address; any if `None`.
    pub bind: Option<SocketAddr>,
    /// QUIC's options.
    pub transport: Transport,
    /// The own link, if something is known of it.
    pub link: Option<LinkWatch>,
    /// The losses of the own link, if it tells them. The transport's controllers are to be those of
    /// the same table.
    pub marks: Option<MarkWatch>,
    /// Where link reports go: those of the own link, and those of the receiver, which are asked for
    /// if this is given.
    pub reports: Option<Reports>,
    /// How it goes on when this host moves to another network; `None` for QUIC's own migration,
    /// which works if packets go on reaching the receiver.
    pub roam: Option<Roam>,
    /// For how long it tries to reach a receiver that it has reached before.
    pub patience: Duration,
}
