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
//!
//! Real packets need Linux: batches of datagrams with their times, network namespaces, TUN devices.
//! Elsewhere there are captures, clocks and the forms of what an emulator tells.

pub mod capture;
pub mod clock;
pub mod lateness;
pub mod snapshot;

#[cfg(target_os = "linux")]
pub mod behind;
#[cfg(target_os = "linux")]
pub mod ecn;
#[cfg(target_os = "linux")]
pub mod emulator;
#[cfg(target_os = "linux")]
pub mod link_socket;
#[cfg(target_os = "linux")]
pub mod ports;
#[cfg(target_os = "linux")]
pub mod priority;
#[cfg(target_os = "linux")]
pub mod proxy;
#[cfg(target_os = "linux")]
mod stop;
#[cfg(target_os = "linux")]
pub mod tun;
