//! A packet as a queue discipline of others sees it.

use atl_core::time::{Span, Time};

use crate::ecn::Ecn;
use crate::packet::Packet;

/// A waiting packet, for disciplines that work on the packets of any link: its length, priority,
/// flow and ECN field, and when it came. The link keeps the packet itself, so it cannot be copied:
/// whoever holds it must hand it over or drop it.
#[derive(Debug, PartialEq, Eq)]
pub struct Queued {
    /// Where the link keeps the packet.
    pub(crate) key: u32,
    bytes: u32,
    arrived: Time,
    flow: u64,
    low_priority: bool,
    ecn: Ecn,
}

impl Queued {
    /// A packet of flow 0, of high priority and without ECN, for tests of a discipline without a
    /// link.
    pub fn new(arrived: Time, bytes: u32) -> Self {
        Queued { key: 0, bytes, arrived, flow: 0, low_priority: false, ecn: Ecn::NotEct }
    }

    /// The same with this ECN field.
    #[must_use]
    pub fn with_ecn(self, ecn: Ecn) -> Self {
        Queued { ecn, ..self }
    }

    /// The same of this flow.
    #[must_use]
    pub fn with_flow(self, flow: u64) -> Self {
        Queued { flow, ..self }
    }

    /// The same with low priority.
    #[must_use]
    pub fn with_low_priority(self) -> Self {
        Queued { low_priority: true, ..self }
    }

    /// A packet that the link keeps under `key`.
    pub(crate) fn of(packet: &impl Packet, arrived: Time, key: u32) -> Self {
        let (bytes, low_priority) = (packet.wire_bytes(), packet.low_priority());
        Queued { key, bytes, arrived, flow: packet.flow(), low_priority, ecn: packet.ecn() }
    }

    /// The time at which it entered the queue.
    pub fn arrived(&self) -> Time {
        self.arrived
    }

    /// Its time in the queue by `now`.
    pub fn sojourn(&self, now: Time) -> Span {
        now.since(self.arrived)
    }
}

impl Packet for Queued {
    fn wire_bytes(&self) -> u32 {
        self.bytes
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
}
