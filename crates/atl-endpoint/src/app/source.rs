//! What an application hands to its transport.

use atl_core::time::Span;
use atl_core::units::Rate;

use crate::media::Media;

/// What the application hands to the transport.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Always has data (FTP).
    Greedy,
    /// So many bytes, then done.
    Fixed {
        /// Application bytes.
        bytes: u64,
    },
    /// A file of so many bytes, again and again (FTP sessions). The first one is submitted at the start, whatever became
    /// of those before it.
    Files {
        /// Application bytes of each.
        bytes: u64,
        /// Mean time from one submission to the next.
        every: Span,
        /// These times are exponentially distributed; otherwise they are constant.
        exponential: bool,
    },
    /// A constant bit rate, whatever becomes of it.
    Steady {
        /// Data rate.
        rate: Rate,
    },
    /// Data at a rate while on, none while off.
    OnOff {
        /// Mean length of an on period.
        on: Span,
        /// Mean length of an off period.
        off: Span,
        /// Data rate while on.
        rate: Rate,
        /// Lengths are exponentially distributed; otherwise they are constant.
        exponential: bool,
    },
    /// Frames of a live encoder, over a paced flow.
    Media(Media),
}
