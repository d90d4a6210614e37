//! Ports that note the fates of probes, around the ports that carry them.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};
use atl_link::relay::{Frame, Relay};
use atl_link::{Cause, ChangeEvent};
use atl_net::ports::Ports;

use crate::capture::stamp;
use crate::observation::Fate;
use crate::simulated::NEVER;

/// Notes of one run.
#[derive(Clone, Debug, Default)]
pub(super) struct Record {
    /// Times at which probes entered, by number; [`NEVER`] for one that did not.
    pub entered: Vec<Time>,
    /// Probes that the link lost or its queue dropped.
    pub gone: Vec<(u32, Fate)>,
}

/// Notes of the emulator's thread that other threads can read.
#[derive(Debug)]
pub(super) struct Notes {
    noted: Mutex<Record>,
    settled: AtomicUsize,
}

impl Notes {
    pub(super) fn new(probes: usize) -> Notes {
        let noted = Record { entered: vec![NEVER; probes], gone: Vec::new() };
        Notes { noted: Mutex::new(noted), settled: AtomicUsize::new(0) }
    }

    fn lock(&self) -> MutexGuard<'_, Record> {
        self.noted.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Takes all notes so far, and leaves none.
    pub(super) fn take(&self) -> Record {
        std::mem::take(&mut *self.lock())
    }

    /// The number of probes whose fate is known.
    pub(super) fn settled(&self) -> usize {
        self.settled.load(Ordering::Relaxed)
    }

    /// Notes when probes entered, in their order.
    #[cfg(test)]
    pub(super) fn enter(&self, times: &[Time]) {
        self.lock().entered.copy_from_slice(times);
    }

    fn settle(&self) {
        self.settled.fetch_add(1, Ordering::Relaxed);
    }
}

/// Ports around others, which note every probe.
#[derive(Debug)]
pub(super) struct Noted<P> {
    ports: P,
    low_every: Option<u32>,
    notes: Arc<Notes>,
}

fn number(frame: &Frame) -> Option<u32> {
    stamp(&frame.bytes).map(|(number, _)| number)
}

impl<P: Ports> Noted<P> {
    /// Notes what `ports` carry, and gives every so many-th probe low priority.
    pub(super) fn new(ports: P, low_every: Option<u32>, notes: Arc<Notes>) -> Noted<P> {
        Noted { ports, low_every, notes }
    }

    fn gone(&self, frame: &Frame, fate: Fate) {
        if let Some(number) = number(frame) {
            self.notes.lock().gone.push((number, fate));
            self.notes.settle();
        }
    }
}

impl<P: Ports> Ports for Noted<P> {
    fn wait(&mut self, longest: Span) -> io::Result<()> {
        self.ports.wait(longest)
    }

    fn receive(&mut self, now: &dyn Fn() -> Time, enter: &mut dyn FnMut(Frame)) -> io::Result<()> {
        let Noted { ports, low_every, notes } = self;
        ports.receive(now, &mut |frame| {
            let Some(number) = number(&frame) else { return enter(frame) };
            if let Some(entered) = notes.lock().entered.get_mut(number as usize) {
                *entered = frame.entered;
            }
            let low = low_every.is_some_and(|every| number.is_multiple_of(every));
            enter(if low { frame.with_low_priority() } else { frame });
        })
    }

    fn deliver(&mut self, frame: Frame) {
        if number(&frame).is_some() {
            self.notes.settle();
        }
        self.ports.deliver(frame);
    }

    fn flush(&mut self) -> io::Result<()> {
        self.ports.flush()
    }

    fn lost(&mut self, frame: Frame, link: usize, cause: Cause, due: Time) {
        self.gone(&frame, Fate::Lost);
        self.ports.lost(frame, link, cause, due);
    }

    fn dropped(&mut self, frame: Frame, link: usize, due: Time) {
        self.gone(&frame, Fate::Dropped);
        self.ports.dropped(frame, link, due);
    }

    fn changed(&mut self, link: usize, change: ChangeEvent, report: &LinkReport, due: Time) {
        self.ports.changed(link, change, report, due);
    }

    fn tick(&mut self, now: Time, relay: &mut Relay) -> Span {
        self.ports.tick(now, relay)
    }
}
