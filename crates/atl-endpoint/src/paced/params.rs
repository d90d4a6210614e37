//! Parameters of a paced flow.

use atl_core::rate::FeedbackMode;
use atl_core::units::Rate;

/// Parameters of a paced flow.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Pacing {
    /// The rate on the wire that the application wants and that is never exceeded; none: the access link's rate
    /// ([`crate::tcp::Tcp::access_rate`]).
    pub target: Option<Rate>,
    /// Least rate on the wire; zero: a packet in 64 s (RFC 5348).
    pub minimum: Rate,
    /// How the receiver tells what arrives; none: as the protocol has it.
    pub feedback: Option<FeedbackMode>,
}
