//! What passed the ends of an emulator, as pcap files for Wireshark and tcpdump.
//!
//! The emulator's thread only copies packets into blocks of memory. A thread of the [`Writer`] puts
//! the blocks into files. Where files are too slow, packets are left out and counted; the emulator
//! never waits.

mod pcap;
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

pub use writer::Writer;

use crate::clock::Clock;

/// A block is handed over when it holds this many bytes.
const BLOCK: usize = 1 << 18;
/// Blocks that may wait for the files: 16 MB, a second of 128 Mb/s.
const WAITING: usize = 64;
/// A block is handed over at the latest after this long, so that the files can be watched while
/// they grow.
const LONGEST: Span = Span::from_millis(500);

/// An end of an emulator: the index of its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct End(pub usize);

impl End {
    /// Of a proxy: where clients are.
    pub const NEAR: End = End(0);
    /// Of a proxy: where the server is.
    pub const FAR: End = End(1);
}

/// Packets of one end that go to its file together.
type Block = (End, Vec<u8>);

/// Takes packets at all ends. It belongs to the emulator's thread; dropping it hands over the rest.
#[derive(Debug)]
pub struct Capture {
    /// Time since 1970 when the clock read zero.
    epoch: Span,
    /// For each end, what its file gets next.
    blocks: Vec<Vec<u8>>,
    handed_over: Time,
    full: SyncSender<Block>,
    empty: Receiver<Vec<u8>>,
    left_out: Arc<AtomicU64>,
}

impl Capture {
    /// Creates a file for each end, and starts to write them. Their times are those of `clock`, as
    /// a date.
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
        let epoch = Span::from_nanos(since_1970.as_nanos() as u64).saturating_sub(now);
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

    /// A UDP datagram that passed an end at `at`. It gets headers of IP and UDP, which a socket
    /// does not show.
    ///
    /// # Panics
    /// Panics if there is no such end.
    pub fn datagram(
        &mut self,
        end: End,
        at: Time,
        from: SocketAddr,
        to: SocketAddr,
        payload: &[u8],
    ) {
        let headers = udp::headers(from, to, payload);
        self.parts(end, at, headers.bytes(), payload);
    }

    /// An IP packet that passed an end at `at`.
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
        block.extend_from_slice(&pcap::record_header(date, length as u32));
        block.extend_from_slice(head);
        block.extend_from_slice(tail);
    }

    /// Hands over what has waited for long. Call it now and then.
    pub fn tick(&mut self, now: Time) {
        if now.since(self.handed_over) >= LONGEST {
            self.handed_over = now;
            for end in 0..self.blocks.len() {
                self.hand_over(End(end));
            }
        }
    }

    /// How long until [`tick`](Capture::tick) wants the next call.
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
            // A writer that broke off has its say at the end.
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
            // Here waiting holds up nobody.
            let _ = self.full.send((End(end), std::mem::take(block)));
        }
    }
}
