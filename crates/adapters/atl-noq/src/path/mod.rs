//! A channel between a host and the controller of one path, to which noq gives no access.

mod observed;
mod probing;

use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;

use atl_core::path::{Handoff, Reports};
use atl_core::time::{Epoch, Time};
use atl_core::window::Start;
use atl_core::window::ledger::PacketId;
use atl_core::window::resume::Saved;

pub use observed::{Counts, Observed};
pub use probing::ProbeAcked;

use crate::marks::Tally;
use crate::transmits::Building;

/// A host's word to a controller.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Word {
    /// An end of the path changed networks.
    Handoff(Handoff),
    /// From now on all packets are probes; this many full ones may be in flight.
    Probe(f64),
    /// The controller begins anew, on what is known of the path.
    Begin(Start, Option<Saved>),
}

/// State that a controller and its host share.
#[derive(Debug)]
pub(crate) struct Shared {
    /// Knowledge that the controller started with, without the packet size.
    start: Start,
    epoch: Epoch,
    reports: Reports,
    /// True if words or failures wait. The controller looks at this alone while there are none.
    waiting: AtomicBool,
    mail: Mutex<Mail>,
    observed: Mutex<Observed>,
    probes: Mutex<VecDeque<ProbeAcked>>,
    /// Packets whose datagrams have not been seen at the socket, if marks are used.
    pub(crate) building: Option<Mutex<Building>>,
    tally: Option<Arc<Tally>>,
}

#[derive(Debug, Default)]
pub(crate) struct Mail {
    pub(crate) words: VecDeque<Word>,
    /// Packets that the link gave up, and the generation of the notes that they are in.
    pub(crate) failed: Vec<(u32, PacketId)>,
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Shared {
    pub(crate) fn new(start: Start, epoch: Epoch, tally: Option<Arc<Tally>>) -> Self {
        Shared {
            start,
            epoch,
            reports: Reports::default(),
            waiting: AtomicBool::new(false),
            mail: Mutex::default(),
            observed: Mutex::default(),
            probes: Mutex::default(),
            building: tally.is_some().then(Mutex::default),
            tally,
        }
    }

    pub(crate) fn epoch(&self) -> Epoch {
        self.epoch
    }

    pub(crate) fn reports(&self) -> &Reports {
        &self.reports
    }

    /// The waiting message, if there is one.
    #[inline]
    pub(crate) fn take_mail(&self) -> Option<Mail> {
        if !self.waiting.load(Ordering::Acquire) {
            return None;
        }
        let mut mail = lock(&self.mail);
        self.waiting.store(false, Ordering::Release);
        Some(std::mem::take(&mut mail))
    }

    fn post(&self, write: impl FnOnce(&mut Mail)) {
        let mut mail = lock(&self.mail);
        write(&mut mail);
        self.waiting.store(true, Ordering::Release);
    }

    pub(crate) fn on_failed(&self, packets: &[(u32, PacketId)]) {
        self.post(|mail| mail.failed.extend_from_slice(packets));
    }

    /// A packet of the failed ones was in flight, or no longer.
    pub(crate) fn count_mark(&self, in_time: bool) {
        if let Some(tally) = &self.tally {
            tally.count(in_time);
        }
    }

    pub(crate) fn publish(&self, observed: Observed) {
        *lock(&self.observed) = observed;
    }

    pub(crate) fn on_probe_acked(&self, acked: ProbeAcked) {
        let mut probes = lock(&self.probes);
        if probes.len() >= probing::MAX_KEPT {
            probes.pop_front();
        }
        probes.push_back(acked);
    }
}

/// A host's access to the controller of one path.
///
/// Words take effect at the controller's next event: a packet sent, an acknowledgment, a loss, or
/// that the window keeps the connection from sending. They are kept until then.
#[derive(Clone, Debug)]
pub struct PathHandle(pub(crate) Arc<Shared>);

impl PathHandle {
    /// The way in for reports of the wireless links of this path.
    /// [`Factory::reports`](crate::Factory::reports) reaches all paths.
    pub fn reports(&self) -> Reports {
        self.0.reports.clone()
    }

    /// An end of the path changed networks beneath it. Its time is replaced by the time at which
    /// the controller learns of it.
    pub fn on_handoff(&self, handoff: Handoff) {
        self.0.post(|mail| mail.words.push_back(Word::Handoff(handoff)));
    }

    /// From now on, until [`begin`](Self::begin) or [`resume`](Self::resume), everything on this
    /// path is a probe: the controller learns neither of packets nor of their losses, and `packets`
    /// full packets may be in flight. [`take_probes_acked`](Self::take_probes_acked) tells what
    /// became of them.
    pub fn probe(&self, packets: f64) {
        self.0.post(|mail| mail.words.push_back(Word::Probe(packets)));
    }

    /// The controller begins anew, with what is known of the path: usually [`start`](Self::start)
    /// with another window, ssthresh and RTT. The packet size is the path's. What is in flight
    /// concerns the new controller no more than probes do.
    pub fn begin(&self, start: Start) {
        self.0.post(|mail| mail.words.push_back(Word::Begin(start, None)));
    }

    /// The controller begins anew under Careful Resume (RFC 9959), from what was saved of this
    /// path.
    pub fn resume(&self, saved: Saved) {
        self.0.post(|mail| mail.words.push_back(Word::Begin(self.0.start, Some(saved))));
    }

    /// Knowledge that the path's controller started with.
    pub fn start(&self) -> Start {
        self.0.start
    }

    /// An instant as the controllers of the same [`Factory`](crate::Factory) count time.
    pub fn time(&self, instant: Instant) -> Time {
        self.0.epoch.time(instant)
    }

    /// The controller's state after its last event.
    pub fn observed(&self) -> Observed {
        *lock(&self.0.observed)
    }

    /// Full-sized probes that have been acknowledged since the last call, oldest first.
    pub fn take_probes_acked(&self) -> Vec<ProbeAcked> {
        lock(&self.0.probes).drain(..).collect()
    }

    /// True if both are of the same path.
    pub fn is_same(&self, other: &PathHandle) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}
