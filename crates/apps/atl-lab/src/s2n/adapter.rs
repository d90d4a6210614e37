//! s2n-quic's trait behind noq's. See [the module](super) for the differences that remain.

use std::any::Any;
use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use noq_proto::congestion::{Controller, ControllerFactory, ControllerMetrics};
use num_rational::Ratio;
use s2n_quic_core::event::builder::{BbrState, SlowStartExitCause};
use s2n_quic_core::inet::SocketAddress;
use s2n_quic_core::packet::number::PacketNumberSpace;
use s2n_quic_core::path::Config as PathConfig;
use s2n_quic_core::recovery::bandwidth::{Bandwidth, RateSample};
use s2n_quic_core::recovery::congestion_controller::{Endpoint, PathInfo, Publisher};
use s2n_quic_core::recovery::{CongestionController, RttEstimator};
use s2n_quic_core::time::{Clock as _, NoopClock, Timestamp};

use super::flight::{Flight, Packet};
use super::seeded::Seeded;

/// Builds an endpoint's controllers for noq.
pub(super) struct Adapted<E> {
    endpoint: Arc<Mutex<E>>,
    seed: u64,
}

impl<E> Adapted<E> {
    pub(super) fn new(endpoint: Arc<Mutex<E>>, seed: u64) -> Adapted<E> {
        Adapted { endpoint, seed }
    }
}

impl<E: Endpoint> ControllerFactory for Adapted<E> {
    fn build(self: Arc<Self>, now: Instant, current_mtu: u16) -> Box<dyn Controller> {
        let nowhere = SocketAddress::default();
        let mut path = PathInfo::new(&PathConfig::default(), &nowhere);
        path.max_datagram_size = current_mtu;
        let mut endpoint = self.endpoint.lock().unwrap_or_else(PoisonError::into_inner);
        let library = endpoint.new_congestion_controller(path);
        Box::new(Adapter::new(library, now, self.seed))
    }
}

/// Receives the values that a controller publishes.
#[derive(Clone, Copy, Debug, Default)]
struct Listener {
    /// The last pacing rate, in bytes per second.
    pacing_rate: Option<u64>,
}

impl Publisher for Listener {
    fn on_slow_start_exited(&mut self, _cause: SlowStartExitCause, _cwnd: u32) {}
    fn on_delivery_rate_sampled(&mut self, _sample: RateSample) {}
    fn on_pacing_rate_updated(&mut self, rate: Bandwidth, _burst: u32, _gain: Ratio<u64>) {
        self.pacing_rate = Some(rate.as_bytes_per_second());
    }
    fn on_bbr_state_changed(&mut self, _state: BbrState) {}
}

/// The packets of an acknowledgment, so far.
#[derive(Clone, Copy, Debug)]
struct Acked<Info> {
    at: Instant,
    newest: Packet<Info>,
    bytes: usize,
}

/// A controller with the state that noq's calls must wait in.
///
/// noq reports the packets that an acknowledgment covers, and then those that it shows to be lost;
/// s2n-quic reports losses first. The order matters: the acknowledgment may end the recovery to
/// which the losses belong. So it waits until noq asks for the pacing rate.
#[derive(Clone)]
struct State<C: CongestionController> {
    library: C,
    initial_window: u64,
    rtt: RttEstimator,
    random: Seeded,
    listener: Listener,
    origin: Instant,
    flight: Flight<C::PacketInfo>,
    /// The acknowledgment in progress, or one that has not been passed on yet.
    acked: Option<Acked<C::PacketInfo>>,
    /// Lost packets, until it is known whether they are persistent congestion.
    lost: Vec<Packet<C::PacketInfo>>,
    last_lost: Option<u64>,
    /// The latest time passed to it.
    now: Instant,
    /// True if the application limits the sender; `None` before noq has said.
    app_limited: Option<bool>,
}

impl<C: CongestionController> State<C> {
    /// Time on the library's clock. It never runs backwards, and starts late enough that the
    /// library can subtract its spans.
    fn at(&mut self, now: Instant) -> Timestamp {
        self.now = self.now.max(now);
        self.stamp(self.now)
    }

    fn stamp(&self, time: Instant) -> Timestamp {
        let since = time.saturating_duration_since(self.origin);
        NoopClock.get_time() + Duration::from_secs(60) + since
    }

    fn sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.settle();
        let at = self.at(now);
        let info = self.library.on_packet_sent(
            at,
            bytes.into(),
            self.app_limited,
            &self.rtt,
            &mut self.listener,
        );
        self.flight.add(Packet { pn, sent: now, bytes: bytes.into(), info });
    }

    fn acked(&mut self, now: Instant, sent: Instant, pn: u64) {
        self.settle_before(now);
        let Some(packet) = self.flight.acked(pn, sent) else { return };
        let acked = self.acked.get_or_insert(Acked { at: now, newest: packet, bytes: 0 });
        acked.bytes += packet.bytes as usize;
        if acked.newest.sent <= packet.sent {
            acked.newest = packet;
        }
    }

    /// Notes the end of an acknowledgment.
    fn acks_end(&mut self, now: Instant, in_flight: u64, largest: Option<u64>) {
        let at = self.at(now);
        if let Some(Acked { newest, .. }) = self.acked
            && largest == Some(newest.pn)
        {
            let sample = now.saturating_duration_since(newest.sent);
            // The peer's delay stays in the sample, because noq does not pass it on.
            let space = PacketNumberSpace::ApplicationData;
            self.rtt.update_rtt(Duration::ZERO, sample, at, true, space);
            let sent = self.stamp(newest.sent);
            self.library.on_rtt_update(sent, at, &self.rtt, &mut self.listener);
        }
        // Packets of a discarded packet number space are neither acknowledged nor lost.
        while self.flight.bytes() > in_flight
            && let Some(packet) = self.flight.oldest()
        {
            self.library.on_packet_discarded(packet.bytes as usize, &mut self.listener);
        }
    }

    /// Passes on all that waits from before `now`.
    fn settle_before(&mut self, now: Instant) {
        if self.acked.is_some_and(|acked| acked.at != now) {
            self.settle();
        }
    }

    /// Passes on all that waits.
    fn settle(&mut self) {
        self.tell_losses(self.now, false);
        let Some(Acked { at, newest, bytes }) = self.acked.take() else { return };
        let (at, sent) = (self.at(at), self.stamp(newest.sent));
        self.library.on_ack(
            sent,
            bytes,
            newest.info,
            &self.rtt,
            &mut self.random,
            at,
            &mut self.listener,
        );
    }

    fn lost(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.settle_before(now);
        let packet = self.flight.lost(pn, bytes.into());
        self.lost.extend(packet);
    }

    /// Passes on the losses that wait.
    fn tell_losses(&mut self, now: Instant, persistent: bool) {
        if self.lost.is_empty() {
            return;
        }
        let at = self.at(now);
        for packet in std::mem::take(&mut self.lost) {
            let new_burst = self.last_lost.is_none_or(|last| packet.pn != last.wrapping_add(1));
            self.last_lost = Some(packet.pn);
            self.library.on_packet_lost(
                packet.bytes,
                packet.info,
                persistent,
                new_burst,
                &mut self.random,
                at,
                &mut self.listener,
            );
        }
        if persistent {
            self.rtt.on_persistent_congestion();
        }
    }

    fn congested(&mut self, now: Instant, persistent: bool, ecn: bool) {
        self.settle_before(now);
        if ecn {
            self.tell_losses(now, false);
            let at = self.at(now);
            self.library.on_explicit_congestion(1, at, &mut self.listener);
            return;
        }
        // A loss without a packet, as in a trial. s2n-quic's trait only has losses of packets.
        if self.lost.is_empty() {
            self.lost.extend(self.flight.oldest());
        }
        self.tell_losses(now, persistent);
    }
}

/// A controller of s2n-quic behind noq's trait. The lock is there because it need not be `Sync`.
struct Adapter<C: CongestionController>(Mutex<State<C>>);

impl<C: CongestionController> Adapter<C> {
    fn new(library: C, now: Instant, seed: u64) -> Adapter<C> {
        Adapter(Mutex::new(State {
            initial_window: library.congestion_window().into(),
            library,
            rtt: RttEstimator::default(),
            random: Seeded::new(seed),
            listener: Listener::default(),
            origin: now,
            flight: Flight::new(),
            acked: None,
            lost: Vec::new(),
            last_lost: None,
            now,
            app_limited: None,
        }))
    }

    fn state(&mut self) -> &mut State<C> {
        self.0.get_mut().unwrap_or_else(PoisonError::into_inner)
    }

    fn look(&self) -> MutexGuard<'_, State<C>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl<C: CongestionController> fmt::Debug for Adapter<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Adapter").field(&self.look().library).finish()
    }
}

impl<C: CongestionController> Controller for Adapter<C> {
    fn on_packet_sent(&mut self, now: Instant, bytes: u16, pn: u64) {
        self.state().sent(now, bytes, pn);
    }

    fn on_cwnd_limited(&mut self) {
        self.state().app_limited = Some(false);
    }

    fn on_ack(
        &mut self,
        now: Instant,
        sent: Instant,
        _bytes: u64,
        pn: u64,
        _app_limited: bool,
        _rtt: &noq_proto::RttEstimator,
    ) {
        self.state().acked(now, sent, pn);
    }

    fn on_end_acks(
        &mut self,
        now: Instant,
        in_flight: u64,
        app_limited: bool,
        largest_packet_num_acked: Option<u64>,
    ) {
        let state = self.state();
        state.acks_end(now, in_flight, largest_packet_num_acked);
        state.app_limited = Some(app_limited);
    }

    fn on_congestion_event(
        &mut self,
        now: Instant,
        _sent: Instant,
        is_persistent_congestion: bool,
        is_ecn: bool,
        _lost_bytes: u64,
        _largest_lost_pn: u64,
    ) {
        self.state().congested(now, is_persistent_congestion, is_ecn);
    }

    fn on_packet_lost(&mut self, lost_bytes: u16, pn: u64, now: Instant) {
        self.state().lost(now, lost_bytes, pn);
    }

    fn on_mtu_update(&mut self, new_mtu: u16) {
        let state = self.state();
        state.settle();
        state.library.on_mtu_update(new_mtu, &mut state.listener);
    }

    fn window(&self) -> u64 {
        self.look().library.congestion_window().into()
    }

    /// noq calls this before it sends, after all its reports.
    fn metrics(&self) -> ControllerMetrics {
        let mut state = self.look();
        state.settle();
        let mut metrics = ControllerMetrics::default();
        metrics.congestion_window = state.library.congestion_window().into();
        metrics.pacing_rate = state.listener.pacing_rate;
        metrics.send_quantum = state.library.send_quantum().map(|bytes| bytes as u64);
        metrics
    }

    fn clone_box(&self) -> Box<dyn Controller> {
        Box::new(Adapter(Mutex::new(self.look().clone())))
    }

    fn initial_window(&self) -> u64 {
        self.look().initial_window
    }

    fn into_any(self: Box<Self>) -> Box<dyn Any> {
        self
    }
}
