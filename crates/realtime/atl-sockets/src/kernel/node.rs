//! An end of a flow, as a thread of a run.

use atl_core::time::Time;
use atl_engine::Stopped;
use atl_net::clock::Clock;

use crate::live::Ending;

use super::receiver::{Received, ReceiverEnd};
use super::sender::SenderEnd;

/// An end of a flow before the run.
#[derive(Debug)]
pub(super) struct Node {
    pub flow: usize,
    /// The flow's name, for errors.
    pub name: String,
    pub end: End,
}

/// Either end.
#[derive(Debug)]
pub(super) enum End {
    Sender(Box<SenderEnd>),
    Receiver(Box<ReceiverEnd>),
}

/// The record of an end.
#[derive(Debug)]
pub(super) enum Left {
    /// The time at which everything was acknowledged.
    Sender(Option<Time>),
    Receiver(Box<Received>),
}

impl Node {
    /// Works to the end of the run; `None` if it was cancelled.
    ///
    /// # Errors
    /// If the connection breaks.
    pub(super) fn run(
        self,
        clock: Clock,
        ending: &Ending,
    ) -> Result<Option<(usize, Left)>, Stopped> {
        let left = match self.end {
            End::Sender(sender) => sender.work(clock, ending).map(Left::Sender),
            End::Receiver(receiver) => {
                receiver.work(clock, ending).map(|received| Left::Receiver(Box::new(received)))
            }
        };
        let left = left.map_err(|error| {
            let name = &self.name;
            Stopped::failed(format!("the kernel's TCP of flow `{name}` broke: {error}"))
        })?;
        ending.node_has_ended();
        Ok((!ending.is_cancelled()).then_some((self.flow, left)))
    }
}
