//! Sends one file over a stream of its own.

use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use noq::{Connection, RecvStream, SendStream, VarInt, WriteError};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::meter::Meter;
use super::source::{Entry, Kind};
use crate::channel;
use crate::error::Error;
use crate::folder::Refusal;
use crate::hash::{self, Hashing};
use crate::observer::{Event, Observer};
use crate::tasks::{blocking, outcome};
use crate::wire::{Hash, MAX_MESSAGE, MAX_REFUSAL, Message, Offer, Pieces};

/// Bytes of one read from the file.
const READ: usize = 1 << 17;
/// Reads that may wait for QUIC.
const WAITING: usize = 8;

/// The result for a file or a folder that arrived.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Sent {
    /// The first byte that was sent over this connection.
    pub(super) from: u64,
    /// SHA-256 of the file; `None` for a folder.
    pub(super) digest: Option<Hash>,
}

/// The reason why a file was not sent.
#[derive(Debug)]
pub(super) enum Failed {
    /// The receiver does not want it.
    Refused(Refusal),
    /// It cannot be read, or has changed.
    Unreadable(String),
    /// The connection has failed.
    Connection(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed::Connection(error)
    }
}

/// Sends a file or a folder. Those with a higher priority go first.
pub(super) async fn send(
    connection: Connection,
    entry: Entry,
    priority: i32,
    meter: &Meter,
    observer: &dyn Observer,
) -> Result<Sent, Failed> {
    let (mut out, mut back) = connection.open_bi().await.map_err(Error::from)?;
    let _ = out.set_priority(priority);
    let Kind::File { source, size, mode, modified } = entry.kind else {
        channel::write(&mut out, &Message::Folder { path: entry.path }).await?;
        let _ = out.finish();
        answer(&mut back).await?;
        return Ok(Sent { from: 0, digest: None });
    };
    let offer = Offer { size, mode, modified, path: entry.path.clone() };
    channel::write(&mut out, &Message::Offer(offer)).await?;
    let held = match channel::read(&mut back, MAX_MESSAGE).await? {
        Message::Have(held) => held,
        Message::Refused { reason, text } => return Err(Failed::Refused(Refusal { reason, text })),
        _ => return Err(Error::Peer("does not answer an offer").into()),
    };
    let had = held.length();
    let (file, from, hashing) = compare(source.clone(), size, held).await?;
    if from < had {
        observer.on_event(&Event::Differs { path: entry.path.clone(), held: had, same: from });
    }
    if from > 0 {
        observer.on_event(&Event::Resumed { path: entry.path.clone(), from, size });
        meter.skip(from);
    }
    channel::write(&mut out, &Message::From(from)).await?;
    match body(&mut out, file, source, from..size, hashing).await {
        Ok(digest) => {
            channel::write(&mut out, &Message::Digest(digest)).await.or_else(|error| {
                // The receiver's answer, read next, gives the reason.
                if matches!(error, Error::Abandoned(_)) { Ok(()) } else { Err(error) }
            })?;
            let _ = out.finish();
            answer(&mut back).await?;
            Ok(Sent { from, digest: Some(digest) })
        }
        Err(Broken::Stopped) => {
            answer(&mut back).await?;
            Err(Error::Peer("stops a file without a reason").into())
        }
        Err(Broken::Unreadable(why)) => {
            let _ = out.reset(VarInt::from_u32(0));
            Err(Failed::Unreadable(why))
        }
        Err(Broken::Connection(error)) => Err(error.into()),
    }
}

async fn answer(back: &mut RecvStream) -> Result<(), Failed> {
    match channel::read(back, MAX_REFUSAL).await? {
        Message::Done => Ok(()),
        Message::Refused { reason, text } => Err(Failed::Refused(Refusal { reason, text })),
        _ => Err(Error::Peer("does not confirm a file").into()),
    }
}

fn unreadable(path: &Path, error: &io::Error) -> String {
    format!("cannot read {}: {error}", path.display())
}

/// Compares a file with the receiver's pieces: the number of first bytes that agree.
async fn compare(source: PathBuf, size: u64, held: Pieces) -> Result<(File, u64, Hashing), Failed> {
    blocking(move || {
        let failed = |error: io::Error| Failed::Unreadable(unreadable(&source, &error));
        let mut file = File::open(&source).map_err(failed)?;
        let (same, hashing) = hash::common(&mut file, &held).map_err(failed)?;
        if same > size {
            let why = format!("{} has changed since it was listed", source.display());
            return Err(Failed::Unreadable(why));
        }
        file.seek(SeekFrom::Start(same)).map_err(failed)?;
        Ok((file, same, hashing))
    })
    .await
}

enum Broken {
    Stopped,
    Unreadable(String),
    Connection(Error),
}

/// Sends the rest of a file, and returns the hash of all of it. `hashing` has the bytes before.
async fn body(
    out: &mut SendStream,
    file: File,
    source: PathBuf,
    range: std::ops::Range<u64>,
    hashing: Hashing,
) -> Result<Hash, Broken> {
    let (sender, mut chunks) = mpsc::channel::<Bytes>(WAITING);
    let reading = spawn_blocking(move || read(file, &source, range, hashing, &sender));
    while let Some(chunk) = chunks.recv().await {
        out.write_chunk(chunk).await.map_err(|error| match error {
            WriteError::Stopped(_) => Broken::Stopped,
            error => Broken::Connection(channel::writing(error)),
        })?;
    }
    outcome(reading.await).await.map_err(Broken::Unreadable)
}

fn read(
    mut file: File,
    source: &Path,
    range: std::ops::Range<u64>,
    mut hashing: Hashing,
    chunks: &mpsc::Sender<Bytes>,
) -> Result<Hash, String> {
    let mut left = range.end - range.start;
    while left > 0 {
        let mut buffer = vec![0; usize::try_from(left).unwrap_or(READ).min(READ)];
        match file.read(&mut buffer) {
            Ok(0) => return Err(format!("{} became shorter while it was sent", source.display())),
            Ok(read) => {
                buffer.truncate(read);
                hashing.add(&buffer);
                left -= read as u64;
                if chunks.blocking_send(buffer.into()).is_err() {
                    // The sending task has ended, and returns the reason.
                    return Err(String::new());
                }
            }
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(unreadable(source, &error)),
        }
    }
    Ok(hashing.finish())
}
