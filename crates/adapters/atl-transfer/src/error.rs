//! Reasons why a transfer ends.

use std::fmt;
use std::io;
use std::net::SocketAddr;

use noq::{ConnectionError, TransportErrorCode, VarInt};

use crate::folder::{FolderError, Refusal};
use crate::identity::IdentityError;
use crate::ticket::Fingerprint;
use crate::wire::WireError;

/// The reason for closing a connection, as its error code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Close {
    /// Everything was sent and received.
    Done,
    /// The sender may not send here.
    Refused,
    /// A message made no sense at this point.
    Protocol,
    /// The user interrupted the program.
    Interrupted,
    /// A later connection of the same sender replaces this one.
    Replaced,
    /// Nothing came for too long.
    Slow,
}

impl Close {
    pub(crate) fn code(self) -> VarInt {
        VarInt::from_u32(match self {
            Close::Done => 0,
            Close::Refused => 1,
            Close::Protocol => 2,
            Close::Interrupted => 3,
            Close::Replaced => 4,
            Close::Slow => 5,
        })
    }
}

/// The reason why a transfer ends early.
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// QUIC could not be set up.
    Setup(String),
    /// A local address cannot be used.
    Address {
        /// The address that was asked for.
        address: SocketAddr,
        /// The system's own error.
        error: io::Error,
    },
    /// The receiver has another certificate than expected.
    Stranger {
        /// The fingerprint that was given.
        expected: Fingerprint,
        /// The fingerprint of the receiver that answered.
        found: Fingerprint,
    },
    /// A QUIC server answers that does not speak this protocol.
    NoSuchProtocol,
    /// The receiver refuses this sender.
    Refused(Refusal),
    /// A message of the peer is malformed.
    Wire(WireError),
    /// The peer breaks the protocol; the text goes on after "the other end".
    Peer(&'static str),
    /// The peer ended a stream early, as it does when it is being shut down.
    Abandoned(&'static str),
    /// The connection broke, or could not be made.
    Lost(String),
    /// The receiver's file system cannot hold names, and the sender wants all or nothing.
    Names {
        /// The number of these names.
        names: usize,
    },
    /// The receiver serves as many connections as it takes.
    Crowded,
    /// The receiver's ticket has expired before anybody used it.
    Expired,
    /// This end's user interrupted it.
    Interrupted,
    /// The other end's user interrupted it.
    PeerInterrupted,
    /// The receiver's folder cannot be used.
    Folder(FolderError),
    /// The receiver's identity cannot be made or read.
    Identity(IdentityError),
    /// A file cannot be read or cannot be sent under its name.
    Source(String),
}

impl Error {
    pub(crate) fn setup(error: impl fmt::Display) -> Self {
        Error::Setup(error.to_string())
    }

    /// True if another attempt may succeed, so that the sender tries again.
    pub(crate) fn is_passing(&self) -> bool {
        matches!(self, Error::Lost(_) | Error::Abandoned(_) | Error::Crowded)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Error::Setup(why) => write!(f, "cannot set up QUIC: {why}"),
            Error::Address { address, error } => write!(f, "cannot use {address}: {error}"),
            Error::Stranger { expected, found } => write!(
                f,
                "this is another receiver than expected: its certificate has the fingerprint {found} instead of {expected}"
            ),
            Error::NoSuchProtocol => f.write_str(
                "there is a QUIC server, but it does not speak this version of the transfer protocol: is it `atl recv` of the same version?",
            ),
            Error::Refused(refusal) => write!(f, "the receiver refuses: {refusal}"),
            Error::Wire(error) => write!(f, "the other end sent {error}"),
            Error::Peer(what) | Error::Abandoned(what) => write!(f, "the other end {what}"),
            Error::Lost(why) => f.write_str(why),
            Error::Names { names } => {
                let names = if *names == 1 { "1 name".to_owned() } else { format!("{names} names") };
                write!(f, "nothing was sent: the receiver's file system cannot hold {names}")
            }
            Error::Crowded => f.write_str("the receiver takes no more connections at present"),
            Error::Expired => f.write_str("the ticket has expired, and nobody has used it"),
            Error::Interrupted => f.write_str("interrupted"),
            Error::PeerInterrupted => f.write_str("the other end was interrupted"),
            Error::Folder(error) => error.fmt(f),
            Error::Identity(error) => error.fmt(f),
            Error::Source(what) => f.write_str(what),
        }
    }
}

impl std::error::Error for Error {}

impl From<WireError> for Error {
    fn from(error: WireError) -> Self {
        Error::Wire(error)
    }
}

impl From<FolderError> for Error {
    fn from(error: FolderError) -> Self {
        Error::Folder(error)
    }
}

impl From<IdentityError> for Error {
    fn from(error: IdentityError) -> Self {
        Error::Identity(error)
    }
}

/// The alert of TLS for a protocol that the server does not speak (RFC 7301, sec. 3.2).
const NO_APPLICATION_PROTOCOL: u8 = 120;

impl From<ConnectionError> for Error {
    fn from(error: ConnectionError) -> Self {
        let no_protocol = TransportErrorCode::crypto(NO_APPLICATION_PROTOCOL);
        match error {
            ConnectionError::ConnectionClosed(close) if close.error_code == no_protocol => {
                Error::NoSuchProtocol
            }
            ConnectionError::ConnectionClosed(close)
                if close.error_code == TransportErrorCode::CONNECTION_REFUSED =>
            {
                Error::Crowded
            }
            ConnectionError::TransportError(error) if error.code == no_protocol => {
                Error::NoSuchProtocol
            }
            ConnectionError::VersionMismatch => Error::NoSuchProtocol,
            ConnectionError::ApplicationClosed(close) => {
                let is = |why: Close| close.error_code == why.code();
                if is(Close::Interrupted) {
                    Error::PeerInterrupted
                } else if is(Close::Slow) {
                    Error::Lost("the other end gave up: nothing came for too long".to_owned())
                } else if is(Close::Protocol) {
                    Error::Peer("received a message that it cannot accept")
                } else if is(Close::Refused) {
                    Error::Peer("has closed the connection")
                } else {
                    Error::Lost("the other end has closed the connection".to_owned())
                }
            }
            ConnectionError::TimedOut => {
                Error::Lost("nothing comes from the other end any more".to_owned())
            }
            ConnectionError::Reset => Error::Lost(
                "the other end has been started again, or has lost the connection".to_owned(),
            ),
            ConnectionError::LocallyClosed => Error::Lost("the connection is closed".to_owned()),
            other => Error::Lost(other.to_string()),
        }
    }
}
