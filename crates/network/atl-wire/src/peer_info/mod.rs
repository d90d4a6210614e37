//! The wire form of a receiver's reports beyond acknowledgments: its wireless link (p_w, d_w), its
//! handoffs, the rate it asks for, its window.
//!
//! The message is meant for any carrier of a transport's own extensions: a TCP option, an RTCP
//! application packet, a QUIC datagram. The carrier delimits and protects it. On a path where
//! others can write, a sender should accept messages only from an authenticated carrier, and check
//! their claims ([`atl_core::path`] bounds the gain from a claim).
//!
//! | octets | field |
//! | --- | --- |
//! | 1 | version (upper 4 bits, today 1) and flags (lower 4 bits) |
//! | 4 | flag 1: number of handoffs so far, modulo 2^32 |
//! | 4 | flag 1: p_w, as a multiple of 1 / (2^32 - 1) |
//! | 4 | flag 1: d_w in microseconds; 2^32 - 1 stands for that and anything longer |
//! | 8 | flag 2: rate asked for, in packets per second, an IEEE 754 double: finite and not negative |
//!
//! Flag 4: the window is reported. Flag 8: the window is open; only together with flag 4. Numbers
//! are big-endian. Messages have no padding: an octet more or less is an error, so that each
//! message has one form.
//!
//! ```
//! use atl_core::path::LinkReport;
//! use atl_core::time::Span;
//! use atl_core::units::Probability;
//! use atl_wire::{PeerInfo, PeerLinkReport};
//!
//! let link = LinkReport { loss: Probability::clamped(0.01), delay: Span::from_millis(50) };
//! let info = PeerInfo { link_report: Some(PeerLinkReport { epoch: 3, link }), ..PeerInfo::NONE };
//!
//! let message = atl_wire::encode(&info);
//! assert_eq!(message.as_ref().len(), 13);
//!
//! let read = atl_wire::decode(message.as_ref()).expect("a message that `encode` wrote");
//! let report = read.link_report.expect("it reports a link");
//! assert_eq!((report.epoch, report.link.delay), (3, Span::from_millis(50)));
//! assert!((report.link.loss.get() - 0.01).abs() < 1e-9);
//! ```

mod decode;
mod encode;
mod error;
mod form;

pub use decode::decode;
pub use encode::{Message, encode};
pub use error::WireError;
pub use form::{MAX_LEN, VERSION};
