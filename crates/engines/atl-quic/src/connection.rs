//! A flow as a QUIC connection, for every engine that has one: transport parameters, congestion
//! controllers and what they are told, TLS, applications, reports of wireless links, and what
//! cannot be done over QUIC.

/// The QUIC library and its version, which decide results.
pub const LIBRARY: &str = "noq-proto 1.4.0";

pub use crate::app::{OCTETS, Reads, Writes};
pub use crate::controllers::Controllers;
pub use crate::crypto::{Pair, SERVER_NAME, TlsError, endpoint, tls_configs};
pub use crate::flow::Field;
pub use crate::gaps::{gaps, of_flow as gaps_of_flow};
pub use crate::reports::PeerReports;
pub use crate::tap::Tap;
pub use crate::transport::{BELOW_QUIC, mtu, receiver, sender};
