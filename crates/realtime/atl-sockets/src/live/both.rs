//! Two kinds of ports on the same links.

use std::io;
use std::os::fd::BorrowedFd;

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_engine::flow::record::{DataPacket, Mark};
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, ChangeEvent};
use atl_net::clock::Clock;

use crate::live::record::Trouble;
use crate::live::side::Side;

/// Flows behind ports of two kinds, which meet in the queues of the links. A frame belongs to the
/// side whose route it takes.
#[derive(Debug)]
pub(crate) struct Both<A, B> {
    pub(crate) first: A,
    /// Routes of the first side: those of the second come after them.
    pub(crate) routes_of_first: usize,
    pub(crate) second: B,
}

impl<A: Side, B: Side> Both<A, B> {
    fn is_first(&self, frame: &Frame) -> bool {
        frame.route.0 < self.routes_of_first
    }

    /// The side that a frame belongs to.
    fn side(&mut self, frame: &Frame) -> &mut dyn Side {
        if self.is_first(frame) { &mut self.first } else { &mut self.second }
    }
}

impl<A: Side, B: Side> Side for Both<A, B> {
    fn begin(&mut self, clock: Clock) {
        self.first.begin(clock);
        self.second.begin(clock);
    }

    fn descriptors(&self) -> Vec<BorrowedFd<'_>> {
        let mut all = self.first.descriptors();
        all.extend(self.second.descriptors());
        all
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        self.first.receive(now, enter)?;
        self.second.receive(now, enter)
    }

    fn take_late(&mut self) -> io::Result<Vec<DataPacket>> {
        let mut late = self.first.take_late()?;
        late.extend(self.second.take_late()?);
        Ok(late)
    }

    fn next_entry(&self) -> Time {
        self.first.next_entry().min(self.second.next_entry())
    }

    fn data_of(&self, frame: &Frame) -> Option<DataPacket> {
        if self.is_first(frame) { self.first.data_of(frame) } else { self.second.data_of(frame) }
    }

    fn held(&self) -> Vec<DataPacket> {
        let mut held = self.first.held();
        held.extend(self.second.held());
        held
    }

    fn deliver(&mut self, frame: Frame) {
        self.side(&frame).deliver(frame);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.first.flush()?;
        self.second.flush()
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        self.side(&frame).lost(frame, link, cause, due);
    }

    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        self.side(&frame).dropped(frame, link, due);
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.first.changed(link, change, report, due);
        self.second.changed(link, change, report, due);
    }

    fn network(&self, flow: usize, relay: &Relay) -> Option<u32> {
        self.first.network(flow, relay).or_else(|| self.second.network(flow, relay))
    }

    fn on_mark(&mut self, mark: Mark) {
        self.first.on_mark(mark);
        self.second.on_mark(mark);
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Time {
        self.first.tick(now, relay).min(self.second.tick(now, relay))
    }

    fn trouble(&self) -> Trouble {
        let mut trouble = self.first.trouble();
        trouble += self.second.trouble();
        trouble
    }
}
