//! Waiting for descriptors, to the nanosecond.

use std::io;
use std::os::fd::BorrowedFd;

use atl_core::time::Span;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

/// Waits until one of these descriptors is readable, a signal comes, or `longest` is over.
///
/// # Errors
/// If the system refuses to wait for them.
pub fn readable<'fd>(
    descriptors: impl IntoIterator<Item = BorrowedFd<'fd>>,
    longest: Span,
) -> io::Result<()> {
    let timeout = TimeSpec::nanoseconds(longest.nanos() as i64);
    let mut polled: Vec<PollFd<'_>> =
        descriptors.into_iter().map(|fd| PollFd::new(fd, PollFlags::POLLIN)).collect();
    match ppoll(&mut polled, Some(timeout), None) {
        Ok(_) | Err(Errno::EINTR) => Ok(()),
        Err(error) => Err(error.into()),
    }
}
