//! What the MACs of the emulated wireless links tell the hosts at their ends.

use std::sync::mpsc;

use crate::live::{ENVELOPE, Hosts};
use atl_core::path::{Handoff, LinkReport};
use atl_core::time::Time;
use atl_link::relay::Frame;
use atl_wire::paced::Packet;

use crate::udp::datagram;

/// Something that a flow's end learns from its own wireless link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct News {
    /// When.
    pub at: Time,
    /// Index of the flow.
    pub flow: usize,
    /// What.
    pub what: What,
}

/// What a MAC says.
#[derive(Clone, Copy, Debug)]
pub(crate) enum What {
    /// To the sender: the data packet with this number (low half) was not transmitted.
    Failed(u32),
    /// To the sender: the state of the link.
    Report(LinkReport),
    /// To the sender: another network.
    Handoff(Handoff),
    /// To the receiver: another network.
    Moved,
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

    fn report(&self, at: Time, report: LinkReport) {
        self.tell(&self.sender, at, What::Report(report));
    }

    fn handoff(&self, at: Time, handoff: Handoff) {
        self.tell(&self.sender, at, What::Handoff(handoff));
    }

    fn receiver_moved(&self, at: Time) {
        self.tell(&self.receiver, at, What::Moved);
    }
}
