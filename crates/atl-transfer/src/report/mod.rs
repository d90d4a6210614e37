//! Link reports of a receiver on a wireless link, as QUIC datagrams, without I/O.
//!
//! A datagram is an octet for the version (today 1), a number that counts up from 0 in 4 octets,
//! and a message of [`atl_endpoint::wire`] with p_w, d_w and the number of handoffs. Datagrams get
//! lost: a report that does not change is repeated each second. They overtake each other: a report
//! whose number is not above the last one's is ignored, and so is one from before a handoff that is
//! known. QUIC authenticates them; what they claim is checked where it is used
//! ([`atl_core::path`]).

mod reader;
mod writer;

pub use reader::{Accepted, ReportCounts, ReportReader};
pub use writer::ReportWriter;

/// The version that this crate speaks.
pub const VERSION: u8 = 1;
/// The longest datagram.
pub const MAX_DATAGRAM: usize = 1 + 4 + atl_endpoint::wire::MAX_LEN;
