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
//! - [`Emulation`]: a run, ready to start. [`Network`] are its ports where flows have sockets: they
//!   know packets by [`Traffic`] and reach ends through [`Hosts`];
//! - [`Emulation::run`]: the threads of a run, from start to end ([`Ending`]);
//! - [`gaps()`]: what cannot be done with sockets;
//! - [`lateness`]: how late packets were, as results have it.

#[cfg(test)]
pub(crate) mod attack;
mod crossing;
mod ending;
mod envelope;
mod gaps;
mod ledger;
mod mac;
mod network;
mod record;
mod run;

pub use crossing::{LONGEST, Plug, connect};
pub use ending::Ending;
pub use envelope::{LEN as ENVELOPE, Opening, Seal};
pub use gaps::gaps;
pub(crate) use gaps::splits;
pub(crate) use ledger::{LOOK_EVERY, Ledger};
pub use mac::{Hosts, Readings};
pub use network::{Emulation, FlowPlan, Network, Traffic};
pub use record::{NetworkRecord, Trouble, lateness};
pub use run::Outcome;
