//! The path's bit error ratio, "calculated at the CP-ARQ sublayer from the error statistics of the
//! most recently received packets by comparing error packets and retransmitted correct packets"
//! (paper, section 3.2).
//!
//! This sentence allows two readings, and both are available:
//!
//! - [`Outcomes`] compares *numbers*: how many PDUs got through and how many had to be
//!   retransmitted. The sender knows both from control packets. S-ARQ uses this estimate, because
//!   the sender chooses the payload length and a control packet has no field for a bit error ratio.
//!   Cells lost to congestion count as errors.
//! - [`Comparison`] compares *bits*: a PDU received with errors against its correct retransmission.
//!   Only the receiver can do this. It needs complete PDUs, and is not affected by congestion.

mod comparison;
mod outcomes;

pub use comparison::Comparison;
pub use outcomes::Outcomes;
