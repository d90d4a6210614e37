//! How far an emulated link is believed that tells which datagrams it lost.

use std::path::PathBuf;

use atl_core::time::Span;
use atl_endpoint::wire::link_query::{LinkName, Tag};

use super::client::LinkClient;
use super::losses::LostStream;
use crate::source::SourceError;

/// The number that stands for: from now on.
const FROM_NOW: u64 = u64::MAX;

/// What became of the tags that a link has told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LostCounts {
    /// Tags that it told.
    pub told: u64,
    /// Tags that it had overwritten before they were read.
    pub missed: u64,
    /// Tags that were not believed: more than its MAC's counters had lost.
    pub refused: u64,
}

/// Tells which datagrams an emulated link has lost.
///
/// It believes no more tags than the packets by which the counter of lost packets has risen since
/// it connected. That counter is the one from which [`EmulatedSource`](super::EmulatedSource) takes
/// p_w: whoever claims a loss claims it there too.
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
    /// The stream's `missed` that is in the counts already.
    missed: u64,
    /// Asks for counters.
    counters: LinkClient,
    /// The MAC's counter of lost packets before the stream began, and when it was last asked for.
    lost: [u64; 2],
    believed: u64,
}

impl Connected {
    /// How many more tags the counters allow.
    fn left(&self) -> u64 {
        self.lost[1].saturating_sub(self.lost[0]).saturating_sub(self.believed)
    }
}

impl EmulatedLosses {
    /// The link with this name at the emulator whose socket is at `path`. Each answer may take as
    /// long as `timeout`. It connects when it is first asked.
    pub fn new(path: impl Into<PathBuf>, link: LinkName, timeout: Span) -> Self {
        let (path, counts) = (path.into(), LostCounts::default());
        EmulatedLosses { path, link, timeout, connected: None, counts }
    }

    /// Connects, if it is not connected. What was lost before concerns nobody.
    ///
    /// # Errors
    /// If nobody listens there, there is no such link, or the emulator does not tell what it loses.
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
        // One that does not begin now tells what nobody asked for.
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
            // An emulator counts a loss before it tells of it.
            link.lost[1] = link.counters.ask(&self.link)?.lost;
        }
        // No more than there are tags.
        let believed = link.left().min(tags.len() as u64);
        self.counts.refused += tags.len() as u64 - believed;
        tags.truncate(believed as usize);
        link.believed += believed;
        Ok(tags)
    }

    /// What became of the tags so far.
    pub fn counts(&self) -> LostCounts {
        self.counts
    }
}
