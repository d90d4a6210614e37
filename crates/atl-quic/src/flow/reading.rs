//! The application at the receiver: it reads whatever is there, in order.

use atl_core::time::Time;
use atl_endpoint::app::Sizes;
use atl_endpoint::meters::Delays;
use noq_proto::{Connection, Dir, StreamId};

/// See [the module](self).
#[derive(Debug)]
pub(super) struct Reading {
    stream: Option<StreamId>,
    sizes: Sizes,
    /// Bytes read.
    pub(super) bytes: u64,
    /// Segments of the application that are complete, and the delay of each; `None` of one that always has data.
    delays: Option<(u64, Box<Delays>)>,
}

impl Reading {
    pub(super) fn new(sizes: Sizes, delays: Option<Delays>) -> Self {
        let delays = delays.map(|delays| (0, Box::new(delays)));
        Reading { stream: None, sizes, bytes: 0, delays }
    }

    pub(super) fn begin_measurement(&mut self) {
        if let Some((_, delays)) = &mut self.delays {
            delays.reset();
        }
    }

    /// Mean delay from application to application, in seconds.
    pub(super) fn delay_s(&self) -> Option<f64> {
        self.delays.as_ref().and_then(|(_, delays)| delays.mean_s())
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
        while let Ok(Some(chunk)) = chunks.next(usize::MAX) {
            self.bytes += chunk.bytes.len() as u64;
        }
        // What it would send is sent at the next look at the connection, which follows.
        let _ = chunks.finalize();
        let Some((segments, delays)) = &mut self.delays else { return };
        while self.sizes.bytes(*segments + 1) <= self.bytes
            && self.sizes.bytes(*segments + 1) > self.sizes.bytes(*segments)
        {
            *segments += 1;
        }
        delays.on_delivered(now, *segments);
    }
}
