//! The packets of a paced flow over UDP: data, probes, ACKs, reports.
//!
//! All of them begin with four octets; numbers are big-endian.
//!
//! | octets | field |
//! | --- | --- |
//! | 1 | version (upper 4 bits, today 1) and kind (lower 4 bits): 1 data, 2 probe, 3 ACK, 4 ACK of a probe, 5 report |
//! | 1 | flags: 1 a link report follows (ACK, report); 2 marks, 4 the packet's ECN field was clear (ACK); 2 receive rate, 4 loss event rate, 8 packet-pair rate, 16 marked packets, 32 packets with a clear ECN field (report); others zero |
//! | 2 | size of the packet on the path, IP and UDP headers included |
//!
//! Data, probe, ACK, ACK of a probe:
//!
//! | octets | field |
//! | --- | --- |
//! | 4 | low half of the number of the packet, in an ACK of the one that it answers |
//! | 4 | data: the sender's RTT in microseconds, 0 before it has one, and 2^32 - 1 for anything longer; ACK: which of the 32 packets before have arrived, bit 0 the last; else zero |
//! | 8 | when the packet was sent, in nanoseconds of the sender's clock; an ACK echoes it |
//! | 4 | ACK, flag 2: which of this packet (bit 0) and the 31 before it have arrived marked; not zero |
//!
//! Report:
//!
//! | octets | field |
//! | --- | --- |
//! | 8 | highest number received |
//! | 8 | packets received |
//! | 8 | packets lost, as a signed number |
//! | 8 | share lost since the report before, from 0 to 1: a double, as all rates and shares here |
//! | 8 | interarrival jitter in nanoseconds |
//! | 8 | when the newest packet was sent |
//! | 8 | nanoseconds since it arrived |
//! | 8 | flag 2: rate received, in packets per second |
//! | 8 | flag 4: loss event rate, from 0 to 1 |
//! | 8 | flag 8: the bottleneck's rate by packet pairs, in bytes per second |
//! | 8 | flag 16: packets received marked, not zero |
//! | 8 | flag 32: packets received with a clear ECN field, not zero |
//!
//! At the end, with flag 1, come the 13 octets in which [`encode`](crate::encode) puts the
//! report of the receiver's wireless link. The rest is payload or padding. Each packet has one
//! form: octets that should be zero must be, and rates are finite and not negative.
//!
//! The form is for programs that measure protocols, not for the open Internet: it has no
//! protection. A carrier that others can write to has to authenticate it.
//!
//! ```
//! use atl_core::time::Time;
//! use atl_wire::paced::{Packet, decode, encode};
//!
//! let sent_at = Time::from_millis(5);
//! let packet = Packet::Data { size: 1040, seq: 7, rtt_micros: 40_000, sent_at };
//! let mut datagram = encode(&packet).as_ref().to_vec();
//! datagram.resize(1040 - 28, 0);
//! let (read, payload) = decode(&datagram).expect("a packet");
//! assert_eq!((read, payload.len()), (packet, 1040 - 28 - 20));
//! ```

mod decode;
mod encode;
mod error;
mod form;

use atl_core::time::Time;

use crate::message::PeerLinkReport;
use crate::message::ReportPacket;

pub use decode::decode;
pub use encode::encode;
pub use error::PacedError;
pub use form::{MAX_LEN, VERSION};

/// A packet, without payload and padding.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Packet {
    /// A data packet, with payload after it.
    Data {
        /// Bytes on the path, headers included.
        size: u16,
        /// Low half of its number.
        seq: u32,
        /// The sender's RTT in microseconds, 0 without one.
        rtt_micros: u32,
        /// Time at which it was sent.
        sent_at: Time,
    },
    /// A low-priority probe packet.
    Probe {
        /// Bytes on the path, headers included.
        size: u16,
        /// Number of the probe.
        number: u32,
        /// Time at which it was sent.
        sent_at: Time,
    },
    /// The ACK of a data packet.
    Ack {
        /// Bytes on the path, headers included.
        size: u16,
        /// Low half of the data packet's number.
        seq: u32,
        /// Arrivals among the 32 packets before it, bit 0 for the last.
        mask: u32,
        /// Marks among this packet (bit 0) and the 31 before it.
        marks: u32,
        /// The data packet's ECN field was clear.
        clear: bool,
        /// Time at which the data packet was sent.
        echo: Time,
        /// The state of the receiver's wireless link.
        link_report: Option<PeerLinkReport>,
    },
    /// The ACK of a probe.
    ProbeAck {
        /// Bytes on the path, headers included.
        size: u16,
        /// Number of the probe.
        number: u32,
        /// Time at which the probe was sent.
        echo: Time,
    },
    /// A periodic report of the receiver.
    Report {
        /// Bytes on the path, headers included.
        size: u16,
        /// The contents of the report.
        report: ReportPacket,
    },
}

impl Packet {
    /// Bytes on the path, headers included.
    pub fn size(&self) -> u16 {
        match *self {
            Packet::Data { size, .. }
            | Packet::Probe { size, .. }
            | Packet::Ack { size, .. }
            | Packet::ProbeAck { size, .. }
            | Packet::Report { size, .. } => size,
        }
    }
}
