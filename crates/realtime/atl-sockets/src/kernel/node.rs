//! An end of a flow, as a thread of a run.

use std::io;
use std::os::fd::BorrowedFd;

use atl_core::time::{Span, Time};
use atl_engine::Stopped;
use atl_net::clock::Clock;
use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, ppoll};
use nix::sys::time::{TimeSpec, TimeValLike as _};

use crate::live::Ending;

use super::receiver::{Received, ReceiverEnd};
use super::sender::SenderEnd;

/// The longest wait: so long after a cancellation a thread ends at the latest.
pub(super) const LONGEST_WAIT: Span = Span::from_millis(20);

/// An end of a flow before the run.
#[derive(Debug)]
pub(super) struct Node {
    pub flow: usize,
    /// The flow's name, for errors.
    pub name: String,
    pub end: End,
}

/// Either end.
#[derive(Debug)]
pub(super) enum End {
    Sender(Box<SenderEnd>),
    Receiver(Box<ReceiverEnd>),
}

/// What an end leaves.
#[derive(Debug)]
pub(super) enum Left {
    /// The time at which everything was acknowledged.
    Sender(Option<Time>),
    Receiver(Box<Received>),
}

impl Node {
    /// Works to the end of the run; `None` if it was cancelled.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) fn run(
        self,
        clock: Clock,
        ending: &Ending,
    ) -> Result<Option<(usize, Left)>, Stopped> {
        let left = match self.end {
            End::Sender(sender) => sender.work(clock, ending).map(Left::Sender),
            End::Receiver(receiver) => {
                receiver.work(clock, ending).map(|received| Left::Receiver(Box::new(received)))
            }
        };
        let left = left.map_err(|error| {
            let name = &self.name;
            Stopped::failed(format!("the kernel's TCP of flow `{name}` broke: {error}"))
        })?;
        ending.node_has_ended();
        Ok((!ending.is_cancelled()).then_some((self.flow, left)))
    }
}

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
