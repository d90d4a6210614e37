//! Engines in real time, over UDP sockets and the emulated links of a setup.
//!
//! - [`udp`]: flows that pace, with their wire forms on sockets;
//! - [`quic`]: QUIC connections of the library noq on tokio, with TLS;
//! - [`live`]: what both share: the network of a setup on a thread that keeps time, sockets to it,
//!   the threads of a run.

pub mod live;
pub mod quic;
#[cfg(test)]
#[path = "../tests/sockets/support.rs"]
mod support;
pub mod udp;
