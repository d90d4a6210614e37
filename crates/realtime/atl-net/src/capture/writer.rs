//! The thread that writes captures to files.

use std::fs::File;
use std::io::{self, Write as _};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::mpsc::{Receiver, Sender};
use std::thread::{self, JoinHandle};

use super::Block;

/// Writes the packets of a [`Capture`](super::Capture).
#[derive(Debug)]
pub struct Writer {
    thread: JoinHandle<io::Result<()>>,
    left_out: Arc<AtomicU64>,
}

impl Writer {
    pub(super) fn start(
        mut files: Vec<File>,
        blocks: Receiver<Block>,
        returned: Sender<Vec<u8>>,
        left_out: Arc<AtomicU64>,
    ) -> io::Result<Writer> {
        let thread = thread::Builder::new().name("capture".to_owned()).spawn(move || {
            for (end, mut block) in blocks {
                files[end.0].write_all(&block)?;
                block.clear();
                // An error means that the capture was dropped.
                let _ = returned.send(block);
            }
            Ok(())
        })?;
        Ok(Writer { thread, left_out })
    }

    /// Waits until all packets are in the files, soon after the capture was dropped. Returns the
    /// number of packets that were left out because the files were too slow.
    ///
    /// # Errors
    /// If a file could not be written to.
    pub fn finish(self) -> io::Result<u64> {
        let written = self.thread.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic));
        written.map(|()| self.left_out.load(Ordering::Relaxed))
    }
}
