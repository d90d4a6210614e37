//! The results of a receiver.

use std::time::Duration;

use crate::error::Error;
use crate::wire::{Hash, Name};

/// Limit on the files that are listed one by one.
const MAX_LISTED: usize = 100_000;

/// A file that was received completely.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Its path below the folder.
    pub path: Vec<Name>,
    /// Its size in bytes.
    pub size: u64,
    /// The first byte that came over the connection that completed it.
    pub from: u64,
    /// SHA-256 of the whole file.
    pub digest: Hash,
}

/// The results of a receiver.
#[derive(Debug, Default)]
pub struct Summary {
    /// Files received completely, at most the first 100 000.
    pub files: Vec<Received>,
    /// The number of all files received completely; one that a sender offers again counts once.
    pub count: u64,
    /// The number of empty folders that were asked for, and exist.
    pub folders: u64,
    /// Files and folders that were refused.
    pub refused: u64,
    /// Bytes of files and load that arrived.
    pub arrived: u64,
    /// Time from the first connection to the end of the last.
    pub took: Duration,
    /// Connections that were accepted.
    pub connections: u64,
    /// Connections that were refused, or failed before a sender had shown its ticket.
    pub turned: u64,
    /// Link reports that were sent.
    pub reports: u64,
    /// Files that are unfinished at the end.
    pub unfinished: u64,
    /// The reason why it ended early; `None` if it did not.
    pub error: Option<Error>,
}

impl Summary {
    pub(super) fn received(&mut self, received: Received) {
        self.count += 1;
        if self.files.len() < MAX_LISTED {
            self.files.push(received);
        }
    }

    /// Notes that a sender has offered a file again that was received before.
    pub(super) fn confirmed(&mut self, received: &Received) {
        let known = self.files.iter_mut().rev().find(|known| known.path == received.path);
        if let Some(known) = known {
            known.from = received.from;
        }
    }
}
