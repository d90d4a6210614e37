//! The threads of a run.

use atl_core::time::Time;
use atl_engine::Stopped;
use atl_net::clock::Clock;

use crate::live::Ending;
use crate::quic;

use super::receiver::{Received, ReceiverEnd};
use super::sender::SenderEnd;

/// A thread of a run before it begins.
#[derive(Debug)]
pub(super) enum Node {
    Sender(usize, Box<SenderEnd>),
    Receiver(usize, Box<ReceiverEnd>),
    /// Ends of flows over QUIC.
    Quic(Box<quic::Node>),
}

/// The record of a thread. Those of ends have the index of their flow.
#[derive(Debug)]
pub(super) enum Left {
    /// The time at which everything was acknowledged.
    Sender(usize, Option<Time>),
    Receiver(usize, Box<Received>),
    Quic(Box<quic::Left>),
}

impl Node {
    /// Works to the end of the run; `None` if it was cancelled. `names` are those of the flows.
    ///
    /// # Errors
    /// If a connection breaks.
    pub(super) fn run(
        self,
        clock: Clock,
        end: Time,
        names: &[String],
        ending: &Ending,
    ) -> Result<Option<Left>, Stopped> {
        let broke = |flow: usize, error: std::io::Error| {
            let name = &names[flow];
            Stopped::failed(format!("the kernel's TCP of flow `{name}` broke: {error}"))
        };
        let left = match self {
            Node::Sender(flow, sender) => {
                let finished = sender.work(clock, ending).map_err(|error| broke(flow, error))?;
                Left::Sender(flow, finished)
            }
            Node::Receiver(flow, receiver) => {
                let received = receiver.work(clock, ending).map_err(|error| broke(flow, error))?;
                Left::Receiver(flow, Box::new(received))
            }
            Node::Quic(node) => {
                let left = node.run(clock, end, names, ending)?;
                return Ok(left.map(|left| Left::Quic(Box::new(left))));
            }
        };
        ending.node_has_ended();
        Ok((!ending.is_cancelled()).then_some(left))
    }
}
