//! Other systems have no netlink.

use std::io;

use atl_core::time::Span;

use super::Exchange;

/// Stands in for a generic netlink socket, which only Linux has.
#[derive(Debug)]
pub struct NetlinkSocket(());

/// The index of the interface with this name.
pub(in super::super) fn index(_: &str) -> io::Result<u32> {
    Err(needs_linux())
}

fn needs_linux() -> io::Error {
    io::Error::new(io::ErrorKind::Unsupported, "nl80211 needs Linux")
}

impl NetlinkSocket {
    /// Refuses, so that callers need not ask which system this is.
    ///
    /// # Errors
    /// Always.
    pub fn open(_: Span) -> io::Result<Self> {
        Err(needs_linux())
    }
}

impl Exchange for NetlinkSocket {
    fn send(&mut self, _: &[u8]) -> io::Result<()> {
        Err(needs_linux())
    }

    fn receive(&mut self) -> io::Result<&[u8]> {
        Err(needs_linux())
    }

    fn index(&self, interface: &str) -> io::Result<u32> {
        index(interface)
    }
}
