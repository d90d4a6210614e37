//! Receives generated load, and discards it.

use std::mem;

use bytes::Bytes;
use noq::{ReadError, RecvStream};
use tokio::time::Instant;

use super::over::Over;
use crate::channel;
use crate::error::Error;
use crate::wire::Message;

/// Frames that are taken from QUIC at a time.
const CHUNKS: usize = 64;

pub(super) async fn receive(back: &mut RecvStream, over: &Over) -> Result<Message, Error> {
    let mut bytes = 0_u64;
    let mut times = None;
    let mut chunks = [const { Bytes::new() }; CHUNKS];
    loop {
        match back.read_many_chunks(&mut chunks).await {
            Ok(Some(number)) => {
                let now = Instant::now();
                times.get_or_insert((now, now)).1 = now;
                let came = chunks[..number].iter_mut().map(|chunk| mem::take(chunk).len() as u64);
                let came = came.sum();
                bytes += came;
                over.came(came);
            }
            // A sender that runs out of time resets the stream.
            Ok(None) | Err(ReadError::Reset(_)) => break,
            Err(error) => return Err(channel::broken(error)),
        }
    }
    let took = times.map_or(0, |(first, last)| (last - first).as_nanos());
    Ok(Message::Loaded { bytes, nanos: u64::try_from(took).unwrap_or(u64::MAX) })
}
