//! The wire forms of what endpoints tell each other.
//!
//! - What a receiver reports beyond acknowledging, in the form of this crate: [`encode`] and
//!   [`decode`] (`peer_info/`);
//! - a question about a link over a local socket, and its answer: [`link_query`];
//! - the packets of a paced flow over UDP: [`paced`];
//! - what announces and measures a handoff, as RTCP packets: [`rtcp`].

pub mod link_query;
mod octets;
pub mod paced;
mod peer_info;
pub mod rtcp;

pub use octets::Octets;
pub use peer_info::{MAX_LEN, Message, VERSION, WireError, decode, encode};
