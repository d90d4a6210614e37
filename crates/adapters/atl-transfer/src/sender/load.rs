//! Sends generated load, which the receiver discards.

use std::time::Duration;

use bytes::Bytes;
use noq::{Connection, VarInt, WriteError};
use tokio::time::{Instant, timeout_at};

use crate::channel;
use crate::error::Error;
use crate::folder::Refusal;
use crate::wire::{MAX_REFUSAL, Message};

/// The amount of generated load.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// This number of bytes.
    Bytes(u64),
    /// As much as is possible in this time.
    For(Duration),
}

/// The part of a generated load that arrived, by the receiver's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Bytes that the receiver counted.
    pub bytes: u64,
    /// Time between the arrivals of the first byte and the last.
    pub took: Duration,
}

/// Bytes of one write to QUIC.
const CHUNK: usize = 1 << 16;

pub(super) async fn send(connection: &Connection, load: Load) -> Result<Loaded, Error> {
    let (mut out, mut back) = connection.open_bi().await.map_err(Error::from)?;
    let (bytes, end) = match load {
        Load::Bytes(bytes) => (Some(bytes), None),
        Load::For(time) => (None, Some(Instant::now() + time)),
    };
    channel::write(&mut out, &Message::Load { bytes }).await?;
    let chunk = Bytes::from_static(&[0x5a; CHUNK]);
    let mut left = bytes.unwrap_or(u64::MAX);
    while left > 0 {
        let size = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        let write = out.write_chunk(chunk.slice(..size));
        let written = match end {
            None => write.await,
            Some(end) => match timeout_at(end, write).await {
                Ok(written) => written,
                Err(_) => {
                    // Data in buffers is not sent any more.
                    let _ = out.reset(VarInt::from_u32(0));
                    break;
                }
            },
        };
        match written {
            Ok(()) => left -= size as u64,
            // The receiver's answer, read next, gives the reason.
            Err(WriteError::Stopped(_)) => break,
            Err(error) => return Err(channel::writing(error)),
        }
    }
    let _ = out.finish();
    match channel::read(&mut back, MAX_REFUSAL).await? {
        Message::Loaded { bytes, nanos } => Ok(Loaded { bytes, took: Duration::from_nanos(nanos) }),
        Message::Refused { reason, text } => Err(Error::Refused(Refusal { reason, text })),
        _ => Err(Error::Peer("does not report the arrival of a load")),
    }
}
