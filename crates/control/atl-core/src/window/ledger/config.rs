//! Parameters of a ledger.

use crate::measure::RttConfig;
use crate::setters::setters;
use crate::time::Span;

/// Parameters of a [`Ledger`](super::Ledger). The defaults are those of RFC 9002.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct LedgerConfig {
    /// Bytes of a full packet on the wire: the controller's window counts packets of this size.
    /// 1500 by default; set it to [`Start::packet_bytes`](crate::window::Start::packet_bytes). 0
    /// counts as 1.
    pub packet_bytes: u32,
    /// The longest time for which the peer delays an acknowledgment. 25 ms by default (RFC 9000,
    /// sec. 18.2).
    pub max_ack_delay: Span,
    /// A packet is lost if the peer has acknowledged one this many numbers above it. 3 by default
    /// (sec. 6.1.1).
    pub packet_threshold: u64,
    /// A packet is lost if the peer has acknowledged a later one and this multiple of the RTT has
    /// passed. 9/8 by default (sec. 6.1.2); values below 1 and NaN count as 1.
    pub time_threshold: f64,
    /// Parameters of the RTT estimator and its timeout. By default the timeout is the PTO of sec.
    /// 6.2.1: SRTT and 4 RTTVAR, with no minimum but the granularity of 1 ms.
    pub rtt: RttConfig,
}

impl Default for LedgerConfig {
    fn default() -> Self {
        LedgerConfig {
            packet_bytes: 1500,
            max_ack_delay: Span::from_millis(25),
            packet_threshold: 3,
            time_threshold: 9.0 / 8.0,
            rtt: RttConfig { min_rto: Span::ZERO, min_spread: Span::ZERO, ..RttConfig::default() },
        }
    }
}

impl LedgerConfig {
    setters! {
        packet_bytes: u32,
        max_ack_delay: Span,
        packet_threshold: u64,
        time_threshold: f64,
        rtt: RttConfig,
    }
}
