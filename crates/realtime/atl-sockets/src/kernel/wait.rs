//! Waiting for a socket, but never for long.

use std::io;
use std::os::fd::BorrowedFd;

use atl_core::time::Span;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

/// The longest wait: so long after a cancellation a thread ends at the latest.
pub(super) const LONGEST_WAIT: Span = Span::from_millis(20);

/// Waits until a socket is ready, or for `longest`, but no longer than [`LONGEST_WAIT`]. True if it
/// is ready.
pub(super) fn wait(socket: BorrowedFd<'_>, flags: PollFlags, longest: Span) -> io::Result<bool> {
    let mut polled = [PollFd::new(socket, flags)];
    let timeout = TimeSpec::nanoseconds(longest.min(LONGEST_WAIT).nanos() as i64);
    match ppoll(&mut polled, Some(timeout), None) {
        Ok(ready) => Ok(ready > 0),
        Err(Errno::EINTR) => Ok(false),
        Err(error) => Err(error.into()),
    }
}
