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
//!   local socket (Linux).
//! - `tun`: TUN devices in network namespaces, with any program in them (Linux, root).
//! - `ecn`, `wait`: control messages and descriptors, for ports of other crates (Linux).
//!
//! All but what is marked builds for macOS and Windows too. The private module `system` has what
//! differs, and [`proxy::sockets`] says what the proxy's sockets lack there.

pub mod behind;
pub mod capture;
pub mod clock;
pub mod emulator;
pub mod lateness;
#[cfg_attr(
    not(target_os = "linux"),
    allow(dead_code, reason = "the socket, which is Linux's, asks for the rest")
)]
pub mod link_socket;
pub mod ports;
pub mod priority;
pub mod proxy;
pub mod snapshot;
mod stop;
mod system;

#[cfg(target_os = "linux")]
pub mod ecn;
#[cfg(target_os = "linux")]
pub mod tun;
#[cfg(target_os = "linux")]
pub mod wait;
