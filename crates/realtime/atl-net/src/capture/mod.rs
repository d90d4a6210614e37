//! Captures of the packets that pass the ends of an emulator, as pcap files for Wireshark and
//! tcpdump.
//!
//! The emulator's thread only copies packets into blocks of memory. A thread of the [`Writer`] puts
//! the blocks into files. Where files are too slow, packets are left out and counted; the emulator
//! never waits.

pub mod pcap;
mod udp;
mod writer;

use std::fs::File;
use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, SyncSender, TrySendError};
use std::time::SystemTime;

use atl_core::time::{Span, Time};
use atl_link::Ecn;

pub use writer::Writer;

use crate::clock::Clock;

/// Size in bytes at which a block is handed over.
const BLOCK: usize = 1 << 18;
/// Blocks that may wait for the files: 16 MB, or a second at 128 Mb/s.
const WAITING: usize = 64;
/// Age at which a block is handed over even if it is not full, so that the files can be watched
/// while they grow.
const LONGEST: Span = Span::from_millis(500);

/// An end of an emulator: the index of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(pub usize);

impl End {
    /// The end of a proxy towards its clients.
    pub const NEAR: End = End(0);
    /// The end of a proxy towards the server.
    pub const FAR: End = End(1);
}

/// Packets of one end that go to its file together.
type Block = (End, Vec<u8>);

/// Takes packets at all ends, on the emulator's thread. Dropping it hands over the rest.
#[derive(Debug)]
pub struct Capture {
    /// Time since 1970 when the clock read zero.
    epoch: Span,
    /// For each end, the records that go to its file next.
    blocks: Vec<Vec<u8>>,
    handed_over: Time,
    full: SyncSender<Block>,
    empty: Receiver<Vec<u8>>,
    left_out: Arc<AtomicU64>,
}

impl Capture {
    /// Creates a file for each end, and starts to write them. Packets are dated by `clock`, set to
    /// the time of day at the start.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn start(
        files: impl IntoIterator<Item = PathBuf>,
        clock: Clock,
    ) -> io::Result<(Capture, Writer)> {
        let since_1970 =
            SystemTime::now().duration_since(SystemTime::UNIX_EPOCH).unwrap_or_default();
        let now = clock.now().since(Time::ZERO);
        Capture::since(files, Span::from_nanos(since_1970.as_nanos() as u64).saturating_sub(now))
    }

    /// The same with a clock that read zero at `epoch`, as time since 1970: files that do not
    /// depend on the time of day.
    ///
    /// # Errors
    /// If a file cannot be created.
    pub fn since(
        files: impl IntoIterator<Item = PathBuf>,
        epoch: Span,
    ) -> io::Result<(Capture, Writer)> {
        let left_out = Arc::new(AtomicU64::new(0));
        let (full, blocks) = mpsc::sync_channel(WAITING);
        let (returned, empty) = mpsc::channel();
        let files: Vec<File> = files.into_iter().map(File::create).collect::<io::Result<_>>()?;
        let ends = files.len();
        let writer = Writer::start(files, blocks, returned, Arc::clone(&left_out))?;
        let capture = Capture {
            epoch,
            blocks: vec![pcap::file_header(); ends],
            handed_over: Time::ZERO,
            full,
            empty,
            left_out,
        };
        Ok((capture, writer))
    }

    /// Records a UDP datagram that passed an end at `at`, with this ECN field. It gets headers of
    /// IP and UDP, since sockets do not show the real ones.
    ///
    /// # Panics
    /// Panics if there is no such end.
    pub fn datagram(
        &mut self,
        end: End,
        at: Time,
        from: SocketAddr,
        to: SocketAddr,
        ecn: Ecn,
        payload: &[u8],
    ) {
        let headers = udp::headers((from, to), ecn, payload);
        self.parts(end, at, headers.bytes(), payload);
    }

    /// Records an IP packet that passed an end at `at`.
    ///
    /// # Panics
    /// Panics if there is no such end.
    pub fn packet(&mut self, end: End, at: Time, bytes: &[u8]) {
        self.parts(end, at, &[], bytes);
    }

    fn parts(&mut self, end: End, at: Time, head: &[u8], tail: &[u8]) {
        let length = head.len() + tail.len();
        if self.blocks[end.0].len() + length + pcap::RECORD_HEADER > BLOCK && !self.hand_over(end) {
            self.left_out.fetch_add(1, Ordering::Relaxed);
            return;
        }
        let block = &mut self.blocks[end.0];
        let date = Time::from_nanos(self.epoch.nanos()).saturating_add(at.since(Time::ZERO));
        block.extend_from_slice(&pcap::record_header(date, length as u32, length as u32));
        block.extend_from_slice(head);
        block.extend_from_slice(tail);
    }

    /// Hands over blocks that have waited for long. Call it now and then.
    pub fn tick(&mut self, now: Time) {
        if now.since(self.handed_over) >= LONGEST {
            self.handed_over = now;
            for end in 0..self.blocks.len() {
                self.hand_over(End(end));
            }
        }
    }

    /// Time until the next call of [`tick`](Capture::tick).
    pub fn interval(&self) -> Span {
        LONGEST
    }

    /// Gives an end's block to the writer. False if too many wait there: the block stays.
    fn hand_over(&mut self, end: End) -> bool {
        let block = &mut self.blocks[end.0];
        if block.is_empty() {
            return true;
        }
        match self.full.try_send((end, std::mem::take(block))) {
            Ok(()) => {
                *block = self.empty.try_recv().unwrap_or_default();
                true
            }
            // A writer that has failed returns its error at the end.
            Err(TrySendError::Full((_, kept)) | TrySendError::Disconnected((_, kept))) => {
                *block = kept;
                false
            }
        }
    }
}

impl Drop for Capture {
    fn drop(&mut self) {
        for (end, block) in self.blocks.iter_mut().enumerate() {
            // Waiting delays no packet any more.
            let _ = self.full.send((End(end), std::mem::take(block)));
        }
    }
}
