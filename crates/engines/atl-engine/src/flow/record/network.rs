//! What the network does to data packets, for hosts that learn of each packet's end and can look into their links.

use atl_core::time::Time;

use super::samples::Tally;
use crate::flow::counts::Fate;

/// A data packet in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataPacket {
    /// Index of its flow.
    pub flow: usize,
    /// Bytes on the wire.
    pub bytes: u32,
    /// Links that it has passed.
    pub hop: usize,
}

/// What the network has done with the data packets of a flow, up to some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnLinks {
    /// What became of them.
    pub fate: Fate,
    /// Bytes of those that have left their source's own interface.
    pub wire_bytes: u64,
}

impl OnLinks {
    /// The totals of a sample.
    pub fn tally(&self, delivered_bytes: u64) -> Tally {
        let gone = self.fate.dropped + self.fate.lost;
        Tally { wire_bytes: self.wire_bytes, delivered_bytes, gone }
    }
}

#[derive(Clone, Debug, Default)]
struct Flow {
    /// Without the bytes of packets that are on later links.
    now: OnLinks,
    before: OnLinks,
    under_way: u64,
}

/// Counts what the network does with the data packets of all flows.
///
/// The bytes of a packet count from when it leaves its source's own interface, its first link. Engines do not learn of that
/// moment. So the bytes are added when the packet ends, and a [`look`](Self::look) adds those that are on later links.
#[derive(Clone, Debug)]
pub struct NetworkCounts {
    measured_from: Time,
    end: Time,
    flows: Vec<Flow>,
}

impl NetworkCounts {
    /// For so many flows, measured from one time to another.
    pub fn new(flows: usize, measured_from: Time, end: Time) -> Self {
        NetworkCounts { measured_from, end, flows: vec![Flow::default(); flows] }
    }

    /// A packet came out of its last link.
    pub fn on_arrived(&mut self, packet: DataPacket) {
        self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
    }

    /// A link lost a packet, which was due at its far end at `due`.
    pub fn on_lost(&mut self, packet: DataPacket, due: Time) {
        self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
        self.count(packet.flow, due, |fate| fate.lost += 1);
    }

    /// A queue dropped a packet at `due`.
    pub fn on_dropped(&mut self, packet: DataPacket, due: Time) {
        // Dropped by its source's own interface, it never left that.
        if packet.hop > 0 {
            self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
        }
        self.count(packet.flow, due, |fate| fate.dropped += 1);
    }

    /// Counts by the time at which it was due: a host in real time may learn of it only after it has written down where
    /// measurement begins. What was due after the end was under way.
    fn count(&mut self, flow: usize, due: Time, count: fn(&mut Fate)) {
        let flow = &mut self.flows[flow];
        if due > self.end {
            flow.under_way += 1;
            return;
        }
        count(&mut flow.now.fate);
        if due < self.measured_from {
            count(&mut flow.before.fate);
        }
    }

    /// All flows now. `on_links` are the data packets that are on links.
    pub fn look(&self, on_links: impl Iterator<Item = DataPacket>) -> Vec<OnLinks> {
        let mut now: Vec<OnLinks> = self.flows.iter().map(|flow| flow.now).collect();
        for packet in on_links.filter(|packet| packet.hop > 0) {
            now[packet.flow].wire_bytes += u64::from(packet.bytes);
        }
        now
    }

    /// Measurement begins.
    pub fn begin(&mut self, on_links: impl Iterator<Item = DataPacket>) {
        let now = self.look(on_links);
        for (flow, now) in self.flows.iter_mut().zip(now) {
            flow.before.wire_bytes = now.wire_bytes;
        }
    }

    /// A packet is under way at the end of the run: on a link, or on its way to one.
    pub fn on_under_way(&mut self, flow: usize) {
        self.flows[flow].under_way += 1;
    }

    /// What a flow had when measurement began.
    pub fn before(&self, flow: usize) -> OnLinks {
        self.flows[flow].before
    }

    /// Packets of a flow that were under way at the end.
    pub fn under_way(&self, flow: usize) -> u64 {
        self.flows[flow].under_way
    }
}
