//! Traffic sources: the data that applications hand to the transport.

use atl_core::time::Span;
use atl_core::units::Rate;

use super::config::ApplicationConfig;
use crate::media::Media;

/// The data that an application hands to the transport.
#[derive(Clone, Debug, PartialEq)]
pub enum Source {
    /// Always has data (FTP).
    Greedy,
    /// A fixed number of bytes.
    Fixed {
        /// Application bytes in all.
        bytes: u64,
    },
    /// Submits files again and again (FTP sessions), the first one at the start. It does not wait
    /// for earlier files to be delivered.
    Files {
        /// Application bytes of a file.
        bytes: u64,
        /// Mean interval between submissions.
        every: Span,
        /// Intervals are exponentially distributed; otherwise they are constant.
        exponential: bool,
    },
    /// Writes at a constant bit rate, whether or not the transport keeps up.
    Steady {
        /// Data rate of application bytes.
        rate: Rate,
    },
    /// Writes at a constant rate while on, and nothing while off.
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
    /// Bytes of such a source as another flow delivers them to a proxy, which sends them on.
    Relayed(Box<Source>),
    /// Bytes of one end of an application, which answers the bytes of the other end.
    Application(ApplicationConfig),
}

/// The time to write a segment of `mss` bytes, positive. A segment is written when its last byte
/// is.
pub(super) fn segment_time(rate: Rate, mss: u32) -> Span {
    rate.time_for(u64::from(mss)).max(Span::from_nanos(1))
}
