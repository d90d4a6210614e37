//! A file on its way between two connections.

use atl_core::time::{Span, Time};
use noq_proto::{Connection, Dir, StreamId};

/// The byte of a file at this place.
fn content(at: u64) -> u8 {
    (at.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8
}

/// A file on its way from one end to the other.
#[derive(Debug, Default)]
pub(crate) struct Transfer {
    pub(crate) total: u64,
    written: u64,
    outgoing: Option<StreamId>,
    incoming: Option<StreamId>,
    pub(crate) received: u64,
    /// Every byte is what it has to be, so far.
    pub(crate) intact: bool,
    pub(crate) done: Option<Time>,
    /// When bytes last arrived, and the longest time between two such times.
    last: Option<Time>,
    pub(crate) longest_stall: Span,
}

impl Transfer {
    /// Longest stall from now on.
    pub(crate) fn forget_stalls(&mut self) {
        self.longest_stall = Span::ZERO;
    }

    pub(crate) fn new(total: u64) -> Self {
        Transfer { total, intact: true, ..Transfer::default() }
    }

    /// Writes what the connection takes.
    pub(crate) fn write(&mut self, connection: &mut Connection) {
        if self.written == self.total {
            return;
        }
        let stream = *self
            .outgoing
            .get_or_insert_with(|| connection.streams().open(Dir::Uni).expect("a stream"));
        let mut chunk = [0; 1 << 14];
        while self.written < self.total {
            let most = (chunk.len() as u64).min(self.total - self.written) as usize;
            for (byte, at) in chunk[..most].iter_mut().zip(self.written..) {
                *byte = content(at);
            }
            match connection.send_stream(stream).write(&chunk[..most]) {
                Ok(written) => self.written += written as u64,
                Err(_) => return,
            }
        }
        connection.send_stream(stream).finish().expect("finishes");
    }

    /// Reads what has come.
    pub(crate) fn read(&mut self, now: Time, connection: &mut Connection) {
        self.incoming = self.incoming.or_else(|| connection.streams().accept(Dir::Uni));
        let Some(stream) = self.incoming else { return };
        let mut stream = connection.recv_stream(stream);
        let Ok(mut chunks) = stream.read(true) else { return };
        loop {
            match chunks.next(usize::MAX) {
                Ok(Some(chunk)) => self.arrived(now, chunk.offset, &chunk.bytes),
                Ok(None) => {
                    self.done = Some(now);
                    break;
                }
                Err(_) => break,
            }
        }
        let _ = chunks.finalize();
    }

    fn arrived(&mut self, now: Time, at: u64, bytes: &[u8]) {
        self.intact &= at == self.received;
        self.intact &= bytes.iter().zip(at..).all(|(&byte, at)| byte == content(at));
        self.received += bytes.len() as u64;
        if let Some(last) = self.last {
            self.longest_stall = self.longest_stall.max(now.since(last));
        }
        self.last = Some(now);
    }
}
