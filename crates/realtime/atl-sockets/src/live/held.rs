//! The delay of packets within their sender's host, where it is emulated at the network's edge.

use atl_core::time::Time;
use atl_engine::flow::Overhead;
use atl_link::relay::Frame;

/// Frames that the senders' hosts still hold, for each flow.
#[derive(Debug, Default)]
pub(crate) struct Held(Vec<Option<Box<Overhead<Frame>>>>);

impl Held {
    /// The delay of each flow's host; `None` of a host that sends at once.
    pub(crate) fn new(hosts: Vec<Option<Box<Overhead<Frame>>>>) -> Self {
        Held(hosts)
    }

    /// Takes a frame of this flow's sender. Gives it back if its host does not delay it.
    pub(crate) fn hold(&mut self, flow: usize, frame: Frame) -> Option<Frame> {
        let Some(host) = &mut self.0[flow] else { return Some(frame) };
        host.hold(frame.entered, frame);
        None
    }

    /// Hands over the frames whose time has come.
    pub(crate) fn release(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) {
        for host in self.0.iter_mut().flatten() {
            while host.next() <= now()
                && let Some(mut frame) = host.release().0
            {
                frame.entered = now();
                enter(frame);
            }
        }
    }

    /// The time from which a host has a frame to hand over.
    pub(crate) fn next(&self) -> Time {
        self.0.iter().flatten().map(|host| host.next()).min().unwrap_or(Time::MAX)
    }

    /// All frames that are held.
    pub(crate) fn frames(&self) -> impl Iterator<Item = &Frame> {
        self.0.iter().flatten().flat_map(|host| host.packets())
    }
}
