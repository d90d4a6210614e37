//! The links of a scenario in real time: real packets through the state machines that the simulator
//! uses.
//!
//! - [`emulator`]: a thread that moves frames between [`ports`] and a [`Relay`](atl_relay::Relay)
//!   on time, and says how late it was ([`lateness`]).
//! - [`proxy`]: ports for any UDP program on this machine.
//! - [`capture`]: what passed the ends, as pcap files.
//! - [`clock`], [`priority`]: the time of a run, and what a thread asks of the scheduler to keep
//!   it.
//! - [`snapshot`]: what an emulator is doing.
//! - [`link_socket`]: the emulated MAC's own counters for endpoints, and which datagrams it lost,
//!   over a local socket.
//! - [`tun`]: TUN devices in network namespaces, with any program in them (root).

pub mod capture;
pub mod clock;
pub mod emulator;
pub mod lateness;
pub mod link_socket;
pub mod ports;
pub mod priority;
pub mod proxy;
pub mod snapshot;
mod stop;
pub mod tun;
