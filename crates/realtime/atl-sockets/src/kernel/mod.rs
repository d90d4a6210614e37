//! The engine `kernel`: TCP flows over the kernel's own TCP, in real time, over the emulated links
//! of a scenario.
//!
//! ```text
//!  namespace of a node                 network (thread)              namespace of a node
//!  socket -> kernel's TCP -> atl0 -> [Tunnel] Relay: links [Tunnel] -> atl0 -> kernel's TCP -> socket
//!    ^ thread that writes                  Observer of each flow                 thread that reads ^
//! ```
//!
//! Flows with a window that Linux has no congestion control for run over QUIC beside them, as on
//! the engine [`quic`](crate::quic): their sockets are a second side of the network, on the same
//! links.
//!
//! - `control`: the kernel's congestion controls, and the protocols that stand for them;
//! - `gaps`: what it cannot do;
//! - `settings`: what namespaces and sockets are set to;
//! - `segment`, `observer`: what the network sees of a flow's segments;
//! - `tunnel`: the side of the network with the TUN devices;
//! - `info`: what the kernel tells of a connection (`TCP_INFO`);
//! - `sender`, `receiver`: the threads at the flow's ends;
//! - `run`, `result`: a run, from the setup to the result.

mod control;
mod engine;
mod gaps;
mod info;
mod node;
mod observer;
mod receiver;
mod result;
mod run;
mod segment;
mod sender;
mod settings;
mod sockopt;
mod tunnel;
mod wait;

pub use engine::Kernel;
