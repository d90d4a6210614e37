//! What a transfer tells while it lasts.

use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use crate::folder::{Refusal, Unfinished};
use crate::ticket::Fingerprint;

/// Something that happened.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub enum Event {
    /// Sender: connected to a receiver. Receiver: a sender is connected.
    Connected {
        /// Address of the other end.
        peer: SocketAddr,
        /// It is not the first connection of this transfer.
        again: bool,
        /// Sender: the receiver has been started again since the last connection.
        restarted: bool,
    },
    /// Sender: nobody checks who the receiver is; this is its fingerprint.
    Unchecked {
        /// Of the certificate that it showed.
        found: Fingerprint,
    },
    /// A connection is lost. The sender tries again; the receiver waits for it.
    Lost {
        /// Why.
        why: String,
        /// Sender: how long it waits before it tries again.
        wait: Option<Duration>,
    },
    /// Receiver: this was being received when an earlier receiver ended.
    Unfinished(Unfinished),
    /// A file goes on where it stopped.
    Resumed {
        /// Its path below the receiver's folder.
        path: Vec<String>,
        /// Bytes that are there already.
        from: u64,
        /// Its size in bytes.
        size: u64,
    },
    /// What the receiver has under a file's name is another file, wholly or in part.
    Differs {
        /// Its path below the receiver's folder.
        path: Vec<String>,
        /// Bytes that it has.
        held: u64,
        /// The first of them that are the same.
        same: u64,
    },
    /// A file is in its place, and its hash is right.
    Finished {
        /// Its path below the receiver's folder.
        path: Vec<String>,
        /// Its size in bytes.
        size: u64,
    },
    /// A file or a folder was refused.
    Refused {
        /// Its path below the receiver's folder.
        path: Vec<String>,
        /// Why.
        refusal: Refusal,
    },
    /// Sender: a file was left out.
    LeftOut {
        /// Its path.
        path: String,
        /// Why.
        why: String,
    },
    /// Receiver: a connection was refused.
    Turned {
        /// Address of the other end.
        peer: SocketAddr,
        /// Why.
        why: String,
    },
    /// Sender: data takes another path from now on.
    Moved {
        /// The local address that it leaves from.
        to: Option<IpAddr>,
        /// Packets that probes found to fit on it at a time, if it was probed.
        window: Option<f64>,
    },
    /// Sender: a network cannot be used.
    Stayed {
        /// The local address there.
        network: Option<IpAddr>,
        /// Why.
        why: String,
    },
    /// The source of link information does not answer.
    LinkUnknown {
        /// Why.
        why: String,
    },
    /// Sender: the own link does not tell which datagrams it loses.
    LossesUnknown {
        /// Why.
        why: String,
    },
}

/// Who wants to know. Calls come from several tasks, and must return at once.
pub trait Observer: Send + Sync {
    /// Something happened.
    fn on_event(&self, event: &Event);
    /// So many bytes of all that is sent have arrived; `total` is 0 if it is not known.
    fn on_progress(&self, arrived: u64, total: u64);
}

/// Nobody wants to know.
#[derive(Clone, Copy, Debug, Default)]
pub struct Silent;

impl Observer for Silent {
    fn on_event(&self, _event: &Event) {}
    fn on_progress(&self, _arrived: u64, _total: u64) {}
}
