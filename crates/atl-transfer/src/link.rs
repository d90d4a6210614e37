//! Watches the own link.

use std::sync::Arc;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::thread;
use std::time::{Duration, Instant};

use atl_core::time::Time;
use atl_device::{LinkInfo, LinkSource};
use tokio::sync::watch;

use crate::observer::{Event, Observer};

/// How often a link is asked. Its sources look back over a second and more.
const EVERY: Duration = Duration::from_millis(100);

/// A link that is asked again and again by a thread of its own, as long as this exists.
#[derive(Debug)]
pub struct LinkWatch {
    latest: watch::Receiver<LinkInfo>,
    _stop: mpsc::Sender<()>,
}

impl LinkWatch {
    /// Begins to ask. `observer` is told when the source stops answering.
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
                // What is not known any more does not count any more.
                let info = info.unwrap_or(LinkInfo::UNKNOWN);
                sender.send_if_modified(|last| std::mem::replace(last, info) != info);
            }
        });
        LinkWatch { latest, _stop: stop }
    }

    /// What is known, as it changes.
    pub(crate) fn latest(&self) -> watch::Receiver<LinkInfo> {
        self.latest.clone()
    }
}
