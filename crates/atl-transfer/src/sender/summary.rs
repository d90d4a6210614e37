//! What became of a transfer, at the sender.

use std::time::Duration;

use noq::Connection;

use super::load::Loaded;
use crate::error::Error;
use crate::folder::Refusal;
use crate::marks::LinkMarks;
use crate::report::ReportCounts;
use crate::roam::open_paths;
use crate::wire::Hash;

/// What became of one file or folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It was not its turn, or the transfer ended meanwhile.
    Pending,
    /// It is in its place at the receiver.
    Done {
        /// The first byte that was sent over the connection that finished it.
        from: u64,
        /// SHA-256; `None` for a folder.
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
    /// Connections.
    pub connections: u64,
    /// Packets sent.
    pub packets: u64,
    /// Packets that QUIC took for lost.
    pub lost: u64,
    /// Bytes of UDP payload sent.
    pub bytes: u64,
    /// Congestion events, on paths that were open at the end of a connection.
    pub congestion_events: u64,
    /// Smoothed RTT at the end of the last connection.
    pub rtt: Option<Duration>,
    /// Congestion window at the end of the last connection, in bytes.
    pub window: Option<u64>,
    /// Link reports that came from the receiver.
    pub reports: ReportCounts,
    /// Losses that the own link told, if it was asked.
    pub marks: Option<LinkMarks>,
}

impl Traffic {
    /// Adds a connection that ends.
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

/// What became of a transfer.
#[derive(Debug)]
pub struct Summary {
    /// What became of each entry, in their order.
    pub fates: Vec<Fate>,
    /// What arrived of a generated load.
    pub loaded: Option<Loaded>,
    /// Bytes of files and load that arrived.
    pub arrived: u64,
    /// From the first connection to the end.
    pub took: Duration,
    /// Counts.
    pub traffic: Traffic,
    /// Why it ended early.
    pub error: Option<Error>,
}

impl Summary {
    /// True if everything is at the receiver.
    pub fn is_complete(&self) -> bool {
        self.error.is_none() && self.fates.iter().all(|fate| matches!(fate, Fate::Done { .. }))
    }
}
