//! A congestion controller under observation: what any controller is told, noted on the way.

use std::any::Any;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::{Duration, Instant};

use atl_core::time::{Epoch, Span};
use atl_engine::flow::State;
use atl_engine::flow::record::NetworkRtts;
use atl_noq::PathHandle;
use noq_proto::RttEstimator;
use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};

use crate::controllers::SharedFactory;

/// Events of all controllers of a connection: one for each path that it has had.
#[derive(Debug)]
struct Noted {
    /// Packets sent that elicit acknowledgments.
    sent: u64,
    /// Recovery periods (RFC 9002, sec. 7.3.2).
    recoveries: u64,
    /// Round-trip times, one from each acknowledgment (RFC 9002, sec. 5.1), the peer's delay
    /// included.
    rtts: NetworkRtts,
    /// The beginning of the run, once it is known.
    epoch: Option<Epoch>,
    /// Those that have a controller, in the order of their opening.
    paths: Vec<Path>,
}

/// Events of the controller of one path.
#[derive(Debug)]
struct Path {
    /// While the controller is there.
    alive: Weak<()>,
    /// When the newest recovery period began: what was sent until then does not begin another.
    recovering_since: Option<Instant>,
    /// Bytes in flight.
    in_flight: u64,
    /// When the newest packet was sent that the present acknowledgment is for.
    newest: Option<Instant>,
}

/// Shares what is noted with the flow.
#[derive(Clone, Debug)]
pub struct Tap(Arc<Mutex<Noted>>);

impl Default for Tap {
    /// Nothing noted, of a flow that stays in one network.
    fn default() -> Self {
        Tap::of(NetworkRtts::of_one(true))
    }
}

impl Tap {
    /// Nothing noted yet; round-trip times go into this meter.
    pub fn of(rtts: NetworkRtts) -> Self {
        let noted = Noted { sent: 0, recoveries: 0, rtts, epoch: None, paths: Vec::new() };
        Tap(Arc::new(Mutex::new(noted)))
    }

    /// Sets the beginning of the run, without which it is not known in which network a round trip
    /// was: until then none is noted.
    pub fn begin_run(&self, epoch: Epoch) {
        self.lock().epoch = Some(epoch);
    }

    fn lock(&self) -> MutexGuard<'_, Noted> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Packets sent that elicit acknowledgments.
    pub fn sent(&self) -> u64 {
        self.lock().sent
    }

    /// Recovery periods (RFC 9002, sec. 7.3.2). One begins with the first loss, or mark of
    /// congestion, of a packet that was sent after the last one began. The library tells of each
    /// loss; whether a controller answers is its own affair.
    pub fn recoveries(&self) -> u64 {
        self.lock().recoveries
    }

    /// Bytes in flight on all paths, without UDP and IP headers.
    pub fn in_flight(&self) -> u64 {
        let noted = self.lock();
        let alive = noted.paths.iter().filter(|path| path.alive.strong_count() > 0);
        alive.map(|path| path.in_flight).sum()
    }

    /// Forgets the round-trip times so far.
    pub fn begin_measurement(&self) {
        self.lock().rtts.reset();
    }

    /// The round-trip times since measurement began.
    pub fn take_rtts(&self) -> NetworkRtts {
        std::mem::replace(&mut self.lock().rtts, NetworkRtts::of_one(false))
    }

    /// The state of a sender with this controller, in packets of `mtu` bytes. `path` leads to the
    /// controller if it is one of this workspace.
    pub fn state(
        &self,
        controller: Option<&dyn Controller>,
        mtu: u16,
        srtt: Option<Span>,
        path: Option<&PathHandle>,
    ) -> State {
        let packets = |bytes: u64| bytes as f64 / f64::from(mtu);
        let metrics = controller.map(Controller::metrics);
        let ssthresh =
            |metrics: &ControllerMetrics| metrics.ssthresh.map_or(f64::INFINITY, packets);
        State {
            cwnd: metrics.as_ref().map(|metrics| packets(metrics.congestion_window)),
            cwnd_beside: None,
            ssthresh: metrics.as_ref().map(ssthresh),
            rate_bps: None,
            encoder_bps: None,
            in_flight: self.in_flight().div_ceil(u64::from(mtu)) as u32,
            srtt,
            aimd: path.and_then(|path| path.observed().aimd),
        }
    }

    /// A factory whose controllers are observed.
    pub fn on(&self, factory: SharedFactory) -> SharedFactory {
        Arc::new(TapFactory { factory, tap: self.clone() })
    }
}

struct TapFactory {
    factory: SharedFactory,
    tap: Tap,
}

impl ControllerFactory for TapFactory {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let controller = self.factory.clone().build(now, current_mtu);
        let alive = Arc::new(());
        let mut noted = self.tap.lock();
        let index = noted.paths.len();
        noted.paths.push(Path {
            alive: Arc::downgrade(&alive),
            recovering_since: None,
            in_flight: 0,
            newest: None,
        });
        drop(noted);
        Box::new(Tapped { controller, tap: self.tap.clone(), index, alive })
    }
}

#[derive(Debug)]
struct Tapped {
    controller: Box<dyn Controller>,
    tap: Tap,
    /// Of its path, among those noted.
    index: usize,
    /// Says that the controller is there.
    alive: Arc<()>,
}

impl Controller for Tapped {
    fn on_sent(&mut self, now: Instant, bytes: u64, largest_pn: u64) {
        self.controller.on_sent(now, bytes, largest_pn);
    }

    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        let mut noted = self.tap.lock();
        noted.sent += 1;
        noted.paths[self.index].in_flight += u64::from(bytes);
        drop(noted);
        self.controller.on_packet_sent(now, bytes, pn);
    }

    fn on_cwnd_limited(&mut self) {
        self.controller.on_cwnd_limited();
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        bytes: u64,
        pn: u64,
        app_limited: bool,
        rtt: &RttEstimator,
    ) {
        let mut noted = self.tap.lock();
        let path = &mut noted.paths[self.index];
        path.newest = path.newest.max(Some(sent));
        drop(noted);
        self.controller.on_ack(now, sent, bytes, pn, app_limited, rtt);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        let mut noted = self.tap.lock();
        let path = &mut noted.paths[self.index];
        path.in_flight = in_flight;
        if let (Some(sent), Some(epoch)) = (path.newest.take(), noted.epoch) {
            noted.rtts.note(epoch.time(now), now.saturating_duration_since(sent).into());
        }
        drop(noted);
        self.controller.on_end_acks(now, in_flight, app_limited, largest_packet_num_acked);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        lost_bytes: u64,
        largest_lost_pn: u64,
    ) {
        let mut noted = self.tap.lock();
        let path = &mut noted.paths[self.index];
        if path.recovering_since.is_none_or(|since| sent > since) {
            path.recovering_since = Some(now);
            noted.recoveries += 1;
        }
        drop(noted);
        self.controller.on_congestion_event(
            now,
            sent,
            is_persistent_congestion,
            is_ecn,
            lost_bytes,
            largest_lost_pn,
        );
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        let mut noted = self.tap.lock();
        let path = &mut noted.paths[self.index];
        path.in_flight = path.in_flight.saturating_sub(lost_bytes.into());
        drop(noted);
        self.controller.on_packet_lost(lost_bytes, pn, now);
    }

    fn on_spurious_congestion_event(&mut self) {
        self.controller.on_spurious_congestion_event();
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        self.controller.on_mtu_update(new_mtu);
    }

    fn on_ack_frequency_update(
        &mut self,
        ack_eliciting_threshold: u64,
        requested_max_ack_delay: Duration,
    ) {
        self.controller.on_ack_frequency_update(ack_eliciting_threshold, requested_max_ack_delay);
    }

    fn window(&self) -> u64 {
        self.controller.window()
    }

    fn metrics(&self) -> ControllerMetrics {
        self.controller.metrics()
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Tapped {
            controller: self.controller.clone_box(),
            tap: self.tap.clone(),
            index: self.index,
            alive: self.alive.clone(),
        })
    }

    fn initial_window(&self) -> u64 {
        self.controller.initial_window()
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self.controller.into_any()
    }
}

#[cfg(test)]
mod tests {
    use noq_proto::congestion::NewRenoConfig;

    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "all times are spans after it")]
    fn losses_of_one_round_trip_are_one_recovery() {
        let tap = Tap::default();
        let begin = Instant::now();
        let at = |ms| begin + Duration::from_millis(ms);
        let factory = tap.on(Arc::new(NewRenoConfig::default()));
        let mut controller = factory.build(begin, 1200);
        // When each loss is found, and when the packet was sent.
        let losses = [(100, 0, 1), (110, 10, 1), (150, 100, 1), (210, 101, 2), (220, 120, 2)];
        for (found, sent, recoveries) in losses {
            controller.on_congestion_event(at(found), at(sent), false, false, 1200, sent);
            assert_eq!(tap.recoveries(), recoveries, "found at {found} ms");
        }
    }
}
