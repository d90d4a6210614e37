//! Link reports of a receiver on a wireless link, as QUIC datagrams, without I/O.
//!
//! A datagram is an octet for the version (today 1), a number that counts up from 0 in 4 octets,
//! and a message of [`atl_wire`] with p_w, d_w and the number of handoffs. Datagrams can
//! be lost: a report that does not change is repeated each second. They can be reordered: a report
//! whose number is not above the last one's is ignored, and so is one from before a known handoff.
//! QUIC authenticates them; their claims are checked where they are used ([`atl_core::path`]).

mod reader;
mod writer;

pub use reader::{Accepted, ReportCounts, ReportReader};
pub use writer::ReportWriter;

/// The version that this crate writes and reads.
pub const VERSION: u8 = 1;
/// Limit on the octets of a report.
pub const MAX_DATAGRAM: usize = 1 + 4 + atl_wire::MAX_LEN;
