//! The path's bit error ratio, "calculated at the CP-ARQ sublayer from the error statistics of the most recently received
//! packets by comparing error packets and retransmitted correct packets" (paper, section 3.2).
//!
//! The sentence can be read in two ways, and both are offered:
//!
//! - [`Outcomes`] compares *numbers*: how many PDUs had to be retransmitted and how many got through. The sender knows them
//!   from the control packets, and it is the sender that chooses the length while a control packet has no field for a
//!   bit error ratio. So S-ARQ uses this one. Cells lost to congestion count as errors.
//! - [`Comparison`] compares *bits*: a PDU that came with errors against the same PDU retransmitted. The receiver alone can;
//!   it sees no more than a whole PDU's errors, but no congestion.

mod comparison;
mod outcomes;

pub use comparison::Comparison;
pub use outcomes::Outcomes;
