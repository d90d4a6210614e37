//! The network's books of a run: what became of each data packet, and when that is written down.

use std::sync::{Arc, mpsc};

use atl_core::time::{Span, Time};
use atl_engine::flow::record::{DataPacket, Mark, Marks, NetworkCounts};
use atl_engine::result::LinkResult;
use atl_engine::setup::Setup;
use atl_link::relay::Relay;
use atl_net::emulator::Stop;

use crate::live::ending::Ending;
use crate::live::record::{NetworkRecord, Trouble};

/// Interval between looks at whether all nodes have ended, after the end.
pub(crate) const LOOK_EVERY: Span = Span::from_millis(1);

/// The books of the network of a run. Ports of an emulator own it and tell it of each data packet.
#[derive(Debug)]
pub(crate) struct Ledger {
    record: NetworkRecord,
    marks: Marks,
    end: Time,
    /// The place in its traces at which each link begins.
    trace_offsets: Vec<Option<Span>>,
    ended: bool,
    ending: Arc<Ending>,
    stop: Stop,
    done: mpsc::Sender<(NetworkRecord, Trouble)>,
}

/// The other ends of a ledger, for the threads of the run.
#[derive(Debug)]
pub(crate) struct Readers {
    pub(crate) ending: Arc<Ending>,
    pub(crate) stop: Stop,
    /// The record, once the network has ended.
    pub(crate) record: mpsc::Receiver<(NetworkRecord, Trouble)>,
}

impl Ledger {
    /// Empty books of a setup in a run with this seed, which lasts until as many nodes have ended.
    pub(crate) fn new(setup: &Setup, seed: u64, nodes: usize) -> (Self, Readers) {
        let end = Time::ZERO + setup.duration;
        let measured_from = Time::ZERO + setup.warmup;
        let ending = Arc::new(Ending::new(nodes));
        let stop = Stop::default();
        let (done, record) = mpsc::channel();
        let ledger = Ledger {
            record: NetworkRecord::new(NetworkCounts::new(setup.flows.len(), measured_from, end)),
            marks: Marks::new(setup),
            end,
            trace_offsets: setup.links.iter().map(|link| link.trace_offset(seed)).collect(),
            ended: false,
            ending: Arc::clone(&ending),
            stop: stop.clone(),
            done,
        };
        (ledger, Readers { ending, stop, record })
    }

    /// True after the run's end, when nothing enters or leaves the network any more.
    pub(crate) fn has_ended(&self) -> bool {
        self.ended
    }

    /// A packet has left its last link.
    pub(crate) fn on_arrived(&mut self, packet: DataPacket) {
        self.record.counts.on_arrived(packet);
    }

    /// A link has lost a packet.
    pub(crate) fn on_lost(&mut self, packet: DataPacket, due: Time) {
        self.record.counts.on_lost(packet, due);
    }

    /// A link has put a copy behind a packet.
    pub(crate) fn on_copied(&mut self, packet: DataPacket, due: Time) {
        self.record.counts.on_copied(packet, due);
    }

    /// A queue has dropped a packet.
    pub(crate) fn on_dropped(&mut self, packet: DataPacket, due: Time) {
        self.record.counts.on_dropped(packet, due);
    }

    /// A packet came in after the end.
    pub(crate) fn on_late(&mut self, packet: DataPacket) {
        self.record.counts.on_under_way(packet.flow);
    }

    /// Writes down what is due by `now`. `on_links` are the data packets on links, and `network`
    /// gives the network that a flow is in. Tells which marks it was.
    pub(crate) fn advance(
        &mut self,
        now: Time,
        relay: &Relay,
        on_links: &dyn Fn() -> Vec<DataPacket>,
        network: &dyn Fn(usize) -> u32,
    ) -> Vec<Mark> {
        let mut taken = Vec::new();
        while let Some((_, mark)) = self.marks.take(now) {
            match mark {
                Mark::Begin => self.record.counts.begin(on_links().into_iter()),
                Mark::Sample => {
                    let now = self.record.counts.look(on_links().into_iter());
                    let networks = (0..now.len()).map(network);
                    self.record.samples.push(now.iter().copied().zip(networks).collect());
                }
            }
            taken.push(mark);
        }
        if now >= self.end {
            self.ended = true;
            self.record.after = self.record.counts.look(on_links().into_iter());
            for packet in on_links() {
                self.record.counts.on_under_way(packet.flow);
            }
            self.record.links = LinkResult::all(relay.links(), &self.trace_offsets);
        }
        taken
    }

    /// The time of the next thing to be written down.
    pub(crate) fn next(&self) -> Time {
        self.marks.next().0.min(self.end)
    }

    /// True once no node sends any more: what is still in the ports then is all that there will be.
    pub(crate) fn nodes_have_ended(&self) -> bool {
        self.ending.nodes_have_ended()
    }

    /// Hands over the books, and stops the emulator.
    pub(crate) fn close(&self, trouble: Trouble) {
        let _ = self.done.send((self.record.clone(), trouble));
        self.ending.network_has_ended();
        self.stop.stop();
    }
}
