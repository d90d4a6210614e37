//! Receives generated load, and discards it.

use noq::{ReadError, RecvStream};
use tokio::time::Instant;

use super::over::Over;
use crate::channel;
use crate::error::Error;
use crate::wire::Message;

pub(super) async fn receive(back: &mut RecvStream, over: &Over) -> Result<Message, Error> {
    let mut bytes = 0_u64;
    let mut times = None;
    loop {
        match back.read_chunk(1 << 20).await {
            Ok(Some(chunk)) => {
                let now = Instant::now();
                times.get_or_insert((now, now)).1 = now;
                bytes += chunk.len() as u64;
                over.came(chunk.len() as u64);
            }
            // A sender that runs out of time resets the stream.
            Ok(None) | Err(ReadError::Reset(_)) => break,
            Err(error) => return Err(channel::broken(error)),
        }
    }
    let took = times.map_or(0, |(first, last)| (last - first).as_nanos());
    Ok(Message::Loaded { bytes, nanos: u64::try_from(took).unwrap_or(u64::MAX) })
}
