//! The application at the sender: it writes into one stream.

use atl_core::time::Time;
use atl_endpoint::app::{App, Sizes};
use bytes::Bytes;
use noq_proto::{Connection, Dir, StreamId, WriteError};

/// What applications write.
static OCTETS: [u8; 1 << 16] = [0; 1 << 16];

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Writing {
    app: App,
    sizes: Sizes,
    stream: Option<StreamId>,
    /// Bytes written into the stream.
    written: u64,
    /// The stream takes no more for now.
    blocked: bool,
    finished: bool,
}

impl Writing {
    pub(super) fn new(app: App, sizes: Sizes) -> Self {
        Writing { app, sizes, stream: None, written: 0, blocked: false, finished: false }
    }

    /// The stream takes more again.
    pub(super) fn unblock(&mut self) {
        self.blocked = false;
    }

    /// Bytes that the application has submitted by now; the most that there are if it always has data.
    fn submitted(&mut self, now: Time) -> u64 {
        match self.app.written(now) {
            u64::MAX => u64::MAX,
            segments => self.sizes.bytes(segments),
        }
    }

    /// Writes what there is.
    ///
    /// # Errors
    /// That the stream is closed.
    pub(super) fn write(
        &mut self,
        now: Time,
        connection: &mut Connection,
    ) -> Result<(), WriteError> {
        if self.blocked || self.finished {
            return Ok(());
        }
        if self.stream.is_none() {
            self.stream = connection.streams().open(Dir::Uni);
        }
        let Some(id) = self.stream else { return Ok(()) };
        let submitted = self.submitted(now);
        let mut stream = connection.send_stream(id);
        while self.written < submitted {
            let most = (submitted - self.written).min(OCTETS.len() as u64) as usize;
            match stream.write_chunks(&mut &mut [Bytes::from_static(&OCTETS[..most])][..]) {
                Ok(written) => self.written += written as u64,
                Err(WriteError::Blocked) => {
                    self.blocked = true;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        if self.app.end().is_some_and(|end| self.written == self.sizes.bytes(end)) {
            self.finished = stream.finish().is_ok();
        }
        Ok(())
    }

    /// When the application has more to write; [`Time::MAX`] if it waits for the stream, or ends.
    pub(super) fn next(&mut self, now: Time) -> Time {
        if self.blocked || self.finished || self.stream.is_none() {
            return Time::MAX;
        }
        self.app.next_write(now).unwrap_or(Time::MAX)
    }
}
