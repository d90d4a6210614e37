//! The socket for requests to the kernel.

use std::fmt;
use std::io;

#[cfg(any(target_os = "linux", target_os = "android"))]
#[path = "socket/linux.rs"]
mod system;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
#[path = "socket/elsewhere.rs"]
mod system;

pub use system::NetlinkSocket;
pub(super) use system::index;

/// A partner that answers netlink requests: the kernel, or a recording.
pub trait Exchange: fmt::Debug + Send {
    /// Sends one request.
    ///
    /// # Errors
    /// If it cannot be sent.
    fn send(&mut self, request: &[u8]) -> io::Result<()>;

    /// Waits for the next datagram.
    ///
    /// # Errors
    /// [`io::ErrorKind::WouldBlock`] or [`io::ErrorKind::TimedOut`] if none came in time.
    fn receive(&mut self) -> io::Result<&[u8]>;

    /// The index that the interface with this name has now.
    ///
    /// # Errors
    /// If there is no such interface. A partner that knows no names says so too.
    fn index(&self, interface: &str) -> io::Result<u32> {
        Err(io::Error::new(io::ErrorKind::Unsupported, format!("no index of {interface}")))
    }
}
