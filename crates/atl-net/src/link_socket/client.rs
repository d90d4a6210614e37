//! One connected client.

use std::io;
use std::time::{Duration, Instant};

use atl_endpoint::wire::link_query::{
    Answer, Body, LinkMeasurement, MAX_REQUEST, Query, Refusal, Request,
};
use nix::sys::socket::MsgFlags;
use socket2::Socket;

use super::board::Board;
use super::counts::{Counting, count};

/// Messages taken from one client before the others have their turn.
const MOST_AT_ONCE: usize = 16;

/// What a client wants to be told again and again.
#[derive(Debug)]
struct Subscription {
    number: u32,
    /// Number of the next answer.
    serial: u32,
    link: usize,
    every: Duration,
    due: Instant,
    /// The number of handoffs that it was last told of.
    epoch: Option<u32>,
}

/// A connection, and what its client has asked for.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) socket: Socket,
    /// Number of the last request.
    last: Option<u32>,
    subscription: Option<Subscription>,
}

impl Client {
    pub(super) fn new(socket: Socket) -> Self {
        Client { socket, last: None, subscription: None }
    }

    /// When it wants to be told something next.
    pub(super) fn due(&self) -> Option<Instant> {
        self.subscription.as_ref().map(|subscription| subscription.due)
    }

    /// Reads what it has sent, and answers.
    ///
    /// # Errors
    /// If it has gone.
    pub(super) fn receive(&mut self, board: &Board, counts: &Counting) -> io::Result<()> {
        // One octet more than a request, so that a longer message is noticed: the kernel cuts it off.
        let mut buffer = [0; MAX_REQUEST + 1];
        for _ in 0..MOST_AT_ONCE {
            let length = match io::Read::read(&mut self.socket, &mut buffer) {
                Ok(0) => return Err(io::ErrorKind::ConnectionReset.into()),
                Ok(length) => length,
                Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(()),
                Err(error) if error.kind() == io::ErrorKind::Interrupted => continue,
                Err(error) => return Err(error),
            };
            match Request::decode(&buffer[..length]) {
                Ok(request) if self.last.is_none_or(|last| request.number > last) => {
                    count(&counts.requests);
                    self.last = Some(request.number);
                    self.serve(&request, board, counts)?;
                }
                Ok(_) => count(&counts.replayed),
                Err(_) => count(&counts.malformed),
            }
        }
        Ok(())
    }

    fn serve(&mut self, request: &Request, board: &Board, counts: &Counting) -> io::Result<()> {
        match &request.query {
            Query::Ask(link) => {
                let found = board.find(link).and_then(|link| board.link(link));
                self.send(request.number, 0, found, counts)
            }
            Query::Subscribe { link, every } => match board.find(link) {
                Ok(link) => {
                    self.subscription = Some(Subscription {
                        number: request.number,
                        serial: 0,
                        link,
                        every: Duration::from_nanos(every.nanos()),
                        due: Instant::now(),
                        epoch: None,
                    });
                    self.tell(Instant::now(), board, counts)
                }
                Err(refusal) => {
                    self.subscription = None;
                    self.send(request.number, 0, Err(refusal), counts)
                }
            },
            Query::Unsubscribe => {
                self.subscription = None;
                Ok(())
            }
        }
    }

    /// Sends the report that is due, or that a change of its link makes due.
    ///
    /// # Errors
    /// If it has gone.
    pub(super) fn tell(
        &mut self,
        now: Instant,
        board: &Board,
        counts: &Counting,
    ) -> io::Result<()> {
        let Some(subscription) = &mut self.subscription else {
            return Ok(());
        };
        let found = board.link(subscription.link);
        let epoch = found.ok().map(|link| link.report.epoch);
        if now < subscription.due && epoch == subscription.epoch {
            return Ok(());
        }
        let (number, serial) = (subscription.number, subscription.serial);
        subscription.epoch = epoch;
        subscription.serial = serial.wrapping_add(1);
        subscription.due = now + subscription.every;
        self.send(number, serial, found, counts)
    }

    fn send(
        &self,
        number: u32,
        serial: u32,
        found: Result<LinkMeasurement, Refusal>,
        counts: &Counting,
    ) -> io::Result<()> {
        let body = found.map_or_else(Body::Refusal, Body::Report);
        let message = Answer { number, serial, body }.encode();
        // No signal if the client has gone: an error is enough.
        let flags = MsgFlags::MSG_NOSIGNAL.bits();
        match self.socket.send_with_flags(message.as_ref(), flags) {
            Ok(_) => count(&counts.answers),
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => count(&counts.unsent),
            Err(error) => return Err(error),
        }
        Ok(())
    }
}
