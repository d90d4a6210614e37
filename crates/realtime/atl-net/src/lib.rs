//! The links of a scenario in real time: real packets through the state machines that the simulator
//! uses.
//!
//! - [`emulator`]: a thread that moves frames between [`ports`] and a
//!   [`Relay`](atl_link::relay::Relay) on time, and measures how late it was ([`lateness`]).
//! - [`proxy`]: ports for any UDP program on this machine.
//! - [`behind`]: a UDP server behind a link, for tests of other programs.
//! - [`capture`]: the packets that pass the ends, as pcap files.
//! - [`clock`], [`priority`]: the time of a run, and the scheduling of the thread that keeps it.
//! - [`snapshot`]: the state of an emulator, for displays.
//! - [`link_socket`]: the emulated MAC's counters and lost datagrams, for endpoints that ask over a
//!   local socket.
//! - [`tun`]: TUN devices in network namespaces, with any program in them (root).

pub mod behind;
pub mod capture;
pub mod clock;
pub mod ecn;
pub mod emulator;
pub mod lateness;
pub mod link_socket;
pub mod ports;
pub mod priority;
pub mod proxy;
pub mod snapshot;
mod stop;
pub mod tun;
