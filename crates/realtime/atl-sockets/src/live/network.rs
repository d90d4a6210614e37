//! The network of a run: the ports of an emulator, and the books of what passes them.

use std::io;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_engine::setup::Setup;
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, ChangeEvent};
use atl_net::clock::Clock;
use atl_net::ports::Ports;
use atl_net::wait;

use crate::live::ledger::{LOOK_EVERY, Ledger, Readers};
use crate::live::side::Side;

/// A run, ready to start: the links of a setup, and the ports between which they carry frames.
#[derive(Debug)]
pub struct Emulation<S> {
    pub(crate) relay: Relay,
    pub(crate) ports: Network<S>,
    pub(crate) readers: Readers,
    pub(crate) end: Time,
}

impl<S: Side> Emulation<S> {
    /// The links of a setup with the same random streams as in the simulator, and these ports for
    /// this many nodes. `routes` are those of the ports, in their order.
    pub(crate) fn over(
        setup: &Setup,
        seed: u64,
        side: S,
        routes: Vec<Vec<usize>>,
        nodes: usize,
    ) -> Self {
        let (ledger, readers) = Ledger::new(setup, seed, nodes);
        let relay = atl_engine::setup::relay(&setup.links, routes, seed);
        let end = Time::ZERO + setup.duration;
        Emulation { relay, ports: Network { side, ledger }, readers, end }
    }
}

/// Ports of a run, with the one ledger of all flows behind them.
#[derive(Debug)]
pub(crate) struct Network<S> {
    side: S,
    ledger: Ledger,
}

impl<S: Side> Network<S> {
    /// Counts packets that come in after the end as under way.
    fn take_late(&mut self) -> io::Result<()> {
        for packet in self.side.take_late()? {
            self.ledger.on_late(packet);
        }
        Ok(())
    }

    /// After the end: once no node sends any more, the last datagrams are counted and the emulator
    /// stops.
    fn close(&mut self) {
        // A port that breaks after the end takes nothing from the result.
        let _ = self.take_late();
        if !self.ledger.nodes_have_ended() {
            return;
        }
        // The last node may have sent between the look above and its end.
        let _ = self.take_late();
        self.ledger.close(self.side.trouble());
    }
}

impl<S: Side> Ports for Network<S> {
    fn begin(&mut self, clock: Clock) {
        self.side.begin(clock);
    }

    fn wait(&mut self, longest: Span) -> io::Result<()> {
        wait::readable(self.side.descriptors(), longest)
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        if self.ledger.has_ended() {
            return self.take_late();
        }
        self.side.receive(now, enter)
    }

    fn next_entry(&self) -> Time {
        if self.ledger.has_ended() { Time::MAX } else { self.side.next_entry() }
    }

    fn deliver(&mut self, frame: Frame) {
        if self.ledger.has_ended() {
            return;
        }
        if let Some(packet) = self.side.data_of(&frame) {
            self.ledger.on_arrived(packet);
        }
        self.side.deliver(frame);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.side.flush()
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        if self.ledger.has_ended() {
            return;
        }
        if let Some(packet) = self.side.data_of(&frame) {
            self.ledger.on_lost(packet, due);
        }
        self.side.lost(frame, link, cause, due);
    }

    fn copied(&mut self, frame: &Frame, due: Time) {
        if !self.ledger.has_ended()
            && let Some(packet) = self.side.data_of(frame)
        {
            self.ledger.on_copied(packet, due);
        }
    }

    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        if self.ledger.has_ended() {
            return;
        }
        if let Some(packet) = self.side.data_of(&frame) {
            self.ledger.on_dropped(packet, due);
        }
        self.side.dropped(frame, link, due);
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.side.changed(link, change, report, due);
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        let mut next = Time::MAX;
        if !self.ledger.has_ended() {
            let side = &self.side;
            let on_links = || {
                let frames = relay.links().iter().flat_map(|link| link.packets());
                let mut data: Vec<_> = frames.filter_map(|frame| side.data_of(frame)).collect();
                data.extend(side.held());
                data
            };
            let network = |flow: usize| side.network(flow, relay).unwrap_or_default();
            for mark in self.ledger.advance(now, relay, &on_links, &network) {
                self.side.on_mark(mark);
            }
            next = self.side.tick(now, relay);
        }
        if self.ledger.has_ended() {
            self.close();
            return LOOK_EVERY;
        }
        self.ledger.next().min(next).since(now)
    }
}
