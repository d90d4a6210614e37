//! Losses of this host's own link, passed on to the controllers.

use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use atl_core::time::Span;
use atl_device::emulated::LostCounts;
use atl_device::{EmulatedLosses, SourceError};
use atl_noq::{MarkCounts, Marks};
use atl_wire::link_query::Tag;

use crate::observer::{Event, Observer};

/// Longest wait for tags before the thread checks whether to end.
const WAIT: Span = Span::from_millis(200);
/// Time between two attempts to connect to a link that reports no losses.
const AGAIN: Duration = Duration::from_secs(2);

/// A thread that listens to a link's losses as long as this value exists. Its controllers are those
/// of factories with the same [`Marks`](atl_noq::Factory::marks).
pub struct MarkWatch {
    marks: Marks,
    told: Arc<Mutex<LostCounts>>,
    _stop: mpsc::Sender<()>,
}

impl fmt::Debug for MarkWatch {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("MarkWatch").field("counts", &self.counts()).finish_non_exhaustive()
    }
}

/// Counts of the losses that a link reported.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkMarks {
    /// Counts by the link's own reports: how many came, and how many were accepted.
    pub link: LostCounts,
    /// Counts by the sender: the packets found for them, and in time.
    pub sender: MarkCounts,
}

impl MarkWatch {
    /// Starts the thread, and returns once it is connected, or cannot connect. `observer` learns
    /// when the link reports no losses.
    pub fn start(mut source: EmulatedLosses, marks: Marks, observer: Arc<dyn Observer>) -> Self {
        let told = Arc::new(Mutex::new(LostCounts::default()));
        let (stop, stopped) = mpsc::channel::<()>();
        let connected = source.connect();
        let heard = Heard { source, marks: marks.clone(), told: Arc::clone(&told), observer };
        thread::spawn(move || heard.run(connected, &stopped));
        MarkWatch { marks, told, _stop: stop }
    }

    /// The table in which a socket enters each packet that it sends.
    pub(crate) fn marks(&self) -> Marks {
        self.marks.clone()
    }

    /// Counts since the start.
    pub fn counts(&self) -> LinkMarks {
        let link = *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        LinkMarks { link, sender: self.marks.counts() }
    }
}

/// State of the listening thread.
struct Heard {
    source: EmulatedLosses,
    marks: Marks,
    told: Arc<Mutex<LostCounts>>,
    observer: Arc<dyn Observer>,
}

impl Heard {
    fn run(mut self, connected: Result<(), SourceError>, stopped: &mpsc::Receiver<()>) {
        let mut heard: Result<Vec<Tag>, SourceError> = connected.map(|()| Vec::new());
        let mut answers = true;
        loop {
            let wait = match &heard {
                Ok(tags) => {
                    for tag in tags {
                        self.marks.lost(tag);
                    }
                    *self.told.lock().unwrap_or_else(PoisonError::into_inner) =
                        self.source.counts();
                    Duration::ZERO
                }
                Err(error) => {
                    // A link that does not answer at all is reported by the watch of its counters.
                    if answers && matches!(error, SourceError::Timeout { .. }) {
                        let why = error.to_string();
                        self.observer.on_event(&Event::LossesUnknown { why });
                    }
                    AGAIN
                }
            };
            answers = heard.is_ok();
            if stopped.recv_timeout(wait) != Err(RecvTimeoutError::Timeout) {
                return;
            }
            heard = self.source.next(WAIT);
        }
    }
}
