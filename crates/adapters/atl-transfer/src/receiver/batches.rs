//! Writes a file in large batches, each while the next one fills.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::Mutex;
use tokio::task::{JoinHandle, spawn_blocking};
use tokio::time::Instant;

use super::shared::Claim;
use crate::folder::{Refusal, Target};
use crate::tasks::outcome;

/// Bytes of a batch. QUIC delivers a file in frames of little more than a kilobyte: a write, a
/// wake-up and a piece of a hash for each would cost more than all else.
pub(super) const BATCH: usize = 1 << 18;
/// Longest time for which a byte waits for its batch to fill: a receiver that is killed loses no
/// more of a slow transfer.
const WAIT: Duration = Duration::from_secs(1);

/// The right to write. A transfer has one: its files are written by one thread at a time.
pub(super) type Turn = Arc<Mutex<()>>;

/// A file, with the right to write it. The writing task owns both, also after the task that waits
/// for it has ended.
pub(super) struct Claimed {
    pub(super) target: Target,
    pub(super) claim: Claim,
}

/// The file to which batches go.
enum Disk {
    /// Nothing is being written. The buffer is that of the batch before.
    Idle(Claimed, Vec<u8>),
    /// A batch is being written.
    Busy(JoinHandle<(Result<(), Refusal>, Claimed, Vec<u8>)>),
}

impl Disk {
    /// The file and a buffer, once the batch before is written.
    async fn idle(self) -> Result<(Claimed, Vec<u8>), Refusal> {
        match self {
            Disk::Idle(file, spare) => Ok((file, spare)),
            Disk::Busy(writing) => {
                let (written, file, spare) = outcome(writing.await).await;
                written.map(|()| (file, spare))
            }
        }
    }
}

/// A file that is written in batches, of which it holds two at most.
pub(super) struct Batches {
    turn: Turn,
    disk: Disk,
    /// The batch that fills, and the number of bytes in it.
    batch: Vec<u8>,
    filled: usize,
    /// The time at which it is written even if it is not full; `None` while it is empty.
    due: Option<Instant>,
    /// Bytes of the file that have not come.
    left: u64,
}

impl Batches {
    /// For a file that lacks `left` bytes.
    pub(super) fn new(turn: Turn, file: Claimed, left: u64) -> Self {
        let disk = Disk::Idle(file, Vec::new());
        Batches { turn, disk, batch: vec![0; fitting(left)], filled: 0, due: None, left }
    }

    /// True once all bytes have come.
    pub(super) fn is_complete(&self) -> bool {
        self.left == 0
    }

    /// Room for the next bytes, which is empty only once all have come.
    pub(super) fn room(&mut self) -> &mut [u8] {
        &mut self.batch[self.filled..]
    }

    /// The time at which [`write`](Self::write) is due.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// Notes that bytes were put into the room, and writes a batch that is full.
    ///
    /// # Errors
    /// If the batch before could not be written.
    pub(super) async fn took(mut self, bytes: usize) -> Result<Self, Refusal> {
        self.filled += bytes;
        self.left = self.left.saturating_sub(bytes as u64);
        if self.filled == self.batch.len() {
            return self.write().await;
        }
        self.due.get_or_insert_with(|| Instant::now() + WAIT);
        Ok(self)
    }

    /// Begins to write what the batch holds, once the one before is written.
    ///
    /// # Errors
    /// If the batch before could not be written.
    pub(super) async fn write(self) -> Result<Self, Refusal> {
        let Batches { turn, disk, batch, filled, due: _, left } = self;
        let (mut file, mut spare) = disk.idle().await?;
        let held = Arc::clone(&turn).lock_owned().await;
        let disk = Disk::Busy(spawn_blocking(move || {
            let written = file.target.write(&batch[..filled]);
            drop(held);
            (written, file, batch)
        }));
        spare.resize(fitting(left), 0);
        Ok(Batches { turn, disk, batch: spare, filled: 0, due: None, left })
    }

    /// The file, once all that came is written.
    ///
    /// # Errors
    /// If a batch could not be written.
    pub(super) async fn end(self) -> Result<Claimed, Refusal> {
        let last = if self.filled > 0 { self.write().await? } else { self };
        last.disk.idle().await.map(|(file, _)| file)
    }
}

/// Bytes of a batch of a file that lacks `left`.
fn fitting(left: u64) -> usize {
    usize::try_from(left).unwrap_or(BATCH).min(BATCH)
}
