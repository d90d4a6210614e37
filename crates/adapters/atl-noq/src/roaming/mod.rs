//! Roaming: a connection moves from one network to another, by QUIC's multipath extension, and
//! brings its controller along.
//!
//! [`Roaming`] is a state machine without I/O for one end of a connection, whichever end sends the
//! data. Its host tells it what becomes of networks and of paths, and calls [`Roaming::poll`] at
//! the times that this asks for. A path is
//!
//! 1. opened as backup when its network comes into reach ([`Roaming::on_imminent`]),
//! 2. validated by noq. If that fails the connection stays where it is;
//! 3. probed, at the end that sends much ([`NewPath::Probe`](atl_core::roaming::NewPath::Probe)):
//!    PINGs padded to full packets, paced over a round trip. Their losses never reach the
//!    controller. [`Roaming::is_probing`] tells which packets to send at low priority;
//! 4. moved to when the host has moved ([`Roaming::on_done`]), or used as soon as it is known
//!    ([`NewPath::meanwhile`](atl_core::roaming::NewPath::meanwhile)): its controller gets the
//!    window that the probes found (the law is [`Knowledge`](atl_core::roaming::Knowledge)), or
//!    what was saved of the path (Careful Resume);
//! 5. and the old one is closed, once what was on it has had time to arrive, or when its network is
//!    gone ([`Roaming::on_gone`]). noq then sends again what did not.
//!
//! Without overlap between the networks the new path is opened when the host says that it has
//! moved, and used as soon as it is validated.
//!
//! The transport of both ends has to be [prepared](Config::prepare).
//!
//! The end that moves is noq's client, since noq lets no server open paths. The other end follows
//! the status that the client gives to paths.

mod config;
mod leg;
mod machine;
mod moving;
mod paths;

pub use config::{Config, Role};
pub use machine::{Happened, Roaming};
pub use paths::Paths;
