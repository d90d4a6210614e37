//! The adapter: quinn's controller interface in front of a window controller.

use std::any::Any;
use std::sync::Arc;
use std::time::Instant;

use atl_core::path::{ReportReader, Reports};
use atl_core::time::{Epoch, Span, Time};
use atl_core::window::{
    Ack, Controller, ControllerConfig, Detection, Loss, Marked, Sent, Start, Timeout,
    WindowController,
};
use quinn_proto::RttEstimator;
use quinn_proto::congestion::{self, ControllerFactory, ControllerMetrics};

use crate::flights::Flights;

/// The smallest window in packets (RFC 9002, sec. 7.2).
const MIN_WINDOW: f64 = 2.0;

/// Builds the controllers of quinn's connections, one per path.
#[derive(Clone, Debug)]
pub struct Factory {
    config: ControllerConfig,
    start: Start,
    reports: Reports,
}

impl Factory {
    /// Connections use this controller, with the defaults of [`Start`].
    pub fn new(config: ControllerConfig) -> Self {
        Factory { config, start: Start::default(), reports: Reports::default() }
    }

    /// Sets the knowledge that controllers start with. The path's MTU replaces the packet size.
    #[must_use]
    pub fn start(mut self, start: Start) -> Self {
        self.start = start;
        self
    }

    /// The way in for reports of wireless links: quinn gives no access to a controller in use. A
    /// controller takes a report over at its next ACK.
    pub fn reports(&self) -> Reports {
        self.reports.clone()
    }
}

impl ControllerFactory for Factory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn congestion::Controller> {
        let start = self.start.packet_bytes(u32::from(current_mtu));
        Box::new(Adapter {
            controller: self.config.build(&start),
            epoch: Epoch::new(now),
            start,
            reports: self.reports.reader(),
            flights: Flights::default(),
            next_tx: 0,
            bytes_in_flight: 0,
            recovery_tx: 0,
            in_recovery: false,
            timeouts: 0,
            rtt: Rtt::default(),
            acked: Acked::default(),
        })
    }
}

/// Round-trip times as quinn shows them, and the minimum.
#[derive(Clone, Copy, Debug, Default)]
struct Rtt {
    smoothed: Span,
    min: Option<Span>,
}

/// Totals of the ACK that is being processed.
#[derive(Clone, Copy, Debug, Default)]
struct Acked {
    packets: u32,
    /// Send time of the newest packet.
    newest: Option<Instant>,
    window_limited: bool,
}

/// A window controller of `atl-core` behind quinn's interface. [`congestion::Controller::into_any`]
/// gives it back, to look at the controller of a running connection.
#[derive(Clone, Debug)]
pub struct Adapter {
    controller: Controller,
    epoch: Epoch,
    /// With the path's MTU as packet size.
    start: Start,
    reports: ReportReader,
    flights: Flights,
    next_tx: u64,
    bytes_in_flight: u64,
    /// The first transmission after the last reduction.
    recovery_tx: u64,
    in_recovery: bool,
    timeouts: u32,
    rtt: Rtt,
    acked: Acked,
}

impl Adapter {
    /// The law, to read its state in tests and logs.
    pub fn controller(&self) -> &Controller {
        &self.controller
    }

    /// Packets sent so far.
    pub fn transmissions(&self) -> u64 {
        self.next_tx
    }

    fn mtu(&self) -> u64 {
        u64::from(self.start.packet_bytes.max(1))
    }

    /// Full packets that these bytes make.
    fn packets(&self, bytes: u64) -> u32 {
        u32::try_from(bytes.div_ceil(self.mtu())).unwrap_or(u32::MAX)
    }

    fn bytes(&self, packets: f64) -> u64 {
        // `as` saturates.
        (packets * self.mtu() as f64) as u64
    }

    fn recover(&mut self) {
        self.recovery_tx = self.next_tx;
        self.in_recovery = true;
    }

    fn take_reports(&mut self, now: Time) {
        let Some(news) = self.reports.news() else { return };
        if let Some(own) = news.own {
            self.controller.on_link_report(now, &own);
        }
        if let Some(peer) = news.peer {
            self.controller.on_peer_report(now, &peer);
        }
    }
}

impl congestion::Controller for Adapter {
    fn on_sent(&mut self, now: Instant, bytes: u64, _last_packet_number: u64) {
        let at = self.epoch.time(now);
        let mut left = bytes;
        while left > 0 {
            let packet = left.min(self.mtu());
            left -= packet;
            self.bytes_in_flight += packet;
            let in_flight = self.packets(self.bytes_in_flight);
            self.controller.on_sent(&Sent::new(at, self.next_tx, packet as u32, in_flight));
            self.next_tx += 1;
        }
        if let Some(newest) = self.next_tx.checked_sub(1) {
            self.flights.on_sent(now, newest);
        }
    }

    fn on_ack(
        &mut self,
        _now: Instant,
        sent: Instant,
        bytes: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        self.bytes_in_flight = self.bytes_in_flight.saturating_sub(bytes);
        self.rtt.smoothed = rtt.get().into();
        self.acked.packets += 1;
        self.acked.newest = self.acked.newest.max(Some(sent));
        self.acked.window_limited |= !app_limited;
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        _app_limited: bool,
        _largest_packet_num_acked: Option<u64>,
    ) {
        let at = self.epoch.time(now);
        self.take_reports(at);
        // quinn's count also knows of what it discarded.
        self.bytes_in_flight = in_flight;
        let acked = core::mem::take(&mut self.acked);
        let Some((newest, sent)) =
            acked.newest.and_then(|sent| Some((self.flights.newest_by(sent)?, sent)))
        else {
            return;
        };
        let rtt = Span::from(now.saturating_duration_since(sent));
        let rtt_min = self.rtt.min.map_or(rtt, |min| min.min(rtt));
        self.rtt.min = Some(rtt_min);
        self.timeouts = 0;
        let before = newest < self.recovery_tx;
        if !before && core::mem::take(&mut self.in_recovery) {
            self.controller.on_recovered(at);
        }
        let limit = self.controller.ack_limit().map_or(u32::MAX, |limit| limit.get());
        let packets_left = self.packets(in_flight);
        let mut left = acked.packets;
        while left > 0 {
            let delivered = left.min(limit);
            left -= delivered;
            self.controller.on_ack(
                &Ack::new(at)
                    .delivered(delivered)
                    .cumulative(delivered)
                    .newest(Some((newest, self.epoch.time(sent))))
                    .rtt((left == 0).then_some(rtt))
                    .srtt(self.rtt.smoothed)
                    .rtt_min(rtt_min)
                    .in_flight(packets_left.saturating_add(left))
                    .in_recovery(before)
                    .window_limited(acked.window_limited),
            );
        }
        self.flights.forget_before(sent);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        lost_bytes: u64,
    ) {
        let at = self.epoch.time(now);
        let in_flight = self.packets(self.bytes_in_flight);
        self.bytes_in_flight = self.bytes_in_flight.saturating_sub(lost_bytes);
        // A send time that is forgotten is of a packet before the last reduction.
        let newest = self.flights.newest_by(sent).unwrap_or(0);
        let new_episode = !is_persistent_congestion && newest >= self.recovery_tx;
        if new_episode || is_persistent_congestion {
            self.recover();
        }
        // A loss has bytes. Without any, the peer counted more CE marks; quinn does not say how
        // many.
        if lost_bytes == 0 {
            let marked = Marked::new(at, newest, in_flight).new_episode(new_episode);
            self.controller.on_marked(&marked);
            return;
        }
        let detection = if is_persistent_congestion { Detection::Timeout } else { Detection::Acks };
        let bytes = u32::try_from(lost_bytes).unwrap_or(u32::MAX);
        self.controller.on_loss(
            &Loss::new(at, newest, bytes, in_flight)
                .packets(self.packets(lost_bytes))
                .new_episode(new_episode)
                .detection(detection),
        );
        if is_persistent_congestion {
            self.timeouts = self.timeouts.saturating_add(1);
            self.controller.on_timeout(&Timeout::new(at, in_flight).consecutive(self.timeouts));
        }
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.start = self.start.packet_bytes(u32::from(new_mtu));
    }

    fn window(&self) -> u64 {
        self.bytes(self.controller.window().max(MIN_WINDOW))
    }

    fn metrics(&self) -> ControllerMetrics {
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = congestion::Controller::window(self);
        let ssthresh = self.controller.ssthresh();
        metrics.ssthresh = ssthresh.is_finite().then(|| self.bytes(ssthresh));
        metrics.pacing_rate = self.controller.pacing_rate().map(|rate| rate.bps() as u64);
        metrics
    }

    fn clone_box(&self) -> Box<dyn congestion::Controller> {
        Box::new(self.clone())
    }

    fn initial_window(&self) -> u64 {
        self.bytes(self.start.initial_window.max(MIN_WINDOW))
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
