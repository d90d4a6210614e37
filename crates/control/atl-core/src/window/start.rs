//! A window controller's knowledge of its connection at the start.

use crate::setters::setters;
use crate::time::Span;
use crate::units::Rate;

/// A window controller's knowledge of its connection at the start.
///
/// Build one controller per path: after a migration, or for each path of a multipath connection.
///
/// ```
/// use atl_core::window::Start;
///
/// let start = Start::default().initial_window(4.0).packet_bytes(1200).seed(42);
/// assert_eq!((start.initial_window, start.acked_per_ack), (4.0, 1.0));
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct Start {
    /// Initial window in packets; values below 1 count as 1. 10 by default (RFC 6928).
    pub initial_window: f64,
    /// Slow start threshold in packets, where the path was probed beforehand; values below 2 count
    /// as 2. Infinite by default ("arbitrarily high", RFC 5681, sec. 3.1).
    pub ssthresh: f64,
    /// Round-trip time of the path, where it was measured beforehand. `None` by default.
    pub rtt: Option<Span>,
    /// Bytes of a full data packet on the wire, headers included. 1500 by default.
    pub packet_bytes: u32,
    /// Rate of the sender's access link, if it is known. `None` by default.
    pub access_rate: Option<Rate>,
    /// b: data packets that one ACK acknowledges. 1 by default; 2 with delayed ACKs.
    pub acked_per_ack: f64,
    /// The receiver's window in packets. `u32::MAX` by default: no limit.
    pub receive_window: u32,
    /// Seed of the controller's random draws. It differs between the connections (and paths) of a
    /// sender, so that they do not act in step. The same seed gives the same draws. 0 by default.
    pub seed: u64,
}

impl Default for Start {
    fn default() -> Self {
        Start::DEFAULT
    }
}

impl Start {
    /// The defaults, for constants.
    pub const DEFAULT: Start = Start {
        initial_window: 10.0,
        ssthresh: f64::INFINITY,
        rtt: None,
        packet_bytes: 1500,
        access_rate: None,
        acked_per_ack: 1.0,
        receive_window: u32::MAX,
        seed: 0,
    };

    setters! {
        initial_window: f64,
        ssthresh: f64,
        rtt: Option<Span>,
        packet_bytes: u32,
        access_rate: Option<Rate>,
        acked_per_ack: f64,
        receive_window: u32,
        seed: u64,
    }
}
