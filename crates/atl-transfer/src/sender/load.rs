//! Sends bytes that nobody keeps.

use std::time::Duration;

use bytes::Bytes;
use noq::{Connection, VarInt, WriteError};
use tokio::time::{Instant, timeout_at};

use crate::channel;
use crate::error::Error;
use crate::folder::Refusal;
use crate::wire::{MAX_REFUSAL, Message};

/// How much generated load is sent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Load {
    /// So many bytes.
    Bytes(u64),
    /// For so long.
    For(Duration),
}

/// What arrived of a generated load, by the receiver's clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Loaded {
    /// Bytes.
    pub bytes: u64,
    /// From the first byte's arrival to the last one's.
    pub took: Duration,
}

/// Bytes of one write.
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
                    // What waits in buffers is not sent any more.
                    let _ = out.reset(VarInt::from_u32(0));
                    break;
                }
            },
        };
        match written {
            Ok(()) => left -= size as u64,
            // The answer says why nothing more is wanted.
            Err(WriteError::Stopped(_)) => break,
            Err(error) => return Err(channel::writing(error)),
        }
    }
    let _ = out.finish();
    match channel::read(&mut back, MAX_REFUSAL).await? {
        Message::Loaded { bytes, nanos } => Ok(Loaded { bytes, took: Duration::from_nanos(nanos) }),
        Message::Refused { reason, text } => Err(Error::Refused(Refusal { reason, text })),
        _ => Err(Error::Peer("does not say what arrived of a load")),
    }
}
