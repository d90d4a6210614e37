//! Tags of lost datagrams.

use super::error::QueryError;
use super::form::{MAX_TAGS, TAG};
use crate::octets::Rest;

/// The last octets of a datagram's UDP payload, which identify it.
pub type Tag = [u8; TAG];

/// The tag of a datagram; `None` if it is shorter than one.
pub fn tag(datagram: &[u8]) -> Option<Tag> {
    datagram.last_chunk().copied()
}

/// Tags of datagrams that a link lost one after the other.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LostTags {
    /// Number of the first tag; without tags, of the next one to come.
    pub first: u64,
    /// At most [`MAX_TAGS`]; encoding leaves further ones out.
    pub tags: Vec<Tag>,
}

impl LostTags {
    /// The number after that of the last tag.
    pub fn next(&self) -> u64 {
        self.first.saturating_add(self.tags.len() as u64)
    }

    pub(super) fn decode(mut rest: Rest<'_>) -> Result<Self, QueryError> {
        let first = rest.u64().ok_or(QueryError::Truncated)?;
        let (tags, part) = rest.0.as_chunks::<TAG>();
        if tags.len() > MAX_TAGS {
            return Err(QueryError::Trailing { octets: rest.0.len() - MAX_TAGS * TAG });
        }
        match part {
            [] => Ok(LostTags { first, tags: tags.to_vec() }),
            _ => Err(QueryError::Truncated),
        }
    }
}
