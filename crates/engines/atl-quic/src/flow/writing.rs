//! The application at the sender: it writes into one stream.

use atl_core::time::Time;
use bytes::Bytes;
use noq_proto::{Connection, Dir, StreamId, WriteError};

use crate::app::{OCTETS, Writes};

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Writing {
    app: Writes,
    stream: Option<StreamId>,
    /// The stream takes no more for now.
    blocked: bool,
    finished: bool,
}

impl Writing {
    pub(super) fn new(app: Writes) -> Self {
        Writing { app, stream: None, blocked: false, finished: false }
    }

    /// An end of a conversation has written this many bytes in all.
    pub(super) fn tell(&mut self, written: u64, ended: bool) {
        self.app.tell(written, ended);
    }

    /// The stream takes more again.
    pub(super) fn unblock(&mut self) {
        self.blocked = false;
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
        let mut stream = connection.send_stream(id);
        loop {
            let waiting = self.app.waiting(now);
            if waiting == 0 {
                break;
            }
            let chunk = Bytes::from_static(&OCTETS[..waiting]);
            match stream.write_chunks(&mut &mut [chunk][..]) {
                Ok(written) => self.app.on_written(written),
                Err(WriteError::Blocked) => {
                    self.blocked = true;
                    return Ok(());
                }
                Err(error) => return Err(error),
            }
        }
        if self.app.is_complete(now) {
            self.finished = stream.finish().is_ok();
        }
        Ok(())
    }

    /// When the application has more to write; [`Time::MAX`] if it waits for the stream, or ends.
    pub(super) fn next(&mut self, now: Time) -> Time {
        if self.blocked || self.finished || self.stream.is_none() {
            return Time::MAX;
        }
        self.app.next(now)
    }
}
