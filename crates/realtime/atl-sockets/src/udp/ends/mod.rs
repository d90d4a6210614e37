//! The ends of flows, as a node drives them.

mod receiver;
mod sender;

use std::os::fd::{AsFd as _, BorrowedFd};

use crate::live::{Plug, Trouble};
use atl_core::time::Time;
use atl_engine::flow;
use atl_link::Ecn;
use atl_net::clock::Clock;
use atl_wire::paced::Packet;

use crate::udp::datagram;
use crate::udp::mac::{News, What};
use crate::udp::record::{ReceiverRecord, SenderRecord};

pub(crate) use receiver::{ReceiverEnd, Receiving};
pub(crate) use sender::{SenderEnd, Sending};

/// News of a frame for the viewer's meter. They do not take the network's way.
#[derive(Clone, Copy, Debug)]
pub(crate) enum FrameNews {
    /// A frame begins: its capture time, its first packet's number, and one more than its last
    /// packet's.
    Begins(Time, u64, u64),
    /// A frame was dropped before any part of it was sent.
    Abandoned(Time),
}

/// An end of a flow.
#[derive(Debug)]
pub(crate) enum FlowEnd {
    Sender(Box<SenderEnd>),
    Receiver(Box<ReceiverEnd>),
}

/// The record of an end.
#[derive(Debug)]
pub(crate) enum EndRecord {
    Sender(Box<SenderRecord>),
    Receiver(Box<ReceiverRecord>),
}

impl FlowEnd {
    fn plug(&self) -> &Plug {
        match self {
            FlowEnd::Sender(end) => &end.plug,
            FlowEnd::Receiver(end) => &end.plug,
        }
    }

    fn plug_mut(&mut self) -> &mut Plug {
        match self {
            FlowEnd::Sender(end) => &mut end.plug,
            FlowEnd::Receiver(end) => &mut end.plug,
        }
    }

    pub(crate) fn descriptor(&self) -> BorrowedFd<'_> {
        self.plug().socket.as_fd()
    }

    pub(crate) fn flow(&self) -> usize {
        match self {
            FlowEnd::Sender(end) => end.flow,
            FlowEnd::Receiver(end) => end.flow,
        }
    }

    /// The run begins.
    pub(crate) fn begin(&mut self, clock: Clock) {
        if let FlowEnd::Sender(end) = self {
            end.clock = Some(clock);
        }
    }

    /// True if a MAC's news are for this end.
    pub(crate) fn takes(&self, news: &News) -> bool {
        let for_receiver = matches!(news.what, What::Link(flow::News::ReceiverMoved));
        self.flow() == news.flow && for_receiver == matches!(self, FlowEnd::Receiver(_))
    }

    /// Does what is due up to `until`, each thing at its own time.
    pub(crate) fn advance(&mut self, until: Time) {
        match self {
            FlowEnd::Sender(end) => end.advance(until),
            FlowEnd::Receiver(end) => end.advance(until),
        }
    }

    /// When [`advance`](Self::advance) next has something to do.
    pub(crate) fn next(&self) -> Time {
        match self {
            FlowEnd::Sender(end) => end.next(),
            FlowEnd::Receiver(end) => end.next(),
        }
    }

    pub(crate) fn on_news(&mut self, news: &News) {
        match self {
            FlowEnd::Sender(end) => end.on_news(news),
            FlowEnd::Receiver(end) => end.on_news(news),
        }
    }

    /// Takes what waits in the socket, until the end of the run.
    pub(crate) fn receive(&mut self, buffer: &mut [u8], now: &dyn Fn() -> Time) {
        while let Some((length, ecn)) = self.plug_mut().receive(buffer) {
            let opening = &mut self.plug_mut().opening;
            let Some(content) = opening.open(&buffer[..length]) else { continue };
            let taken =
                datagram::read(content).is_some_and(|packet| self.on_packet(now(), &packet, ecn));
            if !taken {
                self.plug_mut().opening.refuse();
            }
        }
    }

    fn on_packet(&mut self, now: Time, packet: &Packet, ecn: Ecn) -> bool {
        match self {
            FlowEnd::Sender(end) => end.on_packet(now, packet),
            FlowEnd::Receiver(end) => end.on_packet(now, packet, ecn),
        }
    }

    pub(crate) fn finish(self) -> (usize, EndRecord, Trouble) {
        let (flow, trouble) = (self.flow(), self.plug().trouble());
        let record = match self {
            FlowEnd::Sender(end) => EndRecord::Sender(Box::new(end.finish())),
            FlowEnd::Receiver(end) => EndRecord::Receiver(Box::new(end.finish())),
        };
        (flow, record, trouble)
    }
}
