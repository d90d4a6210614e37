//! S-ARQ, the survivable ARQ of AAL-T (paper, sections 3.1, 3.2.1 and 3.4): no timer at the sender,
//! periodic status reports from the receiver. **Reconstructed** where the paper is silent.
//!
//! [`Sender`] and [`Receiver`] are state machines: PDUs and the time go in, PDUs and SDUs come out.
//! The caller carries PDUs in cells ([`crate::sar`]), polls the receiver for its status at
//! [`Receiver::next_status`], and sends the sender's PDUs at the rate of its choice.
//!
//! From the paper: PDUs before MSN and those with a 1 in BMAP have arrived. Every other PDU that
//! was sent counts down from m, the number of control packets per round trip; at zero it is
//! retransmitted with the same SN and the same octets. The last PDU of a CPCS-PDU triggers a status
//! at once. The payload length is chosen anew at each control packet, and the receiver's status
//! interval follows the length that it observes. A CPCS-PDU with a wrong length or tag is
//! retransmitted as a whole; the sender keeps it until the receiver has delivered it.
//!
//! The paper leaves open, and this implementation chooses:
//!
//! - **The tail.** A PDU after the last one received has no bit in BMAP; it counts down as if its
//!   bit were 0. Status reports continue as long as the connection exists. So any loss is found by
//!   later control packets, including that of the first or last PDUs and of any number of control
//!   packets. The sender is done ([`Sender::is_done`]) when the tag of a control packet has passed
//!   its last CPCS-PDU; the receiver ends when signalling releases the connection.
//! - **Retransmission of a CPCS-PDU**: the receiver resets MSN to its first PDU and discards
//!   everything after it. Such a status revokes acknowledgements, and those PDUs count down from m
//!   again. An old status that was overtaken therefore does no harm: the next one corrects it
//!   before the count reaches zero.
//! - **An undetected error in the length field** can make the receiver wait for octets that are
//!   never sent. Its status then shows MSN past a CPCS-PDU while the tag is not. After m such
//!   reports the sender retransmits that CPCS-PDU unasked. The receiver compares duplicates; if two
//!   differ, one of them is wrong, and both are discarded.
//! - **m** is either fixed or measured, as the number of control packets between the transmission
//!   of a PDU and its acknowledgement, for PDUs sent once: the mean (smoothed as eq. 1 smooths the
//!   round trip) plus four mean deviations, plus one. A measured m applies only at first: every
//!   CPCS-PDU delivered triggers a status of its own, so that control packets have no constant
//!   rate. From the first measurement on, the sender waits for a PDU as long as the round trip in
//!   time, srt of eq. 1 plus four deviations, checked when a control packet arrives.
//! - **Windows.** The sender sends up to `window` PDUs past the first unacknowledged one, and up to
//!   four windows (at least 1490 PDUs, the most that a CPCS-PDU takes) past the start of the first
//!   undelivered CPCS-PDU: the paper's "multiple (e.g., 4)". It holds up to 127 CPCS-PDUs, so that
//!   a tag shows whether it is old. The receiver holds `window` PDUs after MSN and one CPCS-PDU.
//! - **Age.** Numbers wrap. A cell must arrive before 16 384 further PDUs have been sent, and a
//!   status before 128 further CPCS-PDUs: as with any ARQ that reuses numbers, the network must
//!   bound its delay.
//!
//! Retransmissions are periodic, without randomness: a path that is down exactly at each
//! retransmission, such as one with outages at a period of m status intervals, lets nothing
//! through.

mod config;
mod piece;
mod receiver;
mod round_trip;
mod sender;

pub use config::{InvalidConfig, ReceiverConfig, RoundTripCount, SenderConfig};
pub use receiver::{Arrival, Receiver, ReceiverStatistics};
pub use sender::{Sender, SenderStatistics, Status, SubmitError};
