//! The wire forms of messages between endpoints.
//!
//! - a receiver's reports beyond acknowledgments, in the form of this crate: [`encode`] and
//!   [`decode`] (`peer_info/`);
//! - a question about a link over a local socket, and its answer: [`link_query`];
//! - the packets of a paced flow over UDP: [`paced`];
//! - announcements and measurements of a handoff, as RTCP packets: [`rtcp`].

pub mod link_query;
mod message;
mod octets;
pub mod paced;
mod peer_info;
pub mod rtcp;

pub use message::{HandoffReport, Notice, PeerInfo, PeerLinkReport, ReportPacket, micros};
pub use octets::Octets;
pub use peer_info::{MAX_LEN, Message, VERSION, WireError, decode, encode};
