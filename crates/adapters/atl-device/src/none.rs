//! The source without information.

use atl_core::time::Time;

use crate::info::LinkInfo;
use crate::source::{LinkSource, SourceError};

/// A source that never knows anything: for wired hosts, and for links without any source.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct NoSource;

impl LinkSource for NoSource {
    fn read(&mut self, _now: Time) -> Result<LinkInfo, SourceError> {
        Ok(LinkInfo::UNKNOWN)
    }
}
