//! The sending end of a flow: a thread that writes what its application submits.

use std::io::{self, Write as _};
use std::net::SocketAddrV4;
use std::os::fd::AsFd as _;
use std::sync::Arc;
use std::time::Duration;

use atl_core::time::{Span, Time};
use atl_net::clock::Clock;
use atl_quic::connection::{OCTETS, Writes};
use nix::errno::Errno;
use nix::poll::PollFlags;
use socket2::Socket;

use crate::live::Ending;

use super::info::Info;
use super::wait::{LONGEST_WAIT, wait};

/// Interval between looks at whether everything is acknowledged.
const LOOK_EVERY: Span = Span::from_millis(1);

/// The sending end of a flow before the run.
#[derive(Debug)]
pub(super) struct SenderEnd {
    pub socket: Arc<Socket>,
    pub to: SocketAddrV4,
    pub start: Time,
    pub end: Time,
    pub writes: Writes,
}

impl SenderEnd {
    /// Writes until the end of the run or of the transfer, whose time it gives.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) fn work(mut self, clock: Clock, ending: &Ending) -> io::Result<Option<Time>> {
        let over = |now: Time| now >= self.end || ending.is_cancelled();
        let rest = |until: Time| {
            let now = clock.now();
            let longest = until.min(self.end).since(now).min(LONGEST_WAIT);
            std::thread::sleep(Duration::from_nanos(longest.nanos()));
        };
        while clock.now() < self.start {
            if over(clock.now()) {
                return Ok(None);
            }
            rest(self.start);
        }
        match self.socket.connect(&self.to.into()) {
            Err(error) if error.raw_os_error() != Some(Errno::EINPROGRESS as i32) => {
                return Err(error);
            }
            _ => {}
        }
        let mut connected = false;
        let mut finished = None;
        while !over(clock.now()) {
            if !connected {
                // An error of the connection shows here, and is no error of waiting for it.
                connected =
                    wait(self.socket.as_fd(), PollFlags::POLLOUT, self.end.since(clock.now()))?;
                if let Some(error) = self.socket.take_error()? {
                    return Err(error);
                }
                continue;
            }
            let now = clock.now();
            let waiting = self.writes.waiting(now);
            if waiting > 0 {
                match (&*self.socket).write(&OCTETS[..waiting]) {
                    Ok(taken) => self.writes.on_written(taken),
                    Err(error) if error.kind() == io::ErrorKind::WouldBlock => {
                        wait(self.socket.as_fd(), PollFlags::POLLOUT, self.end.since(now))?;
                    }
                    Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
                    Err(error) => return Err(error),
                }
            } else if !self.writes.is_complete(now) {
                rest(self.writes.next(now));
            } else if finished.is_none() && Info::of(&*self.socket)?.is_done() {
                finished = Some(now);
                self.socket.shutdown(std::net::Shutdown::Write)?;
            } else if finished.is_none() {
                rest(now + LOOK_EVERY);
            } else {
                rest(self.end);
            }
        }
        // Data in the send buffer would only delay the end.
        self.socket.set_linger(Some(Duration::ZERO))?;
        Ok(finished)
    }
}
