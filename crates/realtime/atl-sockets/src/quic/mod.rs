//! The engine `quic`: QUIC in real time, over UDP sockets and the emulated links of a scenario.
//!
//! ```text
//!  node (thread)                        network (thread)                        node (thread)
//!  application -> noq endpoint --datagram--> port | Relay: links | port --datagram--> noq endpoint -> application
//!                  ^     ^---- ACKs, reports -- port |           | port <---------------- |
//!                  +-- MAC: losses, link reports, handoffs --+   +-- MAC: link readings --+
//! ```
//!
//! The endpoints are those of the crate `noq` on tokio, with TLS, as programs have them. What is
//! the same as in virtual time comes from [`atl_quic::connection`]; the network, its thread and its
//! sockets from [`crate::live`].

mod engine;
mod failure;
mod gaps;
mod mac;
mod meter;
mod node;
mod receiver;
mod run;
mod sender;
mod socket;
mod timer;
mod traffic;

pub use engine::Quic;
pub(crate) use gaps::gaps_of;
pub(crate) use node::{Left, Node};
pub(crate) use run::result::Flows;
pub(crate) use run::{cast, names};
pub(crate) use traffic::Quic as Traffic;
