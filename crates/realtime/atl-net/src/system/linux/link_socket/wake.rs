//! A signal from the emulator's thread to that of the socket.

use std::io;
use std::os::fd::{AsFd, BorrowedFd};

use nix::sys::eventfd::{EfdFlags, EventFd};

/// A descriptor that is readable from a signal on until it is cleared.
#[derive(Debug)]
pub(crate) struct Wake(EventFd);

impl Wake {
    /// Without a signal.
    ///
    /// # Errors
    /// If the system refuses to make it.
    pub(super) fn new() -> io::Result<Wake> {
        let flags = EfdFlags::EFD_NONBLOCK | EfdFlags::EFD_CLOEXEC;
        Ok(Wake(EventFd::from_value_and_flags(0, flags)?))
    }

    pub(crate) fn signal(&self) {
        // It does not block. It fails only if it was written 2^64 times without being read, when
        // the reader is awake anyway.
        let _ = self.0.write(1);
    }

    /// Takes the signal away; what it announced is read next.
    pub(super) fn clear(&self) {
        let _ = self.0.read();
    }
}

impl AsFd for Wake {
    fn as_fd(&self) -> BorrowedFd<'_> {
        self.0.as_fd()
    }
}
