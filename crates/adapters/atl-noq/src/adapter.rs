//! The adapter: noq's controller interface in front of a window controller.

#[cfg(test)]
mod properties;

use std::any::Any;
use std::sync::{Arc, PoisonError};
use std::time::{Duration, Instant};

use atl_core::path::{LinkReport, ReportReader};
use atl_core::time::{Epoch, Time};
use atl_core::window::ledger::Checkpoint;
use atl_core::window::resume::{self, Saved};
use atl_core::window::{Controller, ControllerConfig, Start, WindowController};
use noq_proto::congestion::{self, ControllerMetrics};
use noq_proto::{Connection, PathId, RttEstimator};

use crate::aside::Packet;
use crate::notes::{Found, Notes};
use crate::path::{Counts, Observed, PathHandle, ProbeAcked, Shared, Word};

/// The smallest window in packets (RFC 9002, sec. 7.2).
const MIN_WINDOW: f64 = 2.0;

/// A window controller of `atl-core` behind noq's interface. A connection's `congestion_state`
/// shows it; [`PathHandle`] reaches it while the connection runs.
#[derive(Clone, Debug)]
pub struct Adapter {
    config: ControllerConfig,
    /// With the path's packet size.
    start: Start,
    epoch: Epoch,
    /// When noq last told of anything.
    last: Time,
    /// Bytes of the largest datagram, without UDP and IP headers.
    mtu: u16,
    header_bytes: u32,
    notes: Notes,
    /// While everything that is sent is a probe: full packets that may be in flight.
    probing: Option<f64>,
    /// The application had nothing to send when last heard of.
    app_limited: bool,
    shared: Arc<Shared>,
    reports: [ReportReader; 2],
    counts: Counts,
    /// The state before the last reduction for losses, restored if that proves spurious.
    before: Option<Before>,
}

/// A controller's state before a reduction, and the link reports since.
#[derive(Clone, Debug)]
struct Before {
    /// When the losses were noticed.
    at: Time,
    checkpoint: Checkpoint<Controller>,
    reports: [Option<LinkReport>; 2],
}

impl Adapter {
    pub(crate) fn new(
        config: ControllerConfig,
        header_bytes: u32,
        mtu: u16,
        shared: Arc<Shared>,
        reports: ReportReader,
    ) -> Self {
        let handle = PathHandle(shared.clone());
        let packet_bytes = u32::from(mtu) + header_bytes;
        let start = handle.start().packet_bytes(packet_bytes);
        let adapter = Adapter {
            notes: Notes::new(config.build(&start), packet_bytes, header_bytes),
            config,
            start,
            epoch: shared.epoch(),
            last: Time::ZERO,
            mtu,
            header_bytes,
            probing: None,
            app_limited: false,
            reports: [reports, shared.reports().reader()],
            shared,
            counts: Counts::default(),
            before: None,
        };
        adapter.publish();
        adapter
    }

    /// The law, to read its state in tests and logs.
    pub fn controller(&self) -> &Controller {
        self.notes.ledger.controller()
    }

    /// The way to this path's controller while the connection runs.
    pub fn handle(&self) -> PathHandle {
        PathHandle(self.shared.clone())
    }

    /// The state of the controller.
    pub fn observed(&self) -> Observed {
        let controller = self.controller();
        let rtt = self.notes.ledger.rtt();
        Observed {
            window: controller.window().max(MIN_WINDOW),
            ssthresh: controller.ssthresh(),
            aimd: controller.aimd(),
            adaptation: controller.adaptation(),
            srtt: rtt.srtt(),
            rtt_min: rtt.min(),
            in_flight: self.notes.in_flight(),
            bytes_in_flight: self.notes.bytes_in_flight(),
            mtu: self.mtu,
            saved: controller.observed(),
            counts: self.counts,
        }
    }

    fn bytes(&self, packets: f64) -> u64 {
        // `as` saturates.
        (packets * f64::from(self.mtu.max(1))) as u64
    }

    fn publish(&self) {
        self.shared.publish(self.observed());
    }

    /// Takes over what came past noq.
    #[inline]
    fn attend(&mut self, now: Time) {
        self.last = now;
        if let Some(mail) = self.shared.take_mail() {
            for (generation, id) in mail.failed {
                let known = generation == self.notes.generation;
                let in_time = known && self.notes.ledger.outstanding(id).is_some();
                self.shared.count_mark(in_time);
                if in_time {
                    self.notes.ledger.on_link_failure(id);
                    self.counts.marked += 1;
                } else {
                    self.counts.marked_late += 1;
                }
            }
            for word in mail.words {
                self.obey(now, word);
            }
        }
        // After the words: a report that comes with a handoff is about the new network, and one
        // that comes with a new beginning is the new controller's first.
        for reader in &mut self.reports {
            let Some(news) = reader.news() else { continue };
            let controller = self.notes.ledger.controller_mut();
            if let Some(own) = news.own {
                controller.on_link_report(now, &own);
            }
            if let Some(peer) = news.peer {
                controller.on_peer_report(now, &peer);
            }
            if let Some(Before { reports: [own, peer], .. }) = &mut self.before {
                (*own, *peer) = (news.own.or(*own), news.peer.or(*peer));
            }
        }
        let controller = self.notes.ledger.controller_mut();
        if controller.next_timeout().is_some_and(|due| due <= now) {
            controller.on_tick(now);
        }
    }

    fn obey(&mut self, now: Time, word: Word) {
        // The reduction was for another path's losses.
        self.before = None;
        match word {
            Word::Handoff(handoff) => self.notes.ledger.on_handoff(&handoff.now(now)),
            Word::Probe(packets) => self.probing = Some(packets.max(MIN_WINDOW)),
            Word::Begin(start, saved) => self.begin(start, saved),
        }
    }

    /// Begins anew with another controller.
    fn begin(&mut self, start: Start, saved: Option<Saved>) {
        let packet_bytes = u32::from(self.mtu) + self.header_bytes;
        self.start = start.packet_bytes(packet_bytes);
        let controller = match saved {
            None => self.config.build(&self.start),
            Some(_) => {
                let plain = self.config.get().cloned();
                let plain = plain.unwrap_or_else(|| resume::Config::new(self.config.clone()));
                ControllerConfig::from(resume::Config { saved, ..plain }).build(&self.start)
            }
        };
        self.notes.begin(controller, packet_bytes);
        self.probing = None;
    }

    /// Packet `pn`, which left at `sent`, is acknowledged.
    fn on_acked(&mut self, now: Instant, sent: Instant, pn: u64) {
        let sent_at = self.epoch.time(sent);
        match self.notes.find_acked(pn, sent_at) {
            Some(Found::Noted(id)) => self.notes.add_acked(id, sent_at),
            Some(Found::Aside(packet)) if packet.probe => {
                self.counts.probes[1] += 1;
                if packet.full {
                    let rtt = now.saturating_duration_since(sent).into();
                    self.shared.on_probe_acked(ProbeAcked { at: now, rtt });
                }
            }
            Some(Found::Aside(_)) | None => {}
        }
    }

    /// The window, or pacing with most of the window in flight, keeps the connection from sending.
    fn on_window_limited(&mut self) {
        self.app_limited = false;
        self.notes.ledger.on_window_limited();
    }
}

impl PathHandle {
    /// The handle of a connection's path; `None` if there is no such path, or its controller is not
    /// of this crate.
    pub fn of(connection: &Connection, path: PathId) -> Option<Self> {
        Self::from_state(connection.congestion_state(path)?.clone_box())
    }

    /// The handle of a controller that noq shows for debugging (`congestion_state` of a connection
    /// of the crate `noq`); `None` if it is not of this crate.
    pub fn from_state(state: Box<dyn congestion::Controller>) -> Option<Self> {
        Some(state.into_any().downcast::<Adapter>().ok()?.handle())
    }
}

impl congestion::Controller for Adapter {
    fn on_sent(&mut self, _now: Instant, bytes: u64, _largest_pn: u64) {
        if let Some(building) = &self.shared.building {
            building.lock().unwrap_or_else(PoisonError::into_inner).on_transmit(bytes);
        }
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        let at = self.epoch.time(now);
        self.notes.forget_losses();
        self.attend(at);
        if self.probing.is_some() {
            let full = bytes == self.mtu;
            let packet = Packet { sent_at: at, bytes: bytes.into(), probe: true, full };
            self.notes.aside.insert(pn, packet);
            self.counts.probes[0] += 1;
            return;
        }
        let mtu_probe = bytes > self.mtu;
        let id = self.notes.on_sent(at, pn, bytes, self.app_limited, mtu_probe);
        self.counts.sent += 1;
        if let Some(building) = &self.shared.building
            && let Some(id) = id
        {
            let mut building = building.lock().unwrap_or_else(PoisonError::into_inner);
            building.on_packet((self.notes.generation, id), bytes);
        }
    }

    fn on_cwnd_limited(&mut self) {
        self.attend(self.last);
        self.on_window_limited();
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        _bytes: u64,
        pn: u64,
        _app_limited: bool,
        _rtt: &RttEstimator,
    ) {
        self.on_acked(now, sent, pn);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        let at = self.epoch.time(now);
        self.notes.forget_losses();
        self.attend(at);
        self.app_limited = app_limited;
        if !app_limited && 2 * self.notes.bytes_in_flight() >= congestion::Controller::window(self)
        {
            self.on_window_limited();
        }
        self.counts.acked += u64::from(self.notes.end_acks(at, largest_packet_num_acked));
        self.counts.settled += u64::from(self.notes.settle(at, in_flight));
        self.publish();
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        _lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        let at = self.epoch.time(now);
        self.attend(at);
        if is_ecn {
            self.notes.forget_losses();
            if self.probing.is_none() {
                // A mark is never spurious.
                self.before = None;
                self.counts.congestion_events += 1;
                self.counts.ecn += 1;
                // noq tells that the peer counted more marks, not how many.
                self.notes.ledger.on_marked(at, self.epoch.time(sent), 1);
            }
        } else {
            let checkpoint = self.notes.ledger.checkpoint();
            let window = self.controller().window();
            let lost = self.notes.end_losses(at, is_persistent_congestion);
            if is_persistent_congestion {
                self.before = None;
            } else if self.controller().window() < window {
                self.before = Some(Before { at, checkpoint, reports: [None, None] });
            } else if self.before.as_ref().is_some_and(|before| self.epoch.time(sent) > before.at) {
                // A later episode, which may prove spurious, has cost nothing.
                self.before = None;
            }
            self.counts.lost += u64::from(lost);
            self.counts.congestion_events += u64::from(lost > 0);
            self.counts.persistent += u64::from(lost > 0 && is_persistent_congestion);
        }
        self.publish();
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, _now: Instant) {
        // Packets without bytes elicit no acknowledgment.
        if lost_bytes == 0 {
            return;
        }
        match self.notes.find_lost(pn, lost_bytes) {
            Some(Found::Noted(id)) => self.notes.add_lost(id),
            Some(Found::Aside(packet)) => self.counts.probes[2] += u64::from(packet.probe),
            None => {}
        }
    }

    fn on_spurious_congestion_event(&mut self) {
        self.counts.spurious += 1;
        let Some(Before { checkpoint, reports: [own, peer], .. }) = self.before.take() else {
            return;
        };
        let now = self.last;
        if self.notes.ledger.on_spurious(now, checkpoint) {
            self.counts.undone += 1;
            let controller = self.notes.ledger.controller_mut();
            if let Some(own) = own {
                controller.on_link_report(now, &own);
            }
            if let Some(peer) = peer {
                controller.on_peer_report(now, &peer);
            }
            self.publish();
        }
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.mtu = new_mtu;
    }

    fn on_ack_frequency_update(&mut self, _threshold: u64, _max_ack_delay: Duration) {}

    fn window(&self) -> u64 {
        let packets = match self.probing {
            Some(packets) => packets,
            None => self.controller().window().max(MIN_WINDOW),
        };
        self.bytes(packets).max(1)
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = congestion::Controller::window(self);
        let ssthresh = self.controller().ssthresh();
        metrics.ssthresh = ssthresh.is_finite().then(|| self.bytes(ssthresh));
        if self.probing.is_none() {
            let mtu = f64::from(self.mtu.max(1));
            let share = mtu / (mtu + f64::from(self.header_bytes));
            let rate = self.controller().pacing_rate();
            metrics.pacing_rate = rate.map(|rate| (rate.bps() / 8.0 * share) as u64);
        }
        metrics
    }

    fn clone_box(&self) -> Box<dyn congestion::Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.bytes(self.start.initial_window.max(MIN_WINDOW)).max(1)
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
