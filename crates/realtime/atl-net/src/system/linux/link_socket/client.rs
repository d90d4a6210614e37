//! A connected client: its requests, and the answers that it is due.

use std::io;
use std::time::{Duration, Instant};

use atl_wire::link_query::{Answer, Body, LinkMeasurement, MAX_REQUEST, Query, Refusal, Request};
use nix::sys::socket::MsgFlags;
use socket2::Socket;

use crate::link_socket::Board;
use crate::link_socket::counts::{Counting, count};

/// Limit on the messages taken from one client before it is the others' turn.
const MOST_AT_ONCE: usize = 16;
/// Time after which tags are offered again to a client whose socket was full.
const TRY_AGAIN: Duration = Duration::from_millis(10);

/// A client's request for repeated answers.
#[derive(Debug)]
struct Subscription {
    number: u32,
    /// Number of the next answer in this subscription.
    serial: u32,
    link: usize,
    kind: Kind,
}

#[derive(Debug)]
enum Kind {
    Reports {
        every: Duration,
        due: Instant,
        /// The number of handoffs in the last report.
        epoch: Option<u32>,
    },
    Tags {
        /// Number of the next tag to send.
        since: u64,
        /// The first answer, which lists the tags that exist already, was sent.
        begun: bool,
        /// Its socket was full at the last answer, which is kept for it.
        blocked: bool,
    },
}

/// A connected client with its subscription.
#[derive(Debug)]
pub(super) struct Client {
    pub(super) socket: Socket,
    /// Number of its last request.
    last: Option<u32>,
    subscription: Option<Subscription>,
}

impl Client {
    pub(super) fn new(socket: Socket) -> Self {
        Client { socket, last: None, subscription: None }
    }

    /// Time at which it must be sent something next.
    pub(super) fn due(&self) -> Option<Instant> {
        match self.subscription.as_ref()?.kind {
            Kind::Reports { due, .. } => Some(due),
            Kind::Tags { blocked, .. } => blocked.then(|| Instant::now() + TRY_AGAIN),
        }
    }

    /// True if it has subscribed to lost datagrams.
    pub(super) fn awaits_losses(&self) -> bool {
        let kind = self.subscription.as_ref().map(|subscription| &subscription.kind);
        matches!(kind, Some(Kind::Tags { .. }))
    }

    /// Reads its requests, and answers them.
    ///
    /// # Errors
    /// If it has closed the connection.
    pub(super) fn receive(&mut self, board: &Board, counts: &Counting) -> io::Result<()> {
        // One octet more than a request, so that a longer message is noticed: the kernel cuts it
        // off.
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
            Query::Subscribe { link, every } => {
                let (every, due) = (Duration::from_nanos(every.nanos()), Instant::now());
                let kind = Kind::Reports { every, due, epoch: None };
                self.subscribe(request.number, board.find(link), kind, board, counts)
            }
            Query::Lost { link, since } => {
                let kind = Kind::Tags { since: *since, begun: false, blocked: false };
                self.subscribe(request.number, board.find(link), kind, board, counts)
            }
            Query::Unsubscribe => {
                self.subscription = None;
                Ok(())
            }
        }
    }

    fn subscribe(
        &mut self,
        number: u32,
        link: Result<usize, Refusal>,
        kind: Kind,
        board: &Board,
        counts: &Counting,
    ) -> io::Result<()> {
        self.subscription = None;
        match link {
            Ok(link) => {
                self.subscription = Some(Subscription { number, serial: 0, link, kind });
                self.tell(Instant::now(), board, counts)
            }
            Err(refusal) => self.send(number, 0, Err(refusal), counts),
        }
    }

    /// Sends the report that is due or that a change of its link calls for, or the new tags.
    ///
    /// # Errors
    /// If it has closed the connection.
    pub(super) fn tell(
        &mut self,
        now: Instant,
        board: &Board,
        counts: &Counting,
    ) -> io::Result<()> {
        let Client { socket, subscription, .. } = self;
        let Some(Subscription { number, serial, link, kind }) = subscription else {
            return Ok(());
        };
        match kind {
            Kind::Reports { every, due, epoch } => {
                let found = board.link(*link);
                let epoch_now = found.ok().map(|link| link.report.epoch);
                if now < *due && epoch_now == *epoch {
                    return Ok(());
                }
                let answer = Answer { number: *number, serial: *serial, body: body(found) };
                (*epoch, *due) = (epoch_now, now + *every);
                *serial = serial.wrapping_add(1);
                let sent = send(socket, &answer)?;
                // A report that finds no room is not kept: the next one is newer.
                count(if sent { &counts.answers } else { &counts.unsent });
                Ok(())
            }
            Kind::Tags { since, begun, blocked } => loop {
                let lost = board.lost(*link, *since);
                if *begun && lost.tags.is_empty() {
                    return Ok(());
                }
                let next = lost.next();
                let answer = Answer { number: *number, serial: *serial, body: Body::Lost(lost) };
                *blocked = !send(socket, &answer)?;
                if *blocked {
                    return Ok(());
                }
                count(&counts.answers);
                (*since, *begun) = (next, true);
                *serial = serial.wrapping_add(1);
            },
        }
    }

    fn send(
        &self,
        number: u32,
        serial: u32,
        found: Result<LinkMeasurement, Refusal>,
        counts: &Counting,
    ) -> io::Result<()> {
        let answer = Answer { number, serial, body: body(found) };
        let sent = send(&self.socket, &answer)?;
        count(if sent { &counts.answers } else { &counts.unsent });
        Ok(())
    }
}

fn body(found: Result<LinkMeasurement, Refusal>) -> Body {
    found.map_or_else(Body::Refusal, Body::Report)
}

/// False if the client's socket is full.
fn send(socket: &Socket, answer: &Answer) -> io::Result<bool> {
    // No SIGPIPE if the client has gone: the error is enough.
    match socket.send_with_flags(answer.encode().as_ref(), MsgFlags::MSG_NOSIGNAL.bits()) {
        Ok(_) => Ok(true),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(false),
        Err(error) => Err(error),
    }
}
