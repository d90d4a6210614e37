//! The datagrams that an emulated link loses, as it reports them.

use atl_core::time::Span;
use atl_wire::link_query::{Body, LinkName, Query, Tag};

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

impl LinkClient {
    /// Subscribes to the datagrams that a link loses, from number `since` on: see [`Query::Lost`].
    ///
    /// # Errors
    /// If the emulator has closed the socket.
    pub fn lost(mut self, link: &LinkName, since: u64) -> Result<LostStream, SourceError> {
        self.request(Query::Lost { link: link.clone(), since })?;
        Ok(LostStream::new(self, link.clone(), since))
    }
}

impl LostStream {
    pub(super) fn new(client: LinkClient, link: LinkName, since: u64) -> Self {
        LostStream { client, link, last: None, sequence: TagSequence::new(since) }
    }

    /// Waits for the next tags, at most `timeout`. The first answer comes at once, with the tags
    /// that there are already, if any.
    ///
    /// # Errors
    /// If there is no such link, or nothing comes in time. At the first call also if the emulator
    /// does not report losses.
    pub fn next(&mut self, timeout: Span) -> Result<Vec<Tag>, SourceError> {
        let answer = self.client.next(timeout, self.last)?;
        self.last = Some(answer.serial);
        match answer.body {
            Body::Lost(lost) => Ok(self.sequence.take(lost)),
            Body::Refusal(refusal) => Err(self.client.refused(refusal, &self.link)),
            // The client has dropped reports before.
            Body::Report(_) => Ok(Vec::new()),
        }
    }

    /// Tags that the link had overwritten before they were sent.
    pub fn missed(&self) -> u64 {
        self.sequence.missed()
    }

    /// Counts of the messages that were no answer.
    pub fn counts(&self) -> ClientCounts {
        self.client.counts()
    }
}
