//! News from the MACs of the emulated wireless links for the hosts at their ends.

use std::sync::mpsc;

use crate::live::{ENVELOPE, Hosts};
use atl_core::time::Time;
use atl_engine::flow;
use atl_link::relay::Frame;
use atl_wire::paced::Packet;

use crate::udp::datagram;

/// Something that a flow's end learns from its own wireless link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    /// Time since the run began.
    pub at: Time,
    /// Index of the flow.
    pub flow: usize,
    /// The word of the MAC.
    pub what: What,
}

/// A MAC's word to a flow's end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// To the sender: the data packet with this number (low half) was not transmitted.
    Failed(u32),
    /// A handoff, a loss or a rate of its own link.
    Link(flow::News),
}

/// The nodes at which a flow's ends are.
#[derive(Debug)]
pub(crate) struct Nodes {
    pub flow: usize,
    pub sender: mpsc::Sender<News>,
    pub receiver: mpsc::Sender<News>,
}

impl Nodes {
    fn tell(&self, node: &mpsc::Sender<News>, at: Time, what: What) {
        // A host that has ended hears no more.
        let _ = node.send(News { at, flow: self.flow, what });
    }
}

impl Hosts for Nodes {
    fn failed(&self, at: Time, frame: &Frame) {
        if let Some(Packet::Data { seq, .. }) = datagram::read(&frame.bytes[ENVELOPE..]) {
            self.tell(&self.sender, at, What::Failed(seq));
        }
    }

    fn hear(&self, at: Time, news: flow::News) {
        let node = match news {
            flow::News::Report(..) | flow::News::Handoff(_) => &self.sender,
            flow::News::ReceiverMoved => &self.receiver,
        };
        self.tell(node, at, What::Link(news));
    }
}
