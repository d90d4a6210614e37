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
//! - [`Side`]: ports of one kind, with the flows behind them. [`Plugs`] is that of flows with
//!   sockets: it knows packets by [`Traffic`] and reaches ends through [`Hosts`]. Two of them can
//!   share the links of a run;
//! - [`Emulation`]: a run, ready to start: links, a side, and the one ledger of all flows;
//! - [`Emulation::run`]: the threads of a run, from start to end ([`Ending`]);
//! - [`gaps()`]: what cannot be done with sockets;
//! - [`lateness`]: how late packets were, as results have it.

#[cfg(test)]
pub(crate) mod attack;
mod both;
mod crossing;
mod ending;
mod envelope;
mod gaps;
mod held;
mod ledger;
mod mac;
mod network;
mod plugs;
mod record;
mod run;
mod samples;
mod side;

pub(crate) use both::Both;
pub use crossing::{LONGEST, Plug, connect};
pub use ending::Ending;
pub use envelope::{LEN as ENVELOPE, Opening, Seal};
pub use gaps::gaps;
pub(crate) use gaps::{gaps_of, loopback};
pub(crate) use held::Held;
pub use mac::{Hosts, Readings};
pub use network::Emulation;
pub use plugs::{FlowPlan, Plugs, Traffic};
pub use record::{NetworkRecord, Trouble, lateness};
pub use run::Outcome;
pub(crate) use samples::{Kept, Seen, samples};
pub use side::Side;
