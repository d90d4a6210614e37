//! What the ends of a paced flow do when a host moves to another path.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III-D: a handoff is announced (HN), the
//! sender probes the new path with dummies, the receiver reports what arrived of them (HR), and the sender moves to the new
//! path at that rate.
//!
//! A sender has one set of control state, that of the path that it sends on. A move builds it anew: controller, packets
//! in flight, RTT. What is still under way on the old path is the old state's business: its ACKs and losses reach no controller
//! any more. Reports of the receiver belong to a path as well: it counts afresh from the first packet on the new one
//! ([`Receiving`]), so that no report mixes two paths.

mod dummy;
mod measurement;
mod probing;
mod receiving;
mod resequencer;
mod sending;

pub use probing::{MOST_DUMMIES, PROBE_TIME};
pub use receiving::LONGEST_HOLD;
pub use resequencer::Sequenced;

pub(super) use receiving::Receiving;
pub(super) use sending::Sending;

/// True if a packet of a probe with this number asks for an answer.
pub(in crate::paced) fn is_challenge(number: u64) -> bool {
    dummy::Dummy::of(number).is_some_and(|dummy| dummy.challenge)
}
