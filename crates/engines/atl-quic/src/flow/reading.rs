//! The application at the receiver, and its stream.

use atl_core::time::Time;
use noq_proto::{Connection, Dir, StreamId};

use crate::app::Reads;

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Reading {
    stream: Option<StreamId>,
    pub(super) app: Reads,
}

impl Reading {
    pub(super) fn new(app: Reads) -> Self {
        Reading { stream: None, app }
    }

    /// A stream was opened.
    pub(super) fn accept(&mut self, connection: &mut Connection) {
        while let Some(id) = connection.streams().accept(Dir::Uni) {
            self.stream.get_or_insert(id);
        }
    }

    /// Reads what there is.
    pub(super) fn read(&mut self, now: Time, connection: &mut Connection) {
        let Some(id) = self.stream else { return };
        let mut stream = connection.recv_stream(id);
        // After the last byte the stream is closed.
        let Ok(mut chunks) = stream.read(true) else { return };
        let mut bytes = 0;
        while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
            bytes += chunk.bytes.len();
        }
        // The flow looks at the connection next, and sends the credit that this frees.
        let _ = chunks.finalize();
        self.app.on_read(now, bytes);
    }
}
