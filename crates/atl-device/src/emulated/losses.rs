//! Which datagrams an emulated link loses, as it tells.

use atl_core::time::Span;
use atl_endpoint::wire::link_query::{Body, LinkName, Tag};

use super::client::{ClientCounts, LinkClient};
use super::sequence::TagSequence;
use crate::source::SourceError;

/// A connection on which the tags of lost datagrams come by themselves, each once.
#[derive(Debug)]
pub struct LostStream {
    client: LinkClient,
    link: LinkName,
    /// Number of the last answer.
    last: Option<u32>,
    sequence: TagSequence,
}

impl LostStream {
    pub(super) fn new(client: LinkClient, link: LinkName, since: u64) -> Self {
        LostStream { client, link, last: None, sequence: TagSequence::new(since) }
    }

    /// Waits for the next tags, at most `timeout`. The first answer comes at once, with those that
    /// there are already, or none.
    ///
    /// # Errors
    /// If there is no such link, or nothing comes in time; at the first call: from an emulator that
    /// does not tell.
    pub fn next(&mut self, timeout: Span) -> Result<Vec<Tag>, SourceError> {
        let answer = self.client.next(timeout, self.last)?;
        self.last = Some(answer.serial);
        match answer.body {
            Body::Lost(lost) => Ok(self.sequence.take(lost)),
            Body::Refusal(refusal) => Err(self.client.refused(refusal, &self.link)),
            // The client leaves these out.
            Body::Report(_) => Ok(Vec::new()),
        }
    }

    /// Tags that the link had overwritten before they were told.
    pub fn missed(&self) -> u64 {
        self.sequence.missed()
    }

    /// What came that was no answer.
    pub fn counts(&self) -> ClientCounts {
        self.client.counts()
    }
}
