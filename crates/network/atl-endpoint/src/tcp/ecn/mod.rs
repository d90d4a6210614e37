//! Explicit congestion notification in TCP: the sender says in the IP header that its packets may
//! be marked, queues mark them, and the receiver tells the sender.
//!
//! Sources: RFC 3168 (classic: the receiver sets ECE in all ACKs from a mark until the sender's CWR
//! arrives), RFC 9768 (AccECN: each ACK carries the low bits of the count of marked packets).
//!
//! Left open by the sources, or left out, and chosen:
//! - A scenario says what each end supports. With a handshake they negotiate (`negotiation.rs`);
//!   without one the connection is an old one, which has done so. A SYN keeps its flags however
//!   often it is sent again.
//! - Data that is sent for the first time is ECN-capable; retransmissions, probes, ACKs and SYNs
//!   are not (RFC 3168, sec. 6.1.1, 6.1.4 and 6.1.5).
//! - Accurate counts are the ACE field. The AccECN option with its byte counters is one that a
//!   receiver SHOULD send (RFC 9768, sec. 3.2.3): a scenario says whether it does, and then each
//!   ACK has it, with the counter of CE alone, which is what a sender uses. Without it, where an
//!   ACK covers more than seven packets, the count is the largest that fits (appendix A.2.1).
//! - An ACK of the answer to a SYN does not tell how that arrived (RFC 9768, sec. 3.2.2.1): such
//!   answers are not ECN-capable here, and data goes the other way.
//! - A law that needs the share of marked packets takes each ECE of the classic feedback for a
//!   loss, and its packets carry ECT(0): without accurate feedback a sender must not use ECT(1)
//!   (RFC 9331, sec. 4.2).
//! - While packets are in flight over two paths, marks are not told to the controller: their ACKs
//!   overtake each other, and a count of one path would be taken for that of the other.

mod negotiation;
mod receiver;
mod sender;

pub(super) use receiver::EcnReceiver;
pub(super) use sender::EcnSender;

use atl_core::window::MarkResponse;

/// The feedback on marked packets that the receiver gives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum EcnMode {
    /// No ECN: queues can only drop.
    Off,
    /// The ECE flag: marks in a round trip, or none (RFC 3168).
    Classic,
    /// The number of marked packets in each ACK (RFC 9768).
    Accurate,
}

impl EcnMode {
    /// All modes.
    pub const ALL: [EcnMode; 3] = [EcnMode::Off, EcnMode::Classic, EcnMode::Accurate];

    /// Name in scenario files.
    pub const fn name(self) -> &'static str {
        match self {
            EcnMode::Off => "off",
            EcnMode::Classic => "classic",
            EcnMode::Accurate => "accurate",
        }
    }

    /// The mode of a flow whose scenario chooses none: accurate for a law that counts marks, else
    /// off.
    pub const fn usual(response: MarkResponse) -> Self {
        if response.counts_marks() { EcnMode::Accurate } else { EcnMode::Off }
    }
}

/// ECE, in the classic feedback.
const ECE: u8 = 1;
/// The counter of marked packets begins here (RFC 9768, sec. 3.2.1), and its low bits are sent.
const FIRST_COUNT: u8 = 5;
/// Bits of the ACE field.
const ACE: u8 = 0b111;
/// Bits of a counter in the AccECN option (RFC 9768, sec. 3.2.3).
const COUNTER: u32 = 0xff_ffff;

#[cfg(test)]
mod tests;
