//! Parameters of a paced flow.

use atl_core::rate::FeedbackMode;
use atl_core::units::Rate;

/// Parameters of a paced flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pacing {
    /// Rate on the wire that the application wants and that is never exceeded. `None`: the rate of
    /// the access link ([`crate::tcp::Tcp::access_rate`]).
    pub target: Option<Rate>,
    /// Minimum rate on the wire. Zero: one packet in 64 s (RFC 5348).
    pub minimum: Rate,
    /// Form of the receiver's answers. `None`: the default of the protocol.
    pub feedback: Option<FeedbackMode>,
    /// Explicit congestion notification: queues that mark spare its packets, and the receiver tells
    /// of marks (RFC 6679, RFC 8888).
    pub ecn: PacedEcn,
}

/// The ECN field of a paced flow's data packets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PacedEcn {
    /// Clear: queues can only drop.
    #[default]
    Off,
    /// ECT(0): a mark counts as a loss would (RFC 3168).
    Ect0,
    /// ECT(1): queues take its packets for those of L4S (RFC 9331), whatever its law makes of
    /// marks.
    Ect1,
}
