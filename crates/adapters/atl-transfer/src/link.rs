//! Polls this host's own wireless link.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Time;
use atl_device::{LinkInfo, LinkSource};
use tokio::sync::watch;

use crate::observer::{Event, Observer};

/// Interval between two questions. The sources average over a second and more.
const EVERY: Duration = Duration::from_millis(100);

/// A thread that polls a link as long as this value exists.
#[derive(Debug)]
pub struct LinkWatch {
    latest: watch::Receiver<LinkInfo>,
    _stop: mpsc::Sender<()>,
}

impl LinkWatch {
    /// Starts the thread. `observer` learns when the source stops answering.
    pub fn start(mut source: Box<dyn LinkSource>, observer: Arc<dyn Observer>) -> Self {
        let (sender, latest) = watch::channel(LinkInfo::UNKNOWN);
        let (stop, stopped) = mpsc::channel();
        let begun = Instant::now();
        thread::spawn(move || {
            let mut answered = true;
            while stopped.recv_timeout(EVERY) == Err(RecvTimeoutError::Timeout) {
                let info = source.read(Time::from_secs_f64(begun.elapsed().as_secs_f64()));
                if let Err(error) = &info
                    && answered
                {
                    observer.on_event(&Event::LinkUnknown { why: error.to_string() });
                }
                answered = info.is_ok();
                // An unanswered question makes the last answer invalid.
                let info = info.unwrap_or(LinkInfo::UNKNOWN);
                sender.send_if_modified(|last| std::mem::replace(last, info) != info);
            }
        });
        LinkWatch { latest, _stop: stop }
    }

    /// The latest information, and its changes.
    pub(crate) fn latest(&self) -> watch::Receiver<LinkInfo> {
        self.latest.clone()
    }
}
