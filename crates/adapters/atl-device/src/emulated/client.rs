//! A connection to an emulator.

use std::io::{self, Read as _};
use std::path::Path;
use std::time::{Duration, Instant};

use atl_core::time::Span;
use atl_wire::link_query::{
    Answer, Body, LinkMeasurement, LinkName, MAX_ANSWER, Query, Refusal, Request,
};
use socket2::{Domain, SockAddr, Socket, Type};

use crate::source::SourceError;

/// No signal if the emulator has gone: an error is enough. (macOS and Windows have no such flag,
/// and no sockets of this kind.)
#[cfg(any(target_os = "linux", target_os = "android"))]
const NO_SIGNAL: i32 = nix::libc::MSG_NOSIGNAL;
#[cfg(not(any(target_os = "linux", target_os = "android")))]
const NO_SIGNAL: i32 = 0;
/// Limit on the time that an answer may take.
const LONGEST: Span = Span::from_secs(3600);

/// Counts of messages that did not answer a question of this client.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct ClientCounts {
    /// Messages that this version of the protocol cannot read.
    pub malformed: u64,
    /// Answers to a question that was not asked, or whose time was up.
    pub foreign: u64,
    /// Answers whose number had come before.
    pub replayed: u64,
}

/// A connection to an emulator's link socket.
#[derive(Debug)]
pub struct LinkClient {
    socket: Socket,
    place: String,
    timeout: Span,
    /// Number of the last request.
    number: u32,
    /// True of a connection that asked for lost tags, false of one for reports.
    tags: bool,
    counts: ClientCounts,
}

impl LinkClient {
    /// Connects to the socket at `path`. Each answer may take `timeout`, at most an hour.
    ///
    /// # Errors
    /// If no emulator listens there.
    pub fn connect(path: &Path, timeout: Span) -> Result<Self, SourceError> {
        let place = path.display().to_string();
        let timeout = timeout.clamp(Span::from_millis(1), LONGEST);
        let failed = |error| SourceError::io(format!("connecting to {place}"), error);
        let address = SockAddr::unix(path).map_err(failed)?;
        let socket = Socket::new(Domain::UNIX, Type::SEQPACKET, None).map_err(failed)?;
        socket.set_write_timeout(Some(Duration::from_nanos(timeout.nanos()))).map_err(failed)?;
        socket.connect(&address).map_err(failed)?;
        let counts = ClientCounts::default();
        Ok(LinkClient { socket, place, timeout, number: 0, tags: false, counts })
    }

    /// Asks for a link's state at this moment.
    ///
    /// # Errors
    /// If there is no such link, nothing has been measured yet, or no answer comes in time.
    pub fn ask(&mut self, link: &LinkName) -> Result<LinkMeasurement, SourceError> {
        self.request(Query::Ask(link.clone()))?;
        let answer = self.next(self.timeout, None)?;
        self.measurement(&answer, link)
    }

    /// Subscribes to reports of a link: see [`Query::Subscribe`].
    ///
    /// # Errors
    /// If the emulator has closed the socket.
    pub fn subscribe(mut self, link: &LinkName, every: Span) -> Result<Subscription, SourceError> {
        self.request(Query::Subscribe { link: link.clone(), every })?;
        Ok(Subscription { client: self, link: link.clone(), last: None })
    }

    /// Counts of the messages that did not answer a question.
    pub fn counts(&self) -> ClientCounts {
        self.counts
    }

    pub(super) fn request(&mut self, query: Query) -> Result<(), SourceError> {
        let asking = |error| SourceError::io(format!("asking {}", self.place), error);
        let next = self.number.checked_add(1);
        let number =
            next.ok_or_else(|| asking(io::Error::other("2^32 requests on one connection")))?;
        let tags = matches!(query, Query::Lost { .. });
        let message = Request { number, query }.encode();
        self.socket.send_with_flags(message.as_ref(), NO_SIGNAL).map_err(asking)?;
        (self.number, self.tags) = (number, tags);
        Ok(())
    }

    /// The next answer to the last request, with a number greater than `last`. Everything else is
    /// counted.
    pub(super) fn next(&mut self, timeout: Span, last: Option<u32>) -> Result<Answer, SourceError> {
        let reading =
            |place: &str, error: io::Error| SourceError::io(format!("reading from {place}"), error);
        let late = || SourceError::Timeout { who: self.place.clone(), after: timeout };
        let end = Instant::now() + Duration::from_nanos(timeout.min(LONGEST).nanos());
        // One octet more than an answer, so that a longer message is noticed: the kernel cuts it
        // off.
        let mut buffer = [0; MAX_ANSWER + 1];
        loop {
            let left = end.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Err(late());
            }
            // The socket takes a timeout of zero as none at all.
            let left = left.max(Duration::from_micros(1));
            self.socket
                .set_read_timeout(Some(left))
                .map_err(|error| reading(&self.place, error))?;
            let length = match (&self.socket).read(&mut buffer) {
                Ok(0) => return Err(reading(&self.place, io::ErrorKind::ConnectionReset.into())),
                Ok(length) => length,
                Err(error) => match error.kind() {
                    io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => return Err(late()),
                    io::ErrorKind::Interrupted => continue,
                    _ => return Err(reading(&self.place, error)),
                },
            };
            match Answer::decode(&buffer[..length]) {
                Err(_) => self.counts.malformed += 1,
                Ok(answer) if answer.number != self.number || !self.is_asked(&answer.body) => {
                    self.counts.foreign += 1;
                }
                Ok(answer) if last.is_some_and(|last| answer.serial <= last) => {
                    self.counts.replayed += 1;
                }
                Ok(answer) => return Ok(answer),
            }
        }
    }

    /// True of the kind of answer that was asked for, and of a refusal.
    fn is_asked(&self, body: &Body) -> bool {
        match body {
            Body::Report(_) => !self.tags,
            Body::Lost(_) => self.tags,
            Body::Refusal(_) => true,
        }
    }

    fn measurement(
        &self,
        answer: &Answer,
        link: &LinkName,
    ) -> Result<LinkMeasurement, SourceError> {
        match answer.body {
            Body::Report(measured) => Ok(measured),
            Body::Refusal(refusal) => Err(self.refused(refusal, link)),
            Body::Lost(_) => Err(SourceError::unfit(format!("{} tells of losses", self.place))),
        }
    }

    pub(super) fn refused(&self, refusal: Refusal, link: &LinkName) -> SourceError {
        SourceError::unfit(match refusal {
            Refusal::NoSuchLink => format!("{} has no link {:?}", self.place, link.as_ref()),
            Refusal::NotYet => format!("{} has not measured anything yet", self.place),
        })
    }
}

/// A connection on which reports come by themselves.
#[derive(Debug)]
pub struct Subscription {
    client: LinkClient,
    link: LinkName,
    /// Number of the last report.
    last: Option<u32>,
}

impl Subscription {
    /// Waits for the next report, at most `timeout`. Reports that came since the last call are
    /// given one per call.
    ///
    /// # Errors
    /// If there is no such link, or no report comes in time.
    pub fn next(&mut self, timeout: Span) -> Result<LinkMeasurement, SourceError> {
        let answer = self.client.next(timeout, self.last)?;
        self.last = Some(answer.serial);
        self.client.measurement(&answer, &self.link)
    }

    /// Counts of the messages that were no report.
    pub fn counts(&self) -> ClientCounts {
        self.client.counts
    }
}
