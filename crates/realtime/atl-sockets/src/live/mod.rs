//! Parts that engines in real time share.
//!
//! ```text
//!  node (thread)                 network (thread)                node (thread)
//!  an end of a flow --> Plug | Plug, Relay: links, Plug | Plug --> the other end
//!       ^                                                            ^
//!       +--------- Hosts: what the MACs of their links say ----------+
//! ```
//!
//! - [`Plug`]: a socket between an end of a flow and the network, with an envelope around each
//!   datagram;
//! - [`Emulation`]: the network of a setup, which knows packets by [`Traffic`] and reaches ends
//!   through [`Hosts`];
//! - [`Emulation::run`]: the threads of a run, from start to end ([`Ending`]);
//! - [`gaps()`]: what cannot be done with sockets;
//! - [`lateness`]: how late packets were, as results have it.

#[cfg(test)]
pub(crate) mod attack;
mod crossing;
mod ending;
mod envelope;
mod gaps;
mod mac;
mod network;
mod record;
mod run;

pub use crossing::{LONGEST, Plug, connect};
pub use ending::Ending;
pub use envelope::{LEN as ENVELOPE, Opening, Seal};
pub use gaps::gaps;
pub use mac::{Hosts, Readings};
pub use network::{Emulation, FlowPlan, Traffic};
pub use record::{NetworkRecord, Trouble, lateness};
pub use run::Outcome;
