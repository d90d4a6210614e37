//! The events of a transfer, for programs that show its progress.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::folder::{Refusal, Unfinished};
use crate::ticket::Fingerprint;
use crate::wire::Name;

/// An event of a transfer.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Sender: connected to a receiver. Receiver: a sender is connected.
    Connected {
        /// Address of the other end.
        peer: SocketAddr,
        /// True if it is not the first connection of this transfer.
        again: bool,
        /// Sender: true if the receiver has been started again since the last connection.
        restarted: bool,
    },
    /// Sender: no fingerprint was given, so that any receiver is accepted.
    Unchecked {
        /// The fingerprint of the receiver's certificate.
        found: Fingerprint,
    },
    /// Sender: the receiver has not been reached yet.
    Unreached {
        /// The reason, as a sentence.
        why: String,
        /// The time until it tries again.
        wait: Duration,
    },
    /// A connection is lost. The sender tries again; the receiver waits for it.
    Lost {
        /// The reason, as a sentence.
        why: String,
        /// Sender: the time that it waits before it tries again.
        wait: Option<Duration>,
    },
    /// Receiver: this file was not finished when an earlier receiver ended.
    Unfinished(Unfinished),
    /// A file continues where it stopped.
    Resumed {
        /// Its path below the receiver's folder.
        path: Vec<Name>,
        /// Bytes that are there already.
        from: u64,
        /// Its size in bytes.
        size: u64,
    },
    /// The receiver has other contents under a file's path, wholly or in part.
    Differs {
        /// Its path below the receiver's folder.
        path: Vec<Name>,
        /// Bytes that the receiver has.
        held: u64,
        /// Number of its first bytes that are the same.
        same: u64,
    },
    /// A file is complete and in its place.
    Finished {
        /// Its path below the receiver's folder.
        path: Vec<Name>,
        /// Its size in bytes.
        size: u64,
    },
    /// A file or a folder was refused.
    Refused {
        /// Its path below the receiver's folder.
        path: Vec<Name>,
        /// The receiver's reason, for programs and for people.
        refusal: Refusal,
    },
    /// Sender: a file was left out.
    LeftOut {
        /// Its path at the sender.
        path: String,
        /// The reason, as a sentence.
        why: String,
    },
    /// Receiver: a connection was refused.
    Turned {
        /// Address of the other end.
        peer: SocketAddr,
        /// The reason, as a sentence.
        why: String,
    },
    /// Sender: data takes another path from now on.
    Moved {
        /// The local address from which it leaves.
        to: Option<IpAddr>,
        /// Window in packets that probes found on the path; `None` if it was not probed.
        window: Option<f64>,
    },
    /// Sender: a network cannot be used.
    Stayed {
        /// The local address in that network.
        network: Option<IpAddr>,
        /// The reason, as a sentence.
        why: String,
    },
    /// The source of link information does not answer.
    LinkUnknown {
        /// The reason, as a sentence.
        why: String,
    },
    /// Sender: the own link does not report which datagrams it loses.
    LossesUnknown {
        /// The reason, as a sentence.
        why: String,
    },
}

/// Receives the events of a transfer. Calls come from several tasks, and must return at once.
pub trait Observer: Send + Sync {
    /// Called at each event.
    fn on_event(&self, event: &Event);
    /// Called with the bytes that have arrived, of `total`, which is 0 if it is not known.
    fn on_progress(&self, arrived: u64, total: u64);
}

/// An observer that ignores all events.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&self, _event: &Event) {}
    fn on_progress(&self, _arrived: u64, _total: u64) {}
}
