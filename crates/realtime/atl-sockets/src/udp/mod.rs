//! The engine `udp`: the paced family in real time, over UDP sockets and the emulated links of a
//! scenario.
//!
//! ```text
//!  node (thread)                    network (thread)                   node (thread)
//!  PacedSender --datagram--> port | Relay: links of the scenario | port --datagram--> PacedReceiver
//!       ^  ^------ ACK, report -- port |                         | port <---------------- |
//!       +-- MAC: losses, link reports, handoffs ---+                +-- MAC: link readings --+
//! ```
//!
//! Every datagram is a packet of [`atl_wire::paced`] in an envelope of [`crate::live`], whose
//! network and threads it shares with the other engine in real time. Endpoints are called at the
//! times that they asked for, even if their thread woke up later: otherwise each delay of the
//! scheduler would stretch the gap after it, and add up to a lower rate. How late packets really
//! left is measured and part of the result.

mod datagram;
mod ends;
mod engine;
mod gaps;
mod mac;
mod node;
mod record;
mod run;

pub use engine::Udp;
