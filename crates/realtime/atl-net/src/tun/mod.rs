//! TUN devices in network namespaces: any program behind the links of a scenario.
//!
//! Each host of a [`Lab`] is a network namespace without a name, with one TUN device in it. A
//! packet to another host's address goes over the fewest links between the two, and comes out of
//! the other host's device. The kernel's own TCP and UDP run on top.
//!
//! ```text
//!   COMMAND                                                               another program
//!      |  the kernel's TCP, UDP                                                 |
//!   atl0 198.19.0.1 -> [Ports] -> Relay: link, link, ... -> [Ports] -> atl0 198.19.0.2
//! ```
//!
//! Nothing is persistent: a namespace lives as long as a thread or a process in it, a device as
//! long as its descriptor. So the kernel removes both however this program ends, even by `kill -9`.
//! [`supervisor`] makes programs in the namespaces end too. No rule of a packet filter and no
//! address of the machine is changed; for a way out ([`Options::way_out`]) there is a table of
//! rules more, which the kernel removes with the rest.
//!
//! It needs root, or a user namespace in which one is root (`unshare --user --map-root-user`), and
//! `/dev/net/tun`.

mod address;
mod datagram;
mod device;
mod error;
mod flow;
mod header;
mod lab;
mod listening;
mod mark;
mod namespace;
mod nat;
mod netlink;
mod network;
mod ports;
mod program;
mod resolver;
mod routes;
pub mod supervisor;
mod way_out;

pub use address::{Block, MAX_HOSTS};
pub use datagram::datagram;
pub use error::Error;
pub use header::Header;
pub use lab::{Host, Lab, Losses, Options, Summary};
pub use listening::Listening;
pub use network::{HostPlan, Network, Place};
pub use ports::Tuns;
pub use program::{Launcher, Program};

/// True if this program runs on a host of a lab: its network is that lab's own.
pub fn within_lab() -> bool {
    device::within_lab()
}
