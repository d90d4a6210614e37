//! The results of a sender.

use std::time::Duration;

use noq::Connection;

use super::load::Loaded;
use crate::error::Error;
use crate::folder::Refusal;
use crate::marks::LinkMarks;
use crate::report::ReportCounts;
use crate::roam::open_paths;
use crate::wire::Hash;

/// The outcome for one file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// Not sent: the transfer ended before.
    Pending,
    /// It is complete and in its place at the receiver.
    Done {
        /// The first byte that was sent over the connection that finished it.
        from: u64,
        /// SHA-256 of the file; `None` for a folder.
        digest: Option<Hash>,
    },
    /// The receiver does not want it.
    Refused(Refusal),
    /// It cannot be read.
    Unreadable(String),
}

/// Counts of all connections of a transfer.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Traffic {
    /// Number of connections that were made.
    pub connections: u64,
    /// Packets sent, on all paths.
    pub packets: u64,
    /// Packets that QUIC declared lost.
    pub lost: u64,
    /// Bytes of UDP payload sent.
    pub bytes: u64,
    /// Congestion events, on paths that were open at the end of a connection.
    pub congestion_events: u64,
    /// Smoothed RTT at the end of the last connection.
    pub rtt: Option<Duration>,
    /// Congestion window at the end of the last connection, in bytes.
    pub window: Option<u64>,
    /// Counts of the receiver's link reports.
    pub reports: ReportCounts,
    /// Losses reported by the own link; `None` if it was not asked.
    pub marks: Option<LinkMarks>,
}

impl Traffic {
    /// Adds the counts of a connection that ends.
    pub(super) fn add(&mut self, connection: &Connection) {
        let stats = connection.stats();
        self.packets += stats.sent_packets;
        self.lost += stats.lost_packets;
        self.bytes += stats.udp_tx.bytes;
        for path in open_paths(connection).filter_map(|id| connection.path_stats(id)) {
            self.congestion_events += path.congestion_events;
            self.rtt = Some(path.rtt);
            self.window = Some(path.cwnd);
        }
    }

    pub(super) fn add_reports(&mut self, reports: ReportCounts) {
        self.reports.accepted += reports.accepted;
        self.reports.malformed += reports.malformed;
        self.reports.outdated += reports.outdated;
    }
}

/// The results of a transfer.
#[derive(Debug)]
pub struct Summary {
    /// The outcome for each entry, in their order.
    pub fates: Vec<Fate>,
    /// The part of a generated load that arrived.
    pub loaded: Option<Loaded>,
    /// Bytes of files and load that arrived.
    pub arrived: u64,
    /// Time from the first connection to the end.
    pub took: Duration,
    /// Counts over all connections.
    pub traffic: Traffic,
    /// The reason why it ended early; `None` if it did not.
    pub error: Option<Error>,
}

impl Summary {
    /// True if everything has arrived at the receiver.
    pub fn is_complete(&self) -> bool {
        self.error.is_none() && self.fates.iter().all(|fate| matches!(fate, Fate::Done { .. }))
    }
}
