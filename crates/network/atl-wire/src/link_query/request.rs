//! Requests: questions about links, with their numbers.

use atl_core::time::Span;

use super::error::QueryError;
use super::form::{
    ASK, LONGEST_INTERVAL, LOST, MAX_REQUEST, SHORTEST_INTERVAL, SUBSCRIBE, UNSUBSCRIBE, VERSION,
    first,
};
use super::name::LinkName;
use crate::octets::{Octets, Rest};

/// A question about a link.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Query {
    /// One report on a link.
    Ask(LinkName),
    /// A report now, another whenever `every` has passed, and one when the link changes. It
    /// replaces an earlier subscription.
    Subscribe {
        /// The link, by name.
        link: LinkName,
        /// Time between two reports; encoding brings it into range and down to whole milliseconds.
        every: Span,
    },
    /// Ends the subscription, of either kind.
    Unsubscribe,
    /// The tags of datagrams that the link's MAC has lost, now and whenever there are more. It
    /// replaces an earlier subscription of either kind.
    Lost {
        /// The link, by name.
        link: LinkName,
        /// Number of the first tag that is wanted. If the link has lost fewer, it starts with the
        /// next one.
        since: u64,
    },
}

/// A question with its number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Request {
    /// Its number: greater than those before it on the same connection.
    pub number: u32,
    /// The question that it asks.
    pub query: Query,
}

impl Request {
    /// Encodes the request, of at most [`MAX_REQUEST`] octets.
    pub fn encode(&self) -> Octets<MAX_REQUEST> {
        let mut message = Octets::new();
        let (kind, name) = match &self.query {
            Query::Ask(link) => (ASK, Some(link)),
            Query::Subscribe { link, .. } => (SUBSCRIBE, Some(link)),
            Query::Unsubscribe => (UNSUBSCRIBE, None),
            Query::Lost { link, .. } => (LOST, Some(link)),
        };
        message.push(&first(kind));
        message.push(&self.number.to_be_bytes());
        match &self.query {
            Query::Subscribe { every, .. } => {
                let every = every.nanos();
                let every = every.clamp(SHORTEST_INTERVAL.nanos(), LONGEST_INTERVAL.nanos());
                // At most 60 000.
                message.push(&((every / 1_000_000) as u32).to_be_bytes());
            }
            Query::Lost { since, .. } => message.push(&since.to_be_bytes()),
            Query::Ask(_) | Query::Unsubscribe => {}
        }
        if let Some(name) = name {
            message.push(name.as_ref().as_bytes());
        }
        message
    }

    /// Decodes a request.
    ///
    /// # Errors
    /// If the octets are not exactly one request of this version.
    pub fn decode(octets: &[u8]) -> Result<Self, QueryError> {
        let mut rest = Rest(octets);
        let [byte] = rest.take().ok_or(QueryError::Truncated)?;
        let (version, kind) = (byte >> 4, byte & 0xf);
        if version != VERSION {
            return Err(QueryError::Version { found: version });
        }
        if !matches!(kind, ASK | SUBSCRIBE | UNSUBSCRIBE | LOST) {
            return Err(QueryError::Kind { found: kind });
        }
        let number = rest.u32().ok_or(QueryError::Truncated)?;
        let query = match kind {
            ASK => Query::Ask(name(rest)?),
            SUBSCRIBE => {
                let milliseconds = rest.u32().ok_or(QueryError::Truncated)?;
                let every = Span::from_millis(u64::from(milliseconds));
                if every < SHORTEST_INTERVAL || every > LONGEST_INTERVAL {
                    return Err(QueryError::Interval { milliseconds });
                }
                Query::Subscribe { link: name(rest)?, every }
            }
            LOST => {
                let since = rest.u64().ok_or(QueryError::Truncated)?;
                Query::Lost { link: name(rest)?, since }
            }
            _ if rest.0.is_empty() => Query::Unsubscribe,
            _ => return Err(QueryError::Trailing { octets: rest.0.len() }),
        };
        Ok(Request { number, query })
    }
}

/// The rest of the message as a name.
fn name(rest: Rest<'_>) -> Result<LinkName, QueryError> {
    std::str::from_utf8(rest.0).ok().and_then(LinkName::new).ok_or(QueryError::Name)
}
