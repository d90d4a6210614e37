//! Parameters of a TCP connection.

use atl_core::time::Span;
use atl_core::units::Rate;

/// Parameters of a TCP connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Data bytes in a segment.
    pub segment: u32,
    /// Header bytes of a data segment on the wire.
    pub header: u32,
    /// Bytes of an ACK on the wire.
    pub ack: u32,
    /// Initial window in packets.
    pub initial_window: f64,
    /// The receiver's window in packets.
    pub receive_window: u32,
    /// Least retransmission timeout (RFC 6298 says 1 s; common stacks 0.2 s, above SRTT). A host keeps the
    /// timeout at least 0.2 s above SRTT too, or this if it is less.
    pub min_rto: Span,
    /// Largest retransmission timeout (RFC 6298, rule 2.5).
    pub max_rto: Span,
    /// Delay ACKs: one for each second packet or after this time; `None` acknowledges each packet.
    pub delayed_ack: Option<Span>,
    /// Begin with a three-way handshake.
    pub handshake: bool,
    /// Rate of the source's access link, where the host knows it.
    pub access_rate: Option<Rate>,
}

impl Default for Tcp {
    fn default() -> Self {
        Tcp {
            segment: 1000,
            header: 40,
            ack: 40,
            initial_window: 2.0,
            receive_window: 10_000,
            min_rto: Span::from_millis(200),
            max_rto: Span::from_secs(60),
            delayed_ack: None,
            handshake: false,
            access_rate: None,
        }
    }
}
