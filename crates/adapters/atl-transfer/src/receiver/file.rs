//! Receives one file over a stream of its own.

use std::sync::Arc;

use noq::{ReadError, RecvStream, SendStream};
use tokio::time::timeout_at;

use super::batches::{Batches, Claimed};
use super::over::Over;
use super::shared::Shared;
use super::summary::Received;
use crate::channel;
use crate::error::Error;
use crate::folder::Refusal;
use crate::observer::Event;
use crate::tasks::blocking;
use crate::wire::{MAX_HELLO, Message, Name, Offer};

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

/// Creates an empty folder.
pub(super) async fn folder(shared: &Arc<Shared>, path: &[Name]) -> Result<(), Refusal> {
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
        Ok::<_, Refusal>(Claimed { target, claim })
    })
    .await?;
    let held = target.target.pieces().clone();
    let had = held.length();
    channel::write(out, &Message::Have(held)).await?;
    let from = match said(channel::read(back, MAX_HELLO).await)? {
        Message::From(from) => from,
        _ => return Err(Error::Peer("does not name the first byte of a file").into()),
    };
    let (started, target) = blocking(move || (target.target.start(from), target)).await;
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
    let target = body(back, target, left, &mut counted).await?;
    let digest = match said(channel::read(back, MAX_HELLO).await)? {
        Message::Digest(digest) => digest,
        _ => return Err(Error::Peer("does not send the hash of a file").into()),
    };
    blocking(move || {
        let Claimed { target, claim: _claim } = target;
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

/// Writes the bytes that come, also those before an error. Returns the file once nothing writes to
/// it.
async fn body(
    back: &mut RecvStream,
    target: Claimed,
    left: u64,
    counted: &mut Counted<'_>,
) -> Result<Claimed, Failed> {
    let mut batches = Batches::new(Arc::clone(&counted.over.turn), target, left);
    let mut read = Ok(());
    while read.is_ok() && !batches.is_complete() {
        let due = batches.due();
        let next = back.read(batches.room());
        let came = match due {
            Some(due) => timeout_at(due, next).await,
            None => Ok(next.await),
        };
        match came {
            Ok(Ok(Some(bytes))) => {
                counted.came += bytes as u64;
                counted.over.came(bytes as u64);
                batches = batches.took(bytes).await?;
            }
            Ok(Ok(None)) => {
                read = Err(Error::Abandoned("ends a file before its last byte").into());
            }
            Ok(Err(ReadError::Reset(_))) => read = Err(Failed::GivenUp),
            Ok(Err(error)) => read = Err(channel::broken(error).into()),
            Err(_due) => batches = batches.write().await?,
        }
    }
    let target = batches.end().await?;
    read.map(|()| target)
}

/// Tells an abandoned file from a failed connection: a sender may give a file up at any point.
fn said(message: Result<Message, Error>) -> Result<Message, Failed> {
    message.map_err(Failed::Connection)
}
