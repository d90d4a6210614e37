//! A run that somebody looks at: event by event, with what happened to each packet. A run that is
//! watched is the same run.

use atl_core::time::Time;
use atl_engine::flow::State;
use atl_engine::setup::Setup;
pub use atl_engine::witness::What;

use super::{Event, INDEX, LINK, Simulation};
use crate::flow::Options;
use crate::packet::{Bits, Packet, PacketKind};

/// Something that happened to a packet. Cells of virtual channels are not among them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Happening {
    /// Time of the simulation.
    pub at: Time,
    /// The step.
    pub what: What,
    /// The link, by its index in the setup; `None` of a packet that was dropped where its path has
    /// no link, or by a host that has none at the moment.
    pub link: Option<usize>,
    /// Index of its flow.
    pub flow: usize,
    /// Data, an ACK, a report, or control.
    pub kind: PacketKind,
    /// Data: its number. ACK of TCP: the next segment expected. The lower 32 bits.
    pub seq: u32,
    /// Data: number of the transmission; ACK: that of the packet that it answers; paced ACK: its
    /// mask of the packets before. The lower 32 bits.
    pub tx: u32,
    /// Data: when it was sent. ACK: when the packet that it answers was sent.
    pub sent_at: Time,
    /// Its ECN field, and the ECN flags of an ACK: ECE, or the ACE field.
    pub bits: Bits,
    /// Bytes on the wire.
    pub bytes: u16,
}

impl Simulation {
    /// A run at time zero that keeps what happens to each packet, for [`step`](Self::step) and
    /// [`take_happenings`](Self::take_happenings).
    ///
    /// # Panics
    /// As [`new`](Self::new).
    pub fn watched(setup: &Setup, seed: u64) -> Self {
        let mut run = Self::with_options(setup, seed, Options::default());
        run.seen = Some(Vec::new());
        run
    }

    /// Handles the next event, if there is one by `until` and before the run's end. Without one it
    /// is then `until`, or the end, and the answer is false.
    pub fn step(&mut self, until: Time) -> bool {
        let until = until.min(self.end);
        let before = match self.measured_from.filter(|at| *at <= until) {
            // Measurement begins before anything else of its instant.
            Some(at) => at.nanos().checked_sub(1).map(Time::from_nanos),
            None => Some(until),
        };
        if let Some(event) = before.and_then(|before| self.queue.pop_until(before)) {
            self.handle(event);
            return true;
        }
        match self.measured_from.filter(|at| *at <= until) {
            Some(at) => {
                self.now = at;
                self.begin_measurement();
                true
            }
            None => {
                self.now = self.now.max(until);
                false
            }
        }
    }

    /// Handles one event. It is the body of the event loop, and a call of it would cost as much as
    /// some events do.
    #[inline(always)]
    pub(super) fn handle(&mut self, event: Event) {
        debug_assert!(event.at() >= self.now, "time goes back: {event:?} at {:?}", self.now);
        self.now = event.at();
        self.events += 1;
        if event.id() <= LINK | INDEX {
            self.on_link(event.id());
        } else {
            self.on_other(event.id());
        }
    }

    /// Happenings since the last call, in order; none unless the run is [`watched`](Self::watched).
    pub fn take_happenings(&mut self) -> Vec<Happening> {
        self.seen.as_mut().map(std::mem::take).unwrap_or_default()
    }

    /// Packets that wait at a link, given by index, without the one in transmission.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn waiting(&self, link: usize) -> usize {
        self.network.links[link].link.queue_len()
    }

    /// Packets on a link, given by index: waiting, in transmission, or on the wire.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn on_link_now(&self, link: usize) -> usize {
        self.network.links[link].link.held()
    }

    /// The state of a flow's ends.
    ///
    /// # Panics
    /// Panics if there is no such flow.
    pub fn state(&mut self, flow: usize) -> State {
        self.flows[flow].state()
    }

    /// Notes what happened to a packet at its place, where somebody watches.
    #[inline]
    pub(super) fn note(&mut self, what: What, packet: &Packet) {
        if self.seen.is_some() {
            self.keep(what, packet, Some(packet.hop));
        }
    }

    /// Notes what happened to a packet that is on no link.
    pub(super) fn note_nowhere(&mut self, what: What, packet: &Packet) {
        self.keep(what, packet, None);
    }

    /// Notes what happened to a packet that has just left the link before its place.
    #[inline]
    pub(super) fn note_after(&mut self, what: What, packet: &Packet) {
        if self.seen.is_some() {
            self.keep(what, packet, Some(packet.hop - 1));
        }
    }

    #[cold]
    fn keep(&mut self, what: What, packet: &Packet, hop: Option<u32>) {
        if packet.kind == PacketKind::Cell {
            return;
        }
        let link = hop.map(|hop| self.network.link_at(hop) as usize);
        let link = link.filter(|link| *link < self.network.links.len());
        let Packet { kind, seq, tx, sent_at, bits, bytes, .. } = *packet;
        let (at, flow) = (self.now, packet.flow as usize);
        let happening = Happening { at, what, link, flow, kind, seq, tx, sent_at, bits, bytes };
        if let Some(seen) = &mut self.seen {
            seen.push(happening);
        }
    }
}
