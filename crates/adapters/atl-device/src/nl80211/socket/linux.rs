//! The socket of Linux.

use std::fmt;
use std::io;
use std::os::fd::{AsRawFd as _, OwnedFd};

use atl_core::time::Span;
use nix::errno::Errno;
use nix::net::if_::if_nametoindex;
use nix::sys::socket::sockopt::ReceiveTimeout;
use nix::sys::socket::{
    AddressFamily, MsgFlags, NetlinkAddr, SockFlag, SockProtocol, SockType, bind, recvfrom, send,
    setsockopt, socket,
};
use nix::sys::time::{TimeVal, TimeValLike as _};

use super::Exchange;

/// The kernel's dumps come in datagrams of at most 32 KiB.
const LONGEST: usize = 32 * 1024;

/// A generic netlink socket.
pub struct NetlinkSocket {
    socket: OwnedFd,
    buffer: Box<[u8; LONGEST]>,
}

/// The index of the interface with this name.
pub(in super::super) fn index(interface: &str) -> io::Result<u32> {
    Ok(if_nametoindex(interface)?)
}

impl NetlinkSocket {
    /// Opens a socket that waits for a datagram at most this long. It needs no privilege.
    ///
    /// # Errors
    /// If the system has no generic netlink, or refuses.
    pub fn open(timeout: Span) -> io::Result<Self> {
        let socket = socket(
            AddressFamily::Netlink,
            SockType::Raw,
            SockFlag::SOCK_CLOEXEC,
            SockProtocol::NetlinkGeneric,
        )?;
        bind(socket.as_raw_fd(), &NetlinkAddr::new(0, 0))?;
        // The socket takes a timeout of zero as none at all.
        let micros = (timeout.nanos() / 1000).clamp(1, i64::MAX as u64);
        setsockopt(&socket, ReceiveTimeout, &TimeVal::microseconds(micros as i64))?;
        Ok(NetlinkSocket { socket, buffer: Box::new([0; LONGEST]) })
    }
}

impl Exchange for NetlinkSocket {
    fn send(&mut self, request: &[u8]) -> io::Result<()> {
        send(self.socket.as_raw_fd(), request, MsgFlags::empty())?;
        Ok(())
    }

    fn receive(&mut self) -> io::Result<&[u8]> {
        loop {
            let received = recvfrom::<NetlinkAddr>(self.socket.as_raw_fd(), &mut *self.buffer);
            match received {
                // Any process may send to the socket; only the kernel has port 0.
                Ok((length, Some(from))) if from.pid() == 0 => return Ok(&self.buffer[..length]),
                Ok(_) | Err(Errno::EINTR) => {}
                Err(error) => return Err(error.into()),
            }
        }
    }

    fn index(&self, interface: &str) -> io::Result<u32> {
        index(interface)
    }
}

impl fmt::Debug for NetlinkSocket {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("NetlinkSocket").field("socket", &self.socket).finish_non_exhaustive()
    }
}
