//! Length of the wireless link's queue.

use std::fmt;
use std::ops::RangeInclusive;

use atl_core::time::Span;

use crate::path::written;

/// Packets that a queue holds by default. The scenario's reader allows more than an option does.
pub(crate) const DEFAULT: RangeInclusive<u32> = 50..=10_000_000;
/// Packets that a queue may hold.
pub(crate) const PACKETS: RangeInclusive<u32> = 1..=1_000_000;
/// Bytes that a queue may hold: from one packet of 1500 bytes on.
pub(crate) const BYTES: RangeInclusive<u64> = 1_500..=10_000_000_000;
/// Longest time that a queue may hold.
pub(crate) const LONGEST: Span = Span::from_secs(3600);

/// Capacity of the wireless link's queue, in each direction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Queue {
    /// Packets of any size, as for `queue = 100` of a link.
    Packets(u32),
    /// As many bytes as the link transmits in this time.
    Time(Span),
    /// Bytes with headers, as for `queue = "64kB"`.
    Bytes(u64),
}

impl Queue {
    /// The value of a link's key `queue`.
    pub(crate) fn toml(self) -> String {
        match self {
            Queue::Packets(packets) => packets.to_string(),
            Queue::Time(_) | Queue::Bytes(_) => format!("\"{}\"", self.option()),
        }
    }

    /// The value of the option `--queue`.
    pub(crate) fn option(self) -> String {
        match self {
            Queue::Packets(packets) => packets.to_string(),
            Queue::Time(time) => written::time(time),
            Queue::Bytes(bytes) => written::size(bytes),
        }
    }

    /// The unit of its numbers, for a comment.
    pub(crate) fn counts(self) -> &'static str {
        match self {
            Queue::Packets(_) => "Packets",
            Queue::Time(_) => "As much as the link transmits in this time",
            Queue::Bytes(_) => "Bytes",
        }
    }
}

/// In words, such as `100 packets` or `200ms`.
impl fmt::Display for Queue {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Queue::Packets(packets) => write!(f, "{packets} packets"),
            Queue::Time(_) | Queue::Bytes(_) => f.write_str(&self.option()),
        }
    }
}
