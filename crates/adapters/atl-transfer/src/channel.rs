//! Messages over QUIC streams.

use std::time::Duration;

use noq::{Connection, ReadError, ReadExactError, RecvStream, SendStream, WriteError};
use tokio::time::timeout;

use crate::error::Error;
use crate::wire::{self, LENGTH_OCTETS, Message};

/// Limit on the time from a message's first octet to its last, and from a message to its answer.
pub(crate) const ANSWER: Duration = Duration::from_secs(20);

/// Writes one message, with its length.
pub(crate) async fn write(stream: &mut SendStream, message: &Message) -> Result<(), Error> {
    stream.write_all(&wire::encode(message)).await.map_err(writing)
}

/// Reads a message of at most `most` octets, for as long as the connection lasts.
pub(crate) async fn read(stream: &mut RecvStream, most: usize) -> Result<Message, Error> {
    let mut length = [0; LENGTH_OCTETS];
    stream.read_exact(&mut length).await.map_err(reading)?;
    let mut octets = vec![0; wire::length(length, most)?];
    match timeout(ANSWER, stream.read_exact(&mut octets)).await {
        Ok(read) => read.map_err(reading)?,
        Err(_) => return Err(Error::Peer("is too slow with a message")),
    }
    Ok(wire::decode(&octets)?)
}

/// Reads a message that must begin within [`ANSWER`].
pub(crate) async fn read_soon(stream: &mut RecvStream, most: usize) -> Result<Message, Error> {
    match timeout(ANSWER, read(stream, most)).await {
        Ok(message) => message,
        Err(_) => Err(Error::Peer("does not send the message that is due")),
    }
}

pub(crate) fn writing(error: WriteError) -> Error {
    match error {
        WriteError::ConnectionLost(error) => error.into(),
        WriteError::Stopped(_) => Error::Abandoned("wants no more of a stream"),
        other => Error::Lost(other.to_string()),
    }
}

pub(crate) fn reading(error: ReadExactError) -> Error {
    match error {
        ReadExactError::FinishedEarly(_) => Error::Abandoned("stopped in the middle of a message"),
        ReadExactError::ReadError(error) => broken(error),
    }
}

pub(crate) fn broken(error: ReadError) -> Error {
    match error {
        ReadError::ConnectionLost(error) => error.into(),
        ReadError::Reset(_) => Error::Abandoned("gave up a stream"),
        other => Error::Lost(other.to_string()),
    }
}

/// The reason why a connection has ended; `None` while it lasts.
pub(crate) fn ended(connection: &Connection) -> Option<Error> {
    connection.close_reason().map(Error::from)
}
