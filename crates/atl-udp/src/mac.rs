//! What the MACs of the emulated wireless links tell the hosts at their ends.

use std::sync::{Mutex, PoisonError};

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_core::window::Handoff;

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

/// What the hosts at the far ends of wireless links read from their MACs, by link.
#[derive(Debug)]
pub(crate) struct Readings(Vec<Mutex<LinkReport>>);

impl Readings {
    pub(crate) fn new(links: usize) -> Self {
        Readings((0..links).map(|_| Mutex::new(LinkReport::NONE)).collect())
    }

    pub(crate) fn set(&self, link: usize, report: LinkReport) {
        *self.0[link].lock().unwrap_or_else(PoisonError::into_inner) = report;
    }

    pub(crate) fn of(&self, link: usize) -> LinkReport {
        *self.0[link].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
