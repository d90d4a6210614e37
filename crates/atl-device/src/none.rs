//! Nobody knows.

use atl_core::time::Time;

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};

/// A source that knows nothing: for wired hosts, and for links that nothing reports on.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSource;

impl LinkSource for NoSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        Ok(LinkInfo::UNKNOWN)
    }
}
