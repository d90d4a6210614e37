//! Configuration of both ends of S-ARQ.

use crate::aalt::Connection;
use crate::aalt::payload::{LengthRule, PayloadLength};
use atl_core::time::Span;

/// The largest window in PDUs: four windows are a quarter of the sequence number space.
pub(super) const MAX_WINDOW: u16 = 4096;

/// A value is out of range.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum InvalidConfig {
    /// The window is not 1 to 4096 PDUs.
    Window,
    /// m is 0: a PDU would be retransmitted before any control packet could acknowledge it.
    RoundTrip,
    /// The smoothing constant alpha of eq. 1 is not at least 0 and below 1.
    Smoothing,
    /// The status interval is zero, or exceeds the longest one.
    StatusInterval,
}

impl core::fmt::Display for InvalidConfig {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(match self {
            InvalidConfig::Window => "the window must be 1 to 4096 PDUs",
            InvalidConfig::RoundTrip => "m must be at least 1",
            InvalidConfig::Smoothing => "the smoothing constant must be at least 0 and below 1",
            InvalidConfig::StatusInterval => {
                "the status interval must be greater than 0 and at most the longest status interval"
            }
        })
    }
}

impl core::error::Error for InvalidConfig {}

/// The sender's source of m, the number of control packets per round trip.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RoundTripCount {
    /// A fixed number of control packets.
    Fixed(u16),
    /// Derived from the time and the control packets between a PDU and its acknowledgement.
    Measured {
        /// Value before the first measurement, in control packets.
        initial: u16,
    },
}

/// Configuration of a sender.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct SenderConfig {
    /// Number of the connection.
    pub connection: Connection,
    /// PDUs past the first unacknowledged one, 1 to 4096. Must not exceed the receiver's window.
    pub window: u16,
    /// Limit on the octets of CPCS-PDUs held; one CPCS-PDU is always accepted.
    pub buffer_octets: usize,
    /// Fixed or measured number of control packets per round trip.
    pub round_trip: RoundTripCount,
    /// Weight of the old value in eq. 1 (alpha), at least 0 and below 1.
    pub smoothing: f64,
    /// The rule for the payload length.
    pub length_rule: LengthRule,
    /// Limit on the length that the rule gives.
    pub longest: PayloadLength,
    /// Transmissions over which the bit error ratio is estimated.
    pub statistics_window: usize,
}

impl Default for SenderConfig {
    /// A window of 1024 PDUs, a buffer of 1 MiB, m measured with 8 as the initial value, alpha =
    /// 0.9 (as in the paper), payloads by eq. 2 up to the longest of Table 1, and statistics over
    /// the last 2000 transmissions.
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

/// Configuration of a receiver.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ReceiverConfig {
    /// Number of the connection.
    pub connection: Connection,
    /// PDUs accepted from MSN on, 1 to 4096.
    pub window: u16,
    /// Interval between control packets for PDUs of one cell; it grows in proportion to the number
    /// of cells.
    pub status_interval: Span,
    /// Longest interval between control packets.
    pub longest_status_interval: Span,
    /// PDUs over which the bit error ratio is estimated.
    pub statistics_window: usize,
}

impl Default for ReceiverConfig {
    /// A window of 1024 PDUs, a status every 10 ms for PDUs of one cell and at least every 50 ms,
    /// and statistics over the last 2000 PDUs.
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
