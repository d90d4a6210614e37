//! Parameters of a TCP connection.

use atl_core::time::Span;
use atl_core::units::Rate;

/// Parameters of a TCP connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Data bytes in a segment. By default the rest of Ethernet's 1500 bytes.
    pub segment: u32,
    /// Header bytes of a data segment on the wire: by default IPv4's 20, TCP's 20 and 12 of
    /// timestamps (RFC 7323).
    pub header: u32,
    /// Bytes of an ACK on the wire.
    pub ack: u32,
    /// Initial window in packets (RFC 6928).
    pub initial_window: f64,
    /// Receive window in packets.
    pub receive_window: u32,
    /// Minimum retransmission timeout (1 s in RFC 6298; common stacks use 0.2 s). The timeout also
    /// stays at least 0.2 s, or `min_rto` if that is less, above SRTT, as in common stacks.
    pub min_rto: Span,
    /// Maximum retransmission timeout (RFC 6298, rule 2.5).
    pub max_rto: Span,
    /// Maximum delay of an ACK; the receiver acknowledges every second segment at once. `None`: it
    /// acknowledges each packet.
    pub delayed_ack: Option<Span>,
    /// Starts with a handshake, one round trip before the first data.
    pub handshake: bool,
    /// Rate of the access link at the sender, if its host knows it.
    pub access_rate: Option<Rate>,
}

impl Default for Tcp {
    fn default() -> Self {
        Tcp {
            segment: 1448,
            header: 52,
            ack: 52,
            initial_window: 10.0,
            receive_window: 10_000,
            min_rto: Span::from_millis(200),
            max_rto: Span::from_secs(60),
            delayed_ack: None,
            handshake: false,
            access_rate: None,
        }
    }
}
