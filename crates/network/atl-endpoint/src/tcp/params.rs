//! Parameters of a TCP connection.

use atl_core::time::Span;
use atl_core::units::Rate;
use atl_core::window::MarkResponse;

use super::ecn::EcnMode;

/// Parameters of a TCP connection.
#[derive(Clone, Debug, PartialEq)]
pub struct Tcp {
    /// Most data bytes in a segment. By default the rest of Ethernet's 1500 bytes.
    pub segment: u32,
    /// Header bytes of a data segment on the wire: by default IPv4's 20, TCP's 20 and 12 of
    /// timestamps (RFC 7323).
    pub header: u32,
    /// Bytes of an ACK on the wire.
    pub ack: u32,
    /// Initial window in packets (RFC 6928).
    pub initial_window: f64,
    /// Receive window in packets, however long they are.
    pub receive_window: u32,
    /// Minimum retransmission timeout (1 s in RFC 6298; common stacks use 0.2 s). The timeout also
    /// stays at least 0.2 s, or `min_rto` if that is less, above SRTT, as in common stacks.
    pub min_rto: Span,
    /// Maximum retransmission timeout (RFC 6298, rule 2.5).
    pub max_rto: Span,
    /// Maximum delay of an ACK; the receiver acknowledges every second segment at once. `None`: it
    /// acknowledges each packet.
    pub delayed_ack: Option<Span>,
    /// ACKs echo the time of the transmission that caused them (RFC 7323), so that each gives an
    /// RTT sample, retransmissions included. False: one segment at a time is timed, none that was
    /// resent, and the timer stays backed off until such a sample (Karn and Partridge 1987; RFC
    /// 6298, sec. 3), as in ns-2 by default.
    pub timestamps: bool,
    /// Starts with a handshake, one round trip before the first data.
    pub handshake: bool,
    /// Rate of the access link at the sender, if its host knows it.
    pub access_rate: Option<Rate>,
    /// When a segment that is not full waits to be filled.
    pub nagle: Nagle,
    /// Explicit congestion notification; `None`: what the controller needs ([`EcnMode::usual`]).
    pub ecn: Option<EcnMode>,
    /// Feedback on marks that the receiving end supports; `None`: what the sender wants.
    pub peer_ecn: Option<EcnMode>,
    /// The receiver counts marked bytes in each ACK (the AccECN option, RFC 9768, sec. 3.2.3).
    pub ecn_option: bool,
}

impl Tcp {
    /// The ECN feedback of a connection whose controller answers marks like this.
    pub fn ecn_for(&self, response: MarkResponse) -> EcnMode {
        self.ecn.unwrap_or(EcnMode::usual(response))
    }

    /// The ECN feedback that the receiving end supports, where the controller answers marks like
    /// this.
    pub fn peer_ecn_for(&self, response: MarkResponse) -> EcnMode {
        self.peer_ecn.unwrap_or(self.ecn_for(response))
    }

    /// The ECN feedback on which both ends agree.
    pub fn agreed_ecn(&self, response: MarkResponse) -> EcnMode {
        self.ecn_for(response).agreed(self.peer_ecn_for(response))
    }
}

/// When a segment that is not full waits for more data, while some is unacknowledged (RFC 9293,
/// sec. 3.7.4). The end of a transfer never waits, since it carries the FIN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Nagle {
    /// Never, as with the socket option `TCP_NODELAY`.
    Off,
    /// While anything is unacknowledged (RFC 896). The end of each write then waits a round trip,
    /// and longer where ACKs are delayed.
    Rfc896,
    /// While another one that is not full is unacknowledged (Minshall's form, in
    /// draft-minshall-nagle-01), as in Linux: at most one small segment is in flight, and the end
    /// of a large write does not wait.
    #[default]
    Minshall,
}

impl Nagle {
    /// All forms.
    pub const ALL: [Nagle; 3] = [Nagle::Off, Nagle::Rfc896, Nagle::Minshall];

    /// Name in scenario files.
    pub fn name(self) -> &'static str {
        match self {
            Nagle::Off => "off",
            Nagle::Rfc896 => "rfc896",
            Nagle::Minshall => "minshall",
        }
    }
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
            timestamps: true,
            handshake: false,
            access_rate: None,
            nagle: Nagle::default(),
            ecn: None,
            peer_ecn: None,
            ecn_option: false,
        }
    }
}
