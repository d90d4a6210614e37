//! The payload of links that carry real packets: their bytes.

use crate::{Ecn, Packet};
use atl_core::time::Time;

use crate::relay::RouteId;

/// A real packet on its way over a route.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The packet's bytes, which leave as they entered.
    pub bytes: Vec<u8>,
    /// The route that it takes.
    pub route: RouteId,
    /// The time at which it entered the route.
    pub entered: Time,
    /// The peer that sent it, for ports that tell peers apart. The relay itself does not use it.
    pub peer: u64,
    /// The flow that queues take it for.
    flow: u64,
    /// The length in bytes by which links charge it.
    wire_bytes: u32,
    /// In the lower band of a queue with two: served after all others, dropped before them.
    low_priority: bool,
    /// The ECN field of its IP header.
    ecn: Ecn,
    /// Its differentiated-services code point (RFC 2474), 0 to 63.
    dscp: u8,
    /// Links of its route that it has passed.
    pub(crate) hop: usize,
}

impl Frame {
    /// A frame that enters `route` at `entered`. The links carry `overhead` bytes besides its own.
    pub fn new(bytes: Vec<u8>, route: RouteId, entered: Time, overhead: u32) -> Self {
        // A datagram has at most 65 535 bytes.
        let wire_bytes = bytes.len() as u32 + overhead;
        let (peer, flow, low_priority, hop) = (0, route.0 as u64, false, 0);
        let (ecn, dscp) = (Ecn::NotEct, 0);
        Frame { bytes, route, entered, peer, flow, wire_bytes, low_priority, ecn, dscp, hop }
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

    /// The same frame, which [queues that tell flows apart](crate::FqCoDel) take for one of this
    /// flow; otherwise every route is one.
    #[must_use]
    pub fn of_flow(mut self, flow: u64) -> Self {
        self.flow = flow;
        self
    }

    /// The same frame, which a queue with two bands serves after all others, and drops before them.
    #[must_use]
    pub fn with_low_priority(mut self) -> Self {
        self.low_priority = true;
        self
    }

    /// The same frame, with this differentiated-services code point, which no link changes.
    #[must_use]
    pub fn with_dscp(mut self, dscp: u8) -> Self {
        self.dscp = dscp;
        self
    }

    /// Its differentiated-services code point (RFC 2474), 0 to 63.
    pub fn dscp(&self) -> u8 {
        self.dscp
    }

    /// The same frame, with this ECN field. Queues mark it; the bytes stay as they are.
    #[must_use]
    pub fn with_ecn(mut self, ecn: Ecn) -> Self {
        self.ecn = ecn;
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

    fn flow(&self) -> u64 {
        self.flow
    }

    fn ecn(&self) -> Ecn {
        self.ecn
    }

    fn mark(&mut self) {
        if self.ecn.is_capable() {
            self.ecn = Ecn::Ce;
        }
    }

    fn bleach(&mut self) {
        self.ecn = Ecn::NotEct;
    }
}
