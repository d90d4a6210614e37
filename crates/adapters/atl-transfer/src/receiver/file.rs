//! Receives one file over a stream of its own.

use std::sync::Arc;

use bytes::Bytes;
use noq::{ReadError, RecvStream, SendStream};
use tokio::sync::mpsc;
use tokio::task::spawn_blocking;

use super::over::Over;
use super::shared::{Claim, Shared};
use super::summary::Received;
use crate::channel;
use crate::error::Error;
use crate::folder::{Refusal, Target};
use crate::observer::Event;
use crate::tasks::{blocking, outcome};
use crate::wire::{MAX_HELLO, Message, Offer};

/// Limit on the bytes of a chunk taken from QUIC.
const CHUNK: usize = 1 << 17;
/// Chunks that may wait for the disk.
const WAITING: usize = 8;

/// The reason why a file was not received.
#[derive(Debug)]
pub(super) enum Failed {
    /// The receiver does not want it, or cannot store it.
    Refused(Refusal),
    /// The sender gave the file up.
    GivenUp,
    /// The connection has failed, or its messages make no sense.
    Connection(Error),
}

impl From<Error> for Failed {
    fn from(error: Error) -> Self {
        Failed::Connection(error)
    }
}

impl From<Refusal> for Failed {
    fn from(refusal: Refusal) -> Self {
        Failed::Refused(refusal)
    }
}

/// A file, with the right to write it. The writing task owns both, also after the task that waits
/// for it has ended.
struct Claimed {
    target: Target,
    _claim: Claim,
}

/// Creates an empty folder.
pub(super) async fn folder(shared: &Arc<Shared>, path: &[String]) -> Result<(), Refusal> {
    let (shared, path) = (Arc::clone(shared), path.to_vec());
    blocking(move || shared.folder.make(&path)).await
}

/// Receives a file, from the offer until it is in its place.
pub(super) async fn receive(
    out: &mut SendStream,
    back: &mut RecvStream,
    offer: &Offer,
    over: &Arc<Over>,
) -> Result<(), Failed> {
    let shared = &over.shared;
    if shared.options.limit.is_some_and(|limit| offer.size > limit) {
        shared.reserve(offer.size)?;
    }
    let claim = shared.claim(&offer.path).await?;
    let (folder, offered) = (Arc::clone(shared), offer.clone());
    let mut target = blocking(move || {
        let target = folder.folder.begin(&offered)?;
        Ok::<_, Refusal>(Claimed { target, _claim: claim })
    })
    .await?;
    let held = target.target.pieces().clone();
    let had = held.length();
    channel::write(out, &Message::Have(held)).await?;
    let from = match said(channel::read(back, MAX_HELLO).await)? {
        Message::From(from) => from,
        _ => return Err(Error::Peer("does not name the first byte of a file").into()),
    };
    let (started, mut target) = blocking(move || (target.target.start(from), target)).await;
    started?;
    let left = target.target.left();
    shared.reserve(left)?;
    let path = || offer.path.clone();
    if from < had {
        shared.observer.on_event(&Event::Differs { path: path(), held: had, same: from });
    }
    if from > 0 {
        shared.observer.on_event(&Event::Resumed { path: path(), from, size: offer.size });
    }
    over.had(from);
    let mut counted = Counted { over, from, came: 0, left, kept: false };
    let body = body(back, target, left, &mut counted).await;
    let (written, read);
    (written, read, target) = body;
    written?;
    read?;
    let digest = match said(channel::read(back, MAX_HELLO).await)? {
        Message::Digest(digest) => digest,
        _ => return Err(Error::Peer("does not send the hash of a file").into()),
    };
    blocking(move || {
        let Claimed { target, _claim } = target;
        target.finish(&digest)
    })
    .await?;
    counted.kept = true;
    let received = Received { path: path(), size: offer.size, from, digest };
    let new = over.sender.is_new(&offer.path);
    shared.note(
        |summary| if new { summary.received(received) } else { summary.confirmed(&received) },
    );
    shared.observer.on_event(&Event::Finished { path: path(), size: offer.size });
    Ok(())
}

/// Counts a file's bytes against the limit. The rest is given back if the file is not finished.
struct Counted<'a> {
    over: &'a Over,
    from: u64,
    came: u64,
    /// Bytes reserved and not written yet.
    left: u64,
    kept: bool,
}

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.over.shared.give_back(self.left.saturating_sub(self.came));
        if !self.kept {
            self.over.sender.remove(self.from + self.came);
        }
    }
}

/// Writes the bytes that come. Returns the outcomes of writing and reading, and the file once
/// nothing writes to it.
async fn body(
    back: &mut RecvStream,
    mut target: Claimed,
    mut left: u64,
    counted: &mut Counted<'_>,
) -> (Result<(), Failed>, Result<(), Failed>, Claimed) {
    let (sender, mut chunks) = mpsc::channel::<Bytes>(WAITING);
    let writing = spawn_blocking(move || {
        let mut written = Ok(());
        while let Some(chunk) = chunks.blocking_recv() {
            written = target.target.write(&chunk);
            if written.is_err() {
                break;
            }
        }
        (written, target)
    });
    let mut read = Ok(());
    while left > 0 {
        let most = usize::try_from(left).unwrap_or(CHUNK).min(CHUNK);
        match back.read_chunk(most).await {
            Ok(Some(chunk)) => {
                left -= chunk.len() as u64;
                counted.came += chunk.len() as u64;
                counted.over.came(chunk.len() as u64);
                if sender.send(chunk).await.is_err() {
                    // The writer returns the error.
                    break;
                }
            }
            Ok(None) => {
                read = Err(Error::Abandoned("ends a file before its last byte").into());
                break;
            }
            Err(ReadError::Reset(_)) => {
                read = Err(Failed::GivenUp);
                break;
            }
            Err(error) => {
                read = Err(channel::broken(error).into());
                break;
            }
        }
    }
    drop(sender);
    let (written, target) = outcome(writing.await).await;
    (written.map_err(Failed::Refused), read, target)
}

/// Tells an abandoned file from a failed connection: a sender may give a file up at any point.
fn said(message: Result<Message, Error>) -> Result<Message, Failed> {
    message.map_err(Failed::Connection)
}
