//! What both ends of S-ARQ are set to.

use crate::aalt::Connection;
use crate::aalt::payload::{LengthRule, PayloadLength};
use atl_core::time::Span;

/// The largest window in PDUs: four of them are a quarter of the numbers there are.
pub(super) const MAX_WINDOW: u16 = 4096;

/// A value is out of its range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidConfig {
    /// The window has 1 to 4096 PDUs.
    Window,
    /// m is at least 1.
    RoundTrip,
    /// The share of the old value in eq. 1 is at least 0 and below 1.
    Smoothing,
    /// The status interval is longer than 0, and the longest one not shorter than it.
    StatusInterval,
}

impl core::fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            InvalidConfig::Window => "the window has 1 to 4096 PDUs",
            InvalidConfig::RoundTrip => "m is at least 1",
            InvalidConfig::Smoothing => "the smoothing constant is at least 0 and below 1",
            InvalidConfig::StatusInterval => {
                "the status interval is longer than 0 and not longer than the longest"
            }
        })
    }
}

impl core::error::Error for InvalidConfig {}

/// How m, the control packets of a round trip, is known.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundTripCount {
    /// As set, in control packets.
    Fixed(u16),
    /// Measured from the acknowledgements.
    Measured {
        /// Before the first measurement, in control packets.
        initial: u16,
    },
}

/// What a sender is set to.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SenderConfig {
    /// The connection's number.
    pub connection: Connection,
    /// PDUs past the first one unacknowledged, 1 to 4096. Not more than the receiver's.
    pub window: u16,
    /// Octets of CPCS-PDUs held; one is always taken.
    pub buffer_octets: usize,
    /// m.
    pub round_trip: RoundTripCount,
    /// The share of the old value in eq. 1 (alpha), at least 0 and below 1.
    pub smoothing: f64,
    /// The rule for the payload length.
    pub length_rule: LengthRule,
    /// The longest payload used.
    pub longest: PayloadLength,
    /// Transmissions over which the bit error ratio is estimated.
    pub statistics_window: usize,
}

impl Default for SenderConfig {
    /// A window of 1024 PDUs, 1 MiB held, m measured from 8 on, alpha .9 (the paper's), payloads by eq. 2 up to Table 1's
    /// longest, the last 2000 transmissions.
    fn default() -> Self {
        SenderConfig {
            connection: Connection::default(),
            window: 1024,
            buffer_octets: 1 << 20,
            round_trip: RoundTripCount::Measured { initial: 8 },
            smoothing: 0.9,
            length_rule: LengthRule::Optimum,
            longest: PayloadLength::TABLE_1_LONGEST,
            statistics_window: 2000,
        }
    }
}

impl SenderConfig {
    pub(super) fn check(&self) -> Result<(), InvalidConfig> {
        let (RoundTripCount::Fixed(m) | RoundTripCount::Measured { initial: m }) = self.round_trip;
        if !(1..=MAX_WINDOW).contains(&self.window) {
            return Err(InvalidConfig::Window);
        }
        if m == 0 {
            return Err(InvalidConfig::RoundTrip);
        }
        if !(0.0..1.0).contains(&self.smoothing) {
            return Err(InvalidConfig::Smoothing);
        }
        Ok(())
    }
}

/// What a receiver is set to.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiverConfig {
    /// The connection's number.
    pub connection: Connection,
    /// PDUs past MSN that are taken, 1 to 4096.
    pub window: u16,
    /// The time between control packets while PDUs have one cell; it grows in proportion to their cells.
    pub status_interval: Span,
    /// The longest time between control packets.
    pub longest_status_interval: Span,
    /// PDUs over which wrong bits are counted.
    pub statistics_window: usize,
}

impl Default for ReceiverConfig {
    /// A window of 1024 PDUs, a status each 10 ms for PDUs of one cell, at most 50 ms apart, the last 2000 PDUs.
    fn default() -> Self {
        ReceiverConfig {
            connection: Connection::default(),
            window: 1024,
            status_interval: Span::from_millis(10),
            longest_status_interval: Span::from_millis(50),
            statistics_window: 2000,
        }
    }
}

impl ReceiverConfig {
    pub(super) fn check(&self) -> Result<(), InvalidConfig> {
        if !(1..=MAX_WINDOW).contains(&self.window) {
            return Err(InvalidConfig::Window);
        }
        if self.status_interval.is_zero() || self.longest_status_interval < self.status_interval {
            return Err(InvalidConfig::StatusInterval);
        }
        Ok(())
    }
}
