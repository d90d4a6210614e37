//! The interface of all sources of link information.

use std::fmt;
use std::io;

use atl_core::time::{Span, Time};

use crate::info::LinkInfo;
use crate::nl80211::NetlinkError;
use crate::text::TextError;

/// A source of link information: p_w, d_w and the rate of one link.
///
/// A call may wait for an answer, but never longer than the source's timeout. A caller that must
/// not wait asks from a thread of its own.
pub trait LinkSource: fmt::Debug + Send {
    /// The information at `now`, which must not decrease from call to call. Sources that watch
    /// counters estimate from the difference between calls: call it regularly, some ten times per
    /// window.
    ///
    /// # Errors
    /// If the source cannot be asked, or its answer makes no sense. The next call may succeed.
    fn read(&mut self, now: Time) -> Result<LinkInfo, SourceError>;
}

/// The reason why a source has no answer.
#[derive(Debug)]
#[non_exhaustive]
pub enum SourceError {
    /// The system refused an operation.
    Io {
        /// The operation, with the file, command or interface.
        what: String,
        /// The system's own error.
        error: io::Error,
    },
    /// An answer or a setting is not acceptable.
    Unfit {
        /// The defect, with the value and what is allowed.
        what: String,
    },
    /// The answer did not come in time.
    Timeout {
        /// The program or subsystem that was asked.
        who: String,
        /// The time that it was given.
        after: Span,
    },
    /// The text of a file or command is not a report.
    Text {
        /// The file or command.
        place: String,
        /// The defect of the text.
        error: TextError,
    },
    /// An answer of the kernel that cannot be used.
    Netlink(NetlinkError),
}

impl SourceError {
    pub(crate) fn io(what: impl Into<String>, error: impl Into<io::Error>) -> Self {
        SourceError::Io { what: what.into(), error: error.into() }
    }

    pub(crate) fn unfit(what: impl Into<String>) -> Self {
        SourceError::Unfit { what: what.into() }
    }
}

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SourceError::Io { what, error } => write!(f, "{what}: {error}"),
            SourceError::Unfit { what } => f.write_str(what),
            SourceError::Timeout { who, after } => {
                write!(f, "{who} gave no answer within {} ms", after.millis())
            }
            SourceError::Text { place, error } => write!(f, "{place}: {error}"),
            SourceError::Netlink(error) => error.fmt(f),
        }
    }
}

impl std::error::Error for SourceError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            SourceError::Io { error, .. } => Some(error),
            SourceError::Text { error, .. } => Some(error),
            SourceError::Netlink(error) => Some(error),
            SourceError::Unfit { .. } | SourceError::Timeout { .. } => None,
        }
    }
}

impl From<NetlinkError> for SourceError {
    fn from(error: NetlinkError) -> Self {
        SourceError::Netlink(error)
    }
}
