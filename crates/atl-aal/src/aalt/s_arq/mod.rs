//! S-ARQ, the survivable ARQ of AAL-T (paper, sections 3.1, 3.2.1 and 3.4): no timer at the sender, a periodic status from
//! the receiver. **Reconstructed** where the paper is silent.
//!
//! [`Sender`] and [`Receiver`] are state machines: PDUs and the time go in, PDUs and SDUs come out. The host moves
//! PDUs in cells ([`crate::sar`]), asks the receiver for its status when [`Receiver::next_status`] says, and sends the
//! sender's PDUs at the rate it likes.
//!
//! From the paper: PDUs before MSN and those with a 1 in BMAP have arrived. Each other one that was transmitted
//! counts a control packet down from m, the control packets of a round trip; at zero it is retransmitted with the same SN
//! and the same octets. The last PDU of a CPCS-PDU calls for a status at once. The payload length is chosen anew at each
//! control packet, and the receiver's period follows the length that it sees. A CPCS-PDU whose length or tags are wrong is
//! retransmitted whole; the sender holds it until the receiver has delivered it.
//!
//! What the paper leaves open, and what was chosen:
//!
//! - **The tail.** A PDU behind the last one received has no bit in BMAP; it counts down as if it had a 0. The receiver's
//!   status repeats for as long as the connection stands. So whatever is lost, also the first PDUs, the last ones and any
//!   number of control packets, the next control packets find it. The sender ends ([`Sender::is_done`]) when a
//!   control packet's tag has passed its last CPCS-PDU; the receiver ends when the connection is released, by signalling.
//! - **Retransmission of a CPCS-PDU**: the receiver takes MSN back to its first PDU and forgets what came behind. Such a
//!   status takes acknowledgements back: the PDU counts down from m again. So an old status that was overtaken does no
//!   harm: the next one sets it right before m is through.
//! - **An undetected error in the length** can make the receiver wait for octets that nobody sends. Its status then shows
//!   MSN past a CPCS-PDU with the tag not past it. After m of those the sender sends that CPCS-PDU again unasked. The
//!   receiver compares what comes twice; where it differs, one of both is wrong, and both are forgotten.
//! - **m** is either fixed or measured: control packets counted from the transmission of a PDU to its acknowledgement,
//!   for PDUs sent once; their mean (smoothed as eq. 1 smooths the round trip) and four mean deviations, plus one. Where it is
//!   measured it is only what is begun with: CPCS-PDUs that are delivered call for statuses of their own, so that these
//!   come at no constant rate. From the first measurement on a PDU is waited for as long as the round trip in time,
//!   srt of eq. 1 and four deviations, looked at when a control packet comes.
//! - **Windows.** The sender sends up to `window` PDUs past the first one unacknowledged, and up to four windows (at least
//!   1490, the most a CPCS-PDU takes) past the start of the first CPCS-PDU undelivered: the paper's "multiple (e.g., 4)".
//!   It holds up to 127 CPCS-PDUs, so that a tag says whether it is old. The receiver holds `window` PDUs behind MSN
//!   and one CPCS-PDU.
//! - **Age.** Numbers wrap. No cell may come later than 16 384 further PDUs, and no status later than 128
//!   further CPCS-PDUs: as with any ARQ whose numbers are reused, the network has to bound its delay.
//!
//! Repetition is periodic and draws nothing at random: a path that is shut just whenever a PDU is repeated, such as an outage
//! with a period of m status intervals, lets nothing through.

mod config;
mod piece;
mod receiver;
mod round_trip;
mod sender;

pub use config::{InvalidConfig, ReceiverConfig, RoundTripCount, SenderConfig};
pub use receiver::{Arrival, Receiver, ReceiverStatistics};
pub use sender::{Sender, SenderStatistics, Status, SubmitError};
