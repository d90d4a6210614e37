//! The places where frames enter and leave an emulator.

use std::io;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_link::{Cause, ChangeEvent};

use crate::clock::Clock;

use atl_link::relay::Frame;
use atl_link::relay::Relay;

/// The places where frames enter and leave an [`Emulator`](crate::emulator::Emulator): UDP sockets,
/// TUN devices.
///
/// The emulator's thread calls it; nothing here but [`wait`](Ports::wait) may block.
pub trait Ports {
    /// The emulator starts, with this clock: its times are those of frames.
    fn begin(&mut self, clock: Clock) {
        let _ = clock;
    }

    /// Waits until frames wait, as far as the system tells, or `longest` is over. It may come back
    /// earlier.
    ///
    /// # Errors
    /// As [`receive`](Ports::receive).
    fn wait(&mut self, longest: Span) -> io::Result<()>;

    /// Hands over frames that wait: at most some hundred, so that departures are not held up; the
    /// rest ends the next [`wait`](Ports::wait) at once. `now` reads the clock; `enter` takes a
    /// frame with a time of entry read during this call, no earlier than that of the frame before.
    ///
    /// # Errors
    /// If a port is broken for good. Errors caused by a single packet (a peer that refuses it,
    /// garbage) are only counted by the implementation.
    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()>;

    /// The time from which [`receive`](Ports::receive) has a frame that ends no
    /// [`wait`](Ports::wait): one that a host still holds. [`Time::MAX`] if there is none.
    fn next_entry(&self) -> Time {
        Time::MAX
    }

    /// Takes a frame that has passed its route; it leaves at the next [`flush`](Ports::flush) at
    /// the latest.
    fn deliver(&mut self, frame: Frame);

    /// Sends the frames delivered since the last flush.
    ///
    /// # Errors
    /// As [`receive`](Ports::receive).
    fn flush(&mut self) -> io::Result<()>;

    /// The UDP payload of a frame; `None` of a frame that is no whole UDP datagram.
    fn datagram<'a>(&self, frame: &'a Frame) -> Option<&'a [u8]> {
        let _ = frame;
        None
    }

    /// A link lost a frame: its MAC knows, except after [`Cause::Congestion`].
    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        let _ = (frame, link, cause, due);
    }

    /// A link has delivered a copy of a frame, which goes on as any other.
    fn copied(&mut self, frame: &Frame, due: Time) {
        let _ = (frame, due);
    }

    /// A link's queue dropped a frame.
    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        let _ = (frame, link, due);
    }

    /// A link has changed to another network; this is its report just after the change.
    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        let _ = (link, change, report, due);
    }

    /// Called for tasks that no frame causes, such as link reports to endpoints. Returns the time
    /// until the next call.
    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        let _ = (now, relay);
        Span::MAX
    }
}
