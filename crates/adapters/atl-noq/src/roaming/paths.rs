//! The paths of a connection, as far as roaming needs them.

use std::time::{Duration, Instant};

use noq_proto::{Connection, FourTuple, PathError, PathId, PathStatus, VarInt};

use crate::path::PathHandle;

/// Error code of a path that is no longer used (draft-ietf-quic-multipath-21, sec. 4.6:
/// APPLICATION_ABANDON_PATH).
const ABANDONED: VarInt = VarInt::from_u32(0x3e);

/// A connection with several paths. Implemented for noq's, without I/O ([`noq_proto::Connection`])
/// and, with the feature `socket`, with it (`noq::Connection`).
///
/// A call on a closed path or connection does nothing; the connection's events report the closing.
pub trait Paths {
    /// Opens a path, as backup.
    ///
    /// # Errors
    /// Why noq cannot open it now.
    fn open(&mut self, now: Instant, network: FourTuple) -> Result<PathId, PathError>;
    /// Has a PING sent on a path.
    fn ping(&mut self, path: PathId);
    /// Tells both ends whether a path is used.
    fn set_status(&mut self, path: PathId, status: PathStatus);
    /// Closes a path, unless it is the last one.
    fn close(&mut self, now: Instant, path: PathId);
    /// Where a path leads.
    fn network(&self, path: PathId) -> Option<FourTuple>;
    /// A path's round-trip time.
    fn rtt(&self, path: PathId) -> Option<Duration>;
    /// The way to a path's controller, if it is of this crate.
    fn handle(&self, path: PathId) -> Option<PathHandle>;
}

impl Paths for Connection {
    fn open(&mut self, now: Instant, network: FourTuple) -> Result<PathId, PathError> {
        self.open_path(network, PathStatus::Backup, now)
    }

    fn ping(&mut self, path: PathId) {
        let _closed = self.ping_path(path);
    }

    fn set_status(&mut self, path: PathId, status: PathStatus) {
        let _closed = self.set_path_status(path, status);
    }

    fn close(&mut self, now: Instant, path: PathId) {
        let _closed = self.close_path(now, path, ABANDONED);
    }

    fn network(&self, path: PathId) -> Option<FourTuple> {
        self.network_path(path).ok()
    }

    fn rtt(&self, path: PathId) -> Option<Duration> {
        Connection::rtt(self, path)
    }

    fn handle(&self, path: PathId) -> Option<PathHandle> {
        PathHandle::of(self, path)
    }
}

#[cfg(feature = "socket")]
impl Paths for noq::Connection {
    fn open(&mut self, _now: Instant, network: FourTuple) -> Result<PathId, PathError> {
        use std::future::Future;
        use std::pin::pin;
        use std::task::{Context, Poll, Waker};

        let opening = self.open_path(network, PathStatus::Backup);
        match opening.path_id() {
            Some(path) => Ok(path),
            // A refusal is known at once, without waiting for the network.
            None => match pin!(opening).poll(&mut Context::from_waker(Waker::noop())) {
                Poll::Ready(Err(error)) => Err(error),
                Poll::Ready(Ok(path)) => Ok(path.id()),
                Poll::Pending => Err(PathError::ValidationFailed),
            },
        }
    }

    fn ping(&mut self, path: PathId) {
        if let Some(path) = self.path(path) {
            let _closed = path.ping();
        }
    }

    fn set_status(&mut self, path: PathId, status: PathStatus) {
        if let Some(path) = self.path(path) {
            let _closed = path.set_status(status);
        }
    }

    fn close(&mut self, _now: Instant, path: PathId) {
        if let Some(path) = self.path(path) {
            let _closed = path.close();
        }
    }

    fn network(&self, path: PathId) -> Option<FourTuple> {
        self.path(path)?.network_path().ok()
    }

    fn rtt(&self, path: PathId) -> Option<Duration> {
        self.path(path).map(|path| path.stats().rtt)
    }

    fn handle(&self, path: PathId) -> Option<PathHandle> {
        PathHandle::from_state(self.congestion_state(path)?)
    }
}
