//! All that is done differently on different systems, behind names that are the same.
//!
//! `linux` is built on Linux alone; `elsewhere` refers to what is portable, and refuses the rest.

#[cfg(target_os = "linux")]
mod linux;
#[cfg(target_os = "linux")]
pub(crate) use linux::{link_socket, priority, sockets};

#[cfg(not(target_os = "linux"))]
mod elsewhere;
#[cfg(not(target_os = "linux"))]
pub(crate) use elsewhere::{link_socket, priority, sockets};
