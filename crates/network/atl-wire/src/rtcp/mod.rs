//! RTCP packets of a handoff: Handoff Notification (HN), Handoff Report (HR), and BYE.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III-D: HN has
//! "the same header as ordinary RTCP packets" and a "packet type field set to an unused value"; HR
//! "conforms to that of RTCP RR". The paper gives no field, so the bodies are ours. BYE is RFC
//! 3550's (sec. 6.6).
//!
//! Header (RFC 3550, sec. 6.1), for all of them:
//!
//! | octets | field |
//! | --- | --- |
//! | 1 | RTP's version 2 (2 bits), padding (1 bit, here 0), and 5 bits: the version of HN and HR, today 1; of BYE its number of sources |
//! | 1 | packet type: HN 222, HR 223, BYE 203 |
//! | 2 | length in words of 32 bits, less one: HN 5, HR 12 |
//! | 4 | SSRC of the sender of this packet |
//!
//! HN, 24 octets in all:
//!
//! | octets | field |
//! | --- | --- |
//! | 4 | number of the notice |
//! | 1 | signal: 0 imminent, 1 done, 2 gone |
//! | 1 | path |
//! | 2 | zero |
//! | 8 | tag |
//!
//! HR, 52 octets in all. Its first words correspond to those of an RR's report block:
//!
//! | octets | field |
//! | --- | --- |
//! | 4 | SSRC of the stream whose dummies were measured |
//! | 1 | number of the probe, from 0 to 63 |
//! | 3 | dummies lost: those up to the highest that did not arrive |
//! | 4 | highest number of a dummy that arrived, less than 2^24 |
//! | 4 | interarrival jitter in microseconds |
//! | 4 | time from the first arrival to the last in microseconds |
//! | 4 | time from the first arrival to the end of the measurement in microseconds |
//! | 1 | path |
//! | 3 | zero |
//! | 8 | bytes that arrived, headers included |
//! | 8 | tag |
//!
//! Numbers are big-endian; a time of 2^32 - 1 stands for that and anything longer. Each HN and HR
//! has one form: octets that should be zero must be.
//!
//! The packet types 222 and 223 are not assigned by IANA. They lie in the range from 192 to 223, in
//! which a receiver that gets RTP and RTCP on one port tells them from RTP (RFC 5761, sec. 4), at
//! the end that is handed out last. A standard would have to register them; until then both ends
//! must know of each other. The packets may travel alone (RFC 5506) or in a compound packet, which
//! [`packets`] splits. The tag protects them where the session has a key; SRTCP (RFC 3711) does the
//! same for all of RTCP.
//!
//! ```
//! use atl_core::path::{PathId, PathSignal};
//! use atl_wire::Notice;
//! use atl_wire::rtcp::{Packet, decode, encode};
//!
//! let notice = Notice { sequence: 7, signal: PathSignal::Imminent(PathId::new(1)), tag: 0 };
//! let octets = encode(&Packet::Notice { ssrc: 0x1234_5678, notice });
//! assert_eq!(octets.as_ref()[..4], [0x81, 222, 0, 5]);
//! assert_eq!(decode(octets.as_ref()), Ok(Packet::Notice { ssrc: 0x1234_5678, notice }));
//! ```

mod decode;
mod encode;
mod error;
mod form;

pub use decode::{decode, packets};
pub use encode::encode;
pub use error::RtcpError;
pub use form::{BYE, HANDOFF_NOTIFICATION, HANDOFF_REPORT, MAX_LEN, VERSION};

use crate::message::{HandoffReport, Notice};

/// An RTCP packet of a handoff.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Packet {
    /// HN: a signal of a mobile receiver's lower layers.
    Notice {
        /// SSRC of the mobile.
        ssrc: u32,
        /// The signal, with its number and tag.
        notice: Notice,
    },
    /// HR: a measurement of the dummies that arrived.
    Report {
        /// SSRC of the receiver.
        ssrc: u32,
        /// SSRC of the stream whose dummies were measured.
        stream: u32,
        /// The measurement, with its tag.
        report: HandoffReport,
    },
    /// BYE of one source: it has left the network whose path it was used on, where each path has a
    /// source of its own.
    Bye {
        /// SSRC of the source that ends.
        ssrc: u32,
    },
}
