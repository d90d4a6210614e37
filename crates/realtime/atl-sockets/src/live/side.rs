//! Ports of one kind, as a network sees them, whatever lies behind.

use std::os::fd::BorrowedFd;
use std::{fmt, io};

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_engine::flow::record::{DataPacket, Mark};
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, ChangeEvent};
use atl_net::clock::Clock;

use crate::live::record::Trouble;

/// Ports of one kind, with the flows whose packets pass them. The network's thread calls it:
/// nothing here may wait. It hears of no frame after the run's end.
pub trait Side: fmt::Debug + Send {
    /// The run begins, with this clock.
    fn begin(&mut self, clock: Clock) {
        let _ = clock;
    }

    /// Descriptors that become readable when frames wait.
    fn descriptors(&self) -> Vec<BorrowedFd<'_>>;

    /// Hands over frames that wait, as [`Ports::receive`](atl_net::ports::Ports::receive) does.
    ///
    /// # Errors
    /// If a port is broken for good.
    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()>;

    /// Takes all that waits after the run's end. Tells which of it are data packets that left
    /// their sender before the end.
    ///
    /// # Errors
    /// If a port is broken for good.
    fn take_late(&mut self) -> io::Result<Vec<DataPacket>>;

    /// The time from which a host has a frame without a descriptor being readable.
    fn next_entry(&self) -> Time {
        Time::MAX
    }

    /// The data packet that a frame of this side is; `None` of any other packet.
    fn data_of(&self, frame: &Frame) -> Option<DataPacket>;

    /// Data packets that have left their sender and not yet reached their first link.
    fn held(&self) -> Vec<DataPacket> {
        Vec::new()
    }

    /// Takes a frame of this side that has passed its route.
    fn deliver(&mut self, frame: Frame);

    /// Sends what was delivered and is still held back.
    ///
    /// # Errors
    /// If a port is broken for good.
    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }

    /// A link lost a frame of this side.
    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time);

    /// A link's queue dropped a frame of this side.
    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        let _ = (frame, link, due);
    }

    /// A link has changed to another network.
    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        let _ = (link, change, report, due);
    }

    /// The network that a flow of the setup is in; `None` of a flow of another side.
    fn network(&self, flow: usize, relay: &Relay) -> Option<u32>;

    /// Measurement begins, or a sample is due.
    fn on_mark(&mut self, mark: Mark) {
        let _ = mark;
    }

    /// Does what no frame causes, and gives the time of the next call.
    fn tick(&mut self, now: Time, relay: &mut Relay) -> Time {
        let _ = (now, relay);
        Time::MAX
    }

    /// Datagrams that the ports, and not the links, failed to carry.
    fn trouble(&self) -> Trouble {
        Trouble::default()
    }
}
