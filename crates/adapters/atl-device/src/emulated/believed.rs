//! Losses that an emulated link reports, checked against its counters.

use std::path::PathBuf;

use atl_core::time::Span;
use atl_wire::link_query::{LinkName, Tag};

use super::client::LinkClient;
use super::losses::LostStream;
use crate::source::SourceError;

/// As `since`, asks only for losses from now on.
const FROM_NOW: u64 = u64::MAX;

/// Counts of the tags that a link has reported, by what became of them.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostCounts {
    /// Tags that the link reported, those refused included.
    pub told: u64,
    /// Tags that the link had overwritten before they were read.
    pub missed: u64,
    /// Tags refused: more than the MAC's counters had lost.
    pub refused: u64,
}

/// The datagrams that an emulated link has lost.
///
/// It accepts no more tags than the packets by which the counter of lost packets has risen since it
/// connected. That counter is the one from which [`EmulatedSource`](super::EmulatedSource) takes
/// p_w: a link that claims a loss must claim it there too.
#[derive(Debug)]
pub struct EmulatedLosses {
    path: PathBuf,
    link: LinkName,
    timeout: Span,
    connected: Option<Connected>,
    counts: LostCounts,
}

#[derive(Debug)]
struct Connected {
    stream: LostStream,
    /// The part of the stream's `missed` that is in the counts already.
    missed: u64,
    /// A second connection, for the counters.
    counters: LinkClient,
    /// The MAC's counter of lost packets before the stream began, and at the last question.
    lost: [u64; 2],
    believed: u64,
}

impl Connected {
    /// The number of further tags that the counters allow.
    fn left(&self) -> u64 {
        self.lost[1].saturating_sub(self.lost[0]).saturating_sub(self.believed)
    }
}

impl EmulatedLosses {
    /// The link with this name at the emulator whose socket is at `path`. Each answer may take
    /// `timeout`. It connects when it is first asked.
    pub fn new(path: impl Into<PathBuf>, link: LinkName, timeout: Span) -> Self {
        let (path, counts) = (path.into(), LostCounts::default());
        EmulatedLosses { path, link, timeout, connected: None, counts }
    }

    /// Connects, if it is not connected. Losses before that are not reported.
    ///
    /// # Errors
    /// If no emulator listens there, it has no such link, or it does not report its losses.
    pub fn connect(&mut self) -> Result<(), SourceError> {
        if self.connected.is_some() {
            return Ok(());
        }
        let mut counters = LinkClient::connect(&self.path, self.timeout)?;
        let lost = counters.ask(&self.link)?.lost;
        let client = LinkClient::connect(&self.path, self.timeout)?;
        let mut stream = client.lost(&self.link, FROM_NOW)?;
        let early = stream.next(self.timeout)?;
        let (lost, believed) = ([lost; 2], 0);
        // The first answer should be empty. An emulator that already lists tags in it reports
        // losses from before the connection; these are counted and never believed.
        self.counts.told += early.len() as u64;
        self.counts.refused += early.len() as u64;
        self.connected = Some(Connected { stream, missed: 0, counters, lost, believed });
        Ok(())
    }

    /// Waits for the next tags, at most `timeout`: none if none came.
    ///
    /// # Errors
    /// If the emulator has gone. The next call connects anew.
    pub fn next(&mut self, timeout: Span) -> Result<Vec<Tag>, SourceError> {
        self.connect()?;
        let tags = self.read(timeout);
        if tags.is_err() {
            self.connected = None;
        }
        tags
    }

    fn read(&mut self, timeout: Span) -> Result<Vec<Tag>, SourceError> {
        let Some(link) = &mut self.connected else { return Ok(Vec::new()) };
        let mut tags = match link.stream.next(timeout) {
            Ok(tags) => tags,
            Err(SourceError::Timeout { .. }) => return Ok(Vec::new()),
            Err(error) => return Err(error),
        };
        self.counts.told += tags.len() as u64;
        self.counts.missed += link.stream.missed() - link.missed;
        link.missed = link.stream.missed();
        if link.left() < tags.len() as u64 {
            // An emulator counts a loss before it reports its tag.
            link.lost[1] = link.counters.ask(&self.link)?.lost;
        }
        // At most the number of tags.
        let believed = link.left().min(tags.len() as u64);
        self.counts.refused += tags.len() as u64 - believed;
        tags.truncate(believed as usize);
        link.believed += believed;
        Ok(tags)
    }

    /// Counts since it was made.
    pub fn counts(&self) -> LostCounts {
        self.counts
    }
}
