//! What links carry here: the bytes of a real packet.

use atl_core::time::Time;
use atl_link::Packet;

use crate::RouteId;

/// A real packet on its way over a route.
#[derive(Debug)]
pub struct Frame {
    /// The bytes that entered, and will leave.
    pub bytes: Vec<u8>,
    /// Its route.
    pub route: RouteId,
    /// When it entered the route.
    pub entered: Time,
    /// Whose it is, where the ports tell peers apart; nothing else looks at it.
    pub peer: u64,
    /// What the links charge it for.
    wire_bytes: u32,
    /// Served after all others by a queue with two bands.
    low_priority: bool,
    /// Links of its route that it has passed.
    pub(crate) hop: usize,
}

impl Frame {
    /// A frame that enters `route` at `entered`. The links carry `overhead` bytes besides its own.
    pub fn new(bytes: Vec<u8>, route: RouteId, entered: Time, overhead: u32) -> Self {
        // A datagram has at most 65 535 bytes.
        let wire_bytes = bytes.len() as u32 + overhead;
        Frame { bytes, route, entered, peer: 0, wire_bytes, low_priority: false, hop: 0 }
    }

    /// The same frame, which the links take for one of `wire_bytes` bytes: a message that is longer
    /// here than it would be on the path that the links stand for.
    #[must_use]
    pub fn charged(mut self, wire_bytes: u32) -> Self {
        self.wire_bytes = wire_bytes;
        self
    }

    /// Links of its route that it has passed.
    pub fn hop(&self) -> usize {
        self.hop
    }

    /// The same frame, as one of this peer.
    #[must_use]
    pub fn of_peer(mut self, peer: u64) -> Self {
        self.peer = peer;
        self
    }

    /// The same frame, which a queue with two bands serves after all others, and drops before them.
    #[must_use]
    pub fn with_low_priority(mut self) -> Self {
        self.low_priority = true;
        self
    }
}

impl Packet for Frame {
    fn wire_bytes(&self) -> u32 {
        self.wire_bytes
    }

    fn low_priority(&self) -> bool {
        self.low_priority
    }
}
