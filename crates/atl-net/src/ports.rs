//! Where frames enter and leave.

use std::io;
use std::os::fd::BorrowedFd;

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_link::{Cause, ChangeEvent};

use atl_relay::Frame;
use atl_relay::Relay;

/// Where frames enter and leave an [`Emulator`](crate::emulator::Emulator): UDP sockets, TUN
/// devices.
///
/// The emulator's thread calls it; nothing here may block.
pub trait Ports {
    /// What becomes readable when frames wait. It may change from call to call.
    fn descriptors(&self) -> Vec<BorrowedFd<'_>>;

    /// Hands over frames that wait: at most some hundred, so that departures are not held up; what
    /// is left keeps its descriptor readable. `now` reads the clock; `enter` takes a frame that has
    /// entered at a time read during this call, no earlier than the one before it.
    ///
    /// # Errors
    /// If a port is broken for good. What a single packet causes (a peer that refuses it, garbage)
    /// is counted by the implementation and is no error.
    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()>;

    /// Takes a frame that has passed its route; it leaves at the next [`flush`](Ports::flush) at
    /// the latest.
    fn deliver(&mut self, frame: Frame);

    /// Sends what was delivered.
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

    /// A queue dropped a frame.
    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        let _ = (frame, link, due);
    }

    /// A link has changed to another network, and reports itself at once.
    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        let _ = (link, change, report, due);
    }

    /// Time to look after things that are not caused by frames (link reports to endpoints), and how
    /// long until it wants the next call.
    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        let _ = (now, relay);
        Span::MAX
    }
}
