//! Counting data packets in the network, for engines that learn of each packet's end and can look
//! into their links.

use atl_core::time::Time;

use super::samples::Tally;
use crate::flow::counts::{Fate, Progress, Totals};

/// A data packet in the network.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DataPacket {
    /// Index of the flow in the setup.
    pub flow: usize,
    /// Bytes on the wire, headers included.
    pub bytes: u32,
    /// Number of links that it has passed.
    pub hop: usize,
}

/// Counts of a flow's data packets on links up to some time.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct OnLinks {
    /// Numbers dropped, lost and copied.
    pub fate: Fate,
    /// Bytes that left the source's own interface.
    pub wire_bytes: u64,
}

impl OnLinks {
    /// Totals for a sample, with the bytes that the receiver's application got: those of all paths,
    /// and of cells that were not the mobile's current one.
    pub fn tally(&self, delivered_bytes: u64, elsewhere_bytes: Option<u64>) -> Tally {
        let gone = self.fate.dropped + self.fate.lost;
        Tally { wire_bytes: self.wire_bytes, delivered_bytes, gone, elsewhere_bytes }
    }

    /// A flow's totals, with what its ends have counted and the packets under way.
    pub fn totals(self, progress: Progress, under_way: u64) -> Totals {
        let OnLinks { fate, wire_bytes } = self;
        Totals { fate, wire_bytes, under_way, progress }
    }

    /// The same at the beginning of the measurement: what was sent and has neither arrived nor gone
    /// was under way.
    pub fn totals_before(self, progress: Progress) -> Totals {
        let known = progress.arrived + self.fate.dropped + self.fate.lost;
        let sent = progress.sent + self.fate.copies;
        self.totals(progress, sent.saturating_sub(known))
    }
}

#[derive(Clone, Debug, Default)]
struct Flow {
    /// Without the bytes of packets that are on later links.
    now: OnLinks,
    before: OnLinks,
    under_way: u64,
    /// Bytes of copies by links: they never were on the source's own interface.
    copied_bytes: u64,
}

/// Counts the data packets of all flows on links.
///
/// The bytes of a packet count from the time it leaves its source's own interface, which is its
/// first link. Engines do not learn of that moment, so the bytes are added when the packet ends,
/// and [`look`](Self::look) adds those that are on later links.
#[derive(Clone, Debug)]
pub struct NetworkCounts {
    measured_from: Time,
    end: Time,
    flows: Vec<Flow>,
}

impl NetworkCounts {
    /// Counters for this many flows, measured between two times.
    pub fn new(flows: usize, measured_from: Time, end: Time) -> Self {
        NetworkCounts { measured_from, end, flows: vec![Flow::default(); flows] }
    }

    /// Counts a packet that left its last link.
    pub fn on_arrived(&mut self, packet: DataPacket) {
        self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
    }

    /// Counts a packet lost on a link, which was due at the link's far end at `due`.
    pub fn on_lost(&mut self, packet: DataPacket, due: Time) {
        self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
        self.count(packet.flow, due, |fate| fate.lost += 1);
    }

    /// Counts a packet that a queue dropped at `due`.
    pub fn on_dropped(&mut self, packet: DataPacket, due: Time) {
        // A packet dropped by its source's own interface never left that.
        if packet.hop > 0 {
            self.flows[packet.flow].now.wire_bytes += u64::from(packet.bytes);
        }
        self.count(packet.flow, due, |fate| fate.dropped += 1);
    }

    /// Counts a copy that a link has put behind a packet at `due`. The copy then counts as any
    /// packet.
    pub fn on_copied(&mut self, packet: DataPacket, due: Time) {
        self.flows[packet.flow].copied_bytes += u64::from(packet.bytes);
        if due <= self.end {
            self.count(packet.flow, due, |fate| fate.copies += 1);
        }
    }

    /// Counts by the time at which the packet was due: an engine in real time may learn of it only
    /// after it has recorded the beginning of the measurement. What was due after the end was still
    /// under way.
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

    /// Counts of all flows at this time; `on_links` are the data packets on links.
    pub fn look(&self, on_links: impl Iterator<Item = DataPacket>) -> Vec<OnLinks> {
        let mut now: Vec<OnLinks> = self.flows.iter().map(|flow| flow.now).collect();
        for packet in on_links.filter(|packet| packet.hop > 0) {
            now[packet.flow].wire_bytes += u64::from(packet.bytes);
        }
        for (now, flow) in now.iter_mut().zip(&self.flows) {
            now.wire_bytes = now.wire_bytes.saturating_sub(flow.copied_bytes);
        }
        now
    }

    /// Records the counts at the beginning of the measurement.
    pub fn begin(&mut self, on_links: impl Iterator<Item = DataPacket>) {
        let now = self.look(on_links);
        for (flow, now) in self.flows.iter_mut().zip(now) {
            flow.before.wire_bytes = now.wire_bytes;
        }
    }

    /// Counts a packet under way at the end of the run: on a link, or on its way to one.
    pub fn on_under_way(&mut self, flow: usize) {
        self.flows[flow].under_way += 1;
    }

    /// Counts of a flow at the beginning of the measurement.
    pub fn before(&self, flow: usize) -> OnLinks {
        self.flows[flow].before
    }

    /// Number of a flow's packets that were under way at the end.
    pub fn under_way(&self, flow: usize) -> u64 {
        self.flows[flow].under_way
    }
}
