//! The move of a paced flow to another path, at both of its ends.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III-D: a
//! handoff is announced (HN), the sender probes the new path with dummies, the receiver reports
//! what arrived of them (HR), and the sender moves to the new path at that rate.
//!
//! A sender has one set of control state, that of the path that it sends on. A move builds it anew:
//! controller, packets in flight, RTT. What is still under way on the old path is the old state's
//! business: its ACKs and losses reach no controller any more. Reports of the receiver belong to a
//! path as well: it counts afresh from the first packet on the new one (`paths::Receiving`), so
//! that no report mixes two paths.

mod receiving;
mod sending;
