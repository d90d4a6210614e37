//! Endpoints connected to each other, without a simulator.

mod host;
mod paced_handoff;
mod repair;
mod roaming;
mod rtcp;
mod wire;
mod wire_link_query;
mod wire_paced;
