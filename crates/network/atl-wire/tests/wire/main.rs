//! Wire forms: octets by hand, every message through and back, and arbitrary octets.

mod edges;
mod link_query;
mod paced;
mod peer_info;
mod rtcp;
