//! The packets of one run, step by step, for whoever writes them down.

use std::io;

use atl_core::time::Time;
use atl_link::{Cause, Ecn};

use crate::flow::State;

/// A step of a packet on its way.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum What {
    /// A link took it: it waits there, or is in transmission.
    Queued,
    /// A queue dropped it: refused it, or took it and dropped it later.
    Dropped,
    /// A link delivers it a second time: it came out of the link, and a copy of it does now.
    Copied,
    /// It was lost on its way over a link.
    Lost(Cause),
    /// It came out of a link; other links follow.
    Passed,
    /// It came out of its last link, at the host that it was sent to.
    Arrived,
}

/// The part that a packet has in its flow.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// It carries data of the application.
    Data,
    /// It acknowledges data.
    Ack,
    /// A connection request of TCP (SYN), or the answer to one (SYN-ACK).
    Handshake,
    /// Anything else: probes, reports, notices.
    Other,
}

/// The fields of a packet that has no bytes.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Fields {
    /// Its part in the flow.
    pub role: Role,
    /// Name of its kind, in words.
    pub kind: &'static str,
    /// Data: number of the segment or packet. ACK: the next segment expected; paced ACK: the number
    /// of the packet that it answers. The lower 32 bits.
    pub number: u32,
    /// Data: number of the transmission; data that is sent again has another. ACK: that of the
    /// packet that it answers. The lower 32 bits.
    pub transmission: u32,
    /// Data: when it was sent. ACK: when the packet that it answers was sent.
    pub sent_at: Time,
    /// Flags of TCP. Data: CWR (bit 0). ACK and handshake: AE, CWR and ECE (bits 2 to 0).
    pub flags: u8,
}

/// The content of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Content<'a> {
    /// A UDP datagram's payload.
    Datagram(&'a [u8]),
    /// A packet of an engine whose packets have no bytes.
    Fields(Fields),
}

/// A step of a packet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seen<'a> {
    /// Time of the run.
    pub at: Time,
    /// The step.
    pub what: What,
    /// The link, by its index in the setup; `None` of a packet that no link has seen.
    pub link: Option<usize>,
    /// Index of its flow.
    pub flow: usize,
    /// It goes to the receiver of the data.
    pub forward: bool,
    /// Its ECN field.
    pub ecn: Ecn,
    /// Bytes on the wire, with IP.
    pub bytes: u32,
    /// The packet.
    pub content: Content<'a>,
}

/// Whoever is told of a run's packets. Steps come in order of time.
pub trait Witness: Send {
    /// A packet took a step.
    fn packet(&mut self, seen: &Seen<'_>);

    /// The ends of a flow after a step of one of its packets.
    fn state(&mut self, at: Time, flow: usize, state: &State);

    /// Where a transport that keeps a qlog itself puts that of a flow's sender, as JSON text
    /// sequences (RFC 7464); `None` for nowhere.
    fn log(&mut self, flow: usize) -> Option<Box<dyn io::Write + Send + Sync>>;
}
