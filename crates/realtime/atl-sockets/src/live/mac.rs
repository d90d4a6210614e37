//! News from the MACs of the emulated wireless links for the hosts at their ends.

use std::fmt;
use std::sync::{Mutex, PoisonError};

use atl_core::path::LinkReport;
use atl_core::time::Time;
use atl_engine::flow::News;
use atl_link::relay::Frame;

/// The hosts at the ends of a flow, as the MACs of their wireless links reach them. The thread of
/// the network calls it: nothing here may wait.
pub trait Hosts: fmt::Debug + Send {
    /// To the sender: its own link did not transmit this data packet.
    fn failed(&self, at: Time, frame: &Frame);
    /// To either end: what became of its own link.
    fn hear(&self, at: Time, news: News);
}

/// The newest report of each link, for the hosts that read it from their MAC.
#[derive(Debug)]
pub struct Readings(Vec<Mutex<LinkReport>>);

impl Readings {
    /// Of this many links, none of which has been read.
    pub fn new(links: usize) -> Self {
        Readings((0..links).map(|_| Mutex::new(LinkReport::NONE)).collect())
    }

    pub(crate) fn set(&self, link: usize, report: LinkReport) {
        *self.0[link].lock().unwrap_or_else(PoisonError::into_inner) = report;
    }

    /// The newest report of the link with this index.
    ///
    /// # Panics
    /// Panics if there is no such link.
    pub fn of(&self, link: usize) -> LinkReport {
        *self.0[link].lock().unwrap_or_else(PoisonError::into_inner)
    }
}
