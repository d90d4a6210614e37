//! The sending end of transfers.

mod connect;
mod file;
mod load;
mod meter;
mod names;
mod reports;
mod session;
mod source;
mod summary;

use std::net::SocketAddr;
use std::time::Duration;

use atl_core::path::Reports;

pub use glob::{Pattern, PatternError};
pub use load::{Load, Loaded};
pub use session::send;
pub use source::{Entry, Kind, Listing, Why};
pub use summary::{Fate, Summary, Traffic};

use crate::link::LinkWatch;
use crate::marks::MarkWatch;
use crate::roam::Roam;
use crate::ticket::{Fingerprint, Ticket};
use crate::transport::Transport;

/// The data to send.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Work {
    /// Files and empty folders.
    Files(Vec<Entry>),
    /// Generated load, which the receiver discards.
    Load(Load),
}

/// The receiver, and settings of the sender.
#[derive(Debug)]
pub struct Options {
    /// Addresses of the receiver, best first.
    pub to: Vec<SocketAddr>,
    /// The receiver's fingerprint; `None` accepts any receiver.
    pub fingerprint: Option<Fingerprint>,
    /// The ticket's secret, if there is a ticket.
    pub secret: Option<[u8; 16]>,
    /// Local address; `None` for any.
    pub bind: Option<SocketAddr>,
    /// Settings of QUIC, with the controller.
    pub transport: Transport,
    /// The own link, if it has a source of information.
    pub link: Option<LinkWatch>,
    /// The losses of the own link, if it reports them. The transport's controllers must use the
    /// same table.
    pub marks: Option<MarkWatch>,
    /// Receives the reports of the own link and of the receiver's link, which are asked for only if
    /// this is given.
    pub reports: Option<Reports>,
    /// Roaming to other networks; `None` for QUIC's own migration, which works as long as packets
    /// still reach the receiver.
    pub roam: Option<Roam>,
    /// Time over which it tries to reach a receiver, at first and after each connection that
    /// breaks.
    pub patience: Duration,
    /// Sends nothing if the receiver's file system cannot hold a name, instead of leaving it out.
    pub strict: bool,
}

impl Options {
    /// A sender to the receiver of a ticket, which it looks for a minute long, without knowledge of
    /// links.
    pub fn with_ticket(ticket: &Ticket) -> Self {
        Options {
            to: ticket.addresses.clone(),
            fingerprint: Some(ticket.fingerprint),
            secret: Some(ticket.secret),
            bind: None,
            transport: Transport::default(),
            link: None,
            marks: None,
            reports: None,
            roam: None,
            patience: Duration::from_secs(60),
            strict: false,
        }
    }
}
