//! Tells controllers which packets the own link has lost.

use std::fmt;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use atl_core::time::Span;
use atl_device::emulated::LostCounts;
use atl_device::{EmulatedLosses, SourceError};
use atl_endpoint::wire::link_query::Tag;
use atl_noq::{MarkCounts, Marks};

use crate::observer::{Event, Observer};

/// How long it waits for tags before it looks whether to end.
const WAIT: Span = Span::from_millis(200);
/// Time between two attempts to reach a link that does not tell.
const AGAIN: Duration = Duration::from_secs(2);

/// A link that tells which datagrams it loses, heard by a thread of its own as long as this exists.
/// Its controllers are those of factories with the same [`Marks`](atl_noq::Factory::marks).
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

/// What became of the losses that a link told.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LinkMarks {
    /// What the link told, and what of it was believed.
    pub link: LostCounts,
    /// What was known of it, and whether it came in time.
    pub sender: MarkCounts,
}

impl MarkWatch {
    /// Begins to listen; by its return it does, if the link tells. `observer` is told when it does
    /// not.
    pub fn start(mut source: EmulatedLosses, marks: Marks, observer: Arc<dyn Observer>) -> Self {
        let told = Arc::new(Mutex::new(LostCounts::default()));
        let (stop, stopped) = mpsc::channel::<()>();
        let connected = source.connect();
        let heard = Heard { source, marks: marks.clone(), told: Arc::clone(&told), observer };
        thread::spawn(move || heard.run(connected, &stopped));
        MarkWatch { marks, told, _stop: stop }
    }

    /// The table that is to be shown what is sent.
    pub(crate) fn marks(&self) -> Marks {
        self.marks.clone()
    }

    /// What has become of losses so far.
    pub fn counts(&self) -> LinkMarks {
        let link = *self.told.lock().unwrap_or_else(PoisonError::into_inner);
        LinkMarks { link, sender: self.marks.counts() }
    }
}

/// The thread's state.
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
                    // Who watches the link's counters tells if it does not answer at all.
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
