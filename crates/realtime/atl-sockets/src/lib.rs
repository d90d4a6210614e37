//! Engines in real time, over sockets and the emulated links of a setup.
//!
//! - [`kernel`]: the kernel's own TCP, between network namespaces;
//! - [`udp`]: flows that pace, with their wire forms on sockets;
//! - [`quic`]: QUIC connections of the library noq on tokio, with TLS;
//! - [`live`]: what both share: the network of a setup on a thread that keeps time, sockets to it,
//!   the threads of a run.

pub mod kernel;
pub mod live;
pub mod quic;
#[cfg(test)]
#[path = "../tests/sockets/support.rs"]
mod support;
pub mod udp;
