//! The receiving end of a flow: a thread that reads what arrives.

use std::io::{self, Read as _};
use std::os::fd::AsFd as _;
use std::time::Duration;

use atl_core::time::Time;
use atl_engine::flow::record::{Mark, Marks};
use atl_net::clock::Clock;
use atl_quic::connection::{OCTETS, Reads};
use nix::poll::PollFlags;
use socket2::Socket;

use crate::live::Ending;

use super::wait::{LONGEST_WAIT, wait};

/// The receiving end of a flow before the run.
#[derive(Debug)]
pub(super) struct ReceiverEnd {
    pub listener: Socket,
    pub end: Time,
    pub marks: Marks,
    pub reads: Reads,
}

/// The bytes that it has read.
#[derive(Debug)]
pub(super) struct Received {
    pub reads: Reads,
    /// Bytes when measurement began.
    pub before: u64,
    /// Bytes at each sample.
    pub samples: Vec<u64>,
}

impl ReceiverEnd {
    /// Reads until the end of the run.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) fn work(self, clock: Clock, ending: &Ending) -> io::Result<Received> {
        let ReceiverEnd { listener, end, mut marks, reads } = self;
        let mut received = Received { reads, before: 0, samples: Vec::new() };
        let mut connection: Option<Socket> = None;
        let mut buffer = vec![0; OCTETS.len()];
        // Once nothing more can come, it only waits.
        let mut open = true;
        loop {
            let now = clock.now();
            while let Some((_, mark)) = marks.take(now) {
                received.write_down(mark);
            }
            if now >= end || ending.is_cancelled() {
                return Ok(received);
            }
            let longest = marks.next().0.min(end).since(now).min(LONGEST_WAIT);
            if !open {
                std::thread::sleep(Duration::from_nanos(longest.nanos()));
                continue;
            }
            let socket = connection.as_ref().unwrap_or(&listener);
            if !wait(socket.as_fd(), PollFlags::POLLIN, longest)? {
                continue;
            }
            let taken = match &connection {
                None => listener.accept().and_then(|(socket, _)| {
                    socket.set_nonblocking(true)?;
                    connection = Some(socket);
                    Ok(None)
                }),
                Some(socket) => (&*socket).read(&mut buffer).map(Some),
            };
            match taken {
                Ok(None) => {}
                Ok(Some(0)) => open = false,
                Ok(Some(bytes)) => received.reads.on_read(clock.now(), bytes),
                // The sender's end has discarded what it had.
                Err(error) if error.kind() == io::ErrorKind::ConnectionReset => open = false,
                Err(error) if is_passing(&error) => {}
                Err(error) => return Err(error),
            }
        }
    }
}

/// True of an error after which a call is made again.
fn is_passing(error: &io::Error) -> bool {
    matches!(error.kind(), io::ErrorKind::WouldBlock | io::ErrorKind::Interrupted)
}

impl Received {
    fn write_down(&mut self, mark: Mark) {
        match mark {
            Mark::Begin => {
                self.before = self.reads.bytes();
                self.reads.begin_measurement();
            }
            Mark::Sample => self.samples.push(self.reads.bytes()),
        }
    }
}
