//! What became of what a receiver was sent.

use std::time::Duration;

use crate::error::Error;
use crate::wire::Hash;

/// Files that are listed one by one.
const MAX_LISTED: usize = 100_000;

/// A file that is in its place.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Received {
    /// Its path below the folder.
    pub path: Vec<String>,
    /// Its size in bytes.
    pub size: u64,
    /// The first byte that came over the connection that finished it.
    pub from: u64,
    /// Its SHA-256.
    pub digest: Hash,
}

/// What became of what a receiver was sent.
#[derive(Debug, Default)]
pub struct Summary {
    /// Files in their places, the first 100 000.
    pub files: Vec<Received>,
    /// Files in their places.
    pub count: u64,
    /// Files and folders that were refused.
    pub refused: u64,
    /// Bytes that came, of files and load.
    pub arrived: u64,
    /// Time from the first connection to the end.
    pub took: Duration,
    /// Connections that were accepted.
    pub connections: u64,
    /// Connections that were refused, or failed before a sender had shown its ticket.
    pub turned: u64,
    /// Link reports that were sent.
    pub reports: u64,
    /// Files that are unfinished at the end.
    pub unfinished: u64,
    /// Why it ended early.
    pub error: Option<Error>,
}

impl Summary {
    pub(super) fn received(&mut self, received: Received) {
        self.count += 1;
        if self.files.len() < MAX_LISTED {
            self.files.push(received);
        }
    }
}
