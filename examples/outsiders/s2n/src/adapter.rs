//! The adapter between the library's controllers and ours: see [the module](super) for its
//! accounting.

use core::time::Duration;

use num_rational::Ratio;
use s2n_quic_core::event::builder::{BbrState, SlowStartExitCause};
use s2n_quic_core::inet::SocketAddress;
use s2n_quic_core::packet::number::PacketNumberSpace;
use s2n_quic_core::path::Config as PathConfig;
use s2n_quic_core::recovery::bandwidth::{Bandwidth, RateSample};
use s2n_quic_core::recovery::congestion_controller::{PathInfo, Publisher};
use s2n_quic_core::recovery::{CongestionController, RttEstimator};
use s2n_quic_core::time::Timestamp;

use super::clock::Clock;
use super::notes::{Note, Notes};
use super::seeded::Seeded;
use atl_core::time::{Span, Time};
use atl_core::units::Rate;
use atl_core::window::{Ack, Detection, Loss, Marked, Sent, Start, Timeout, WindowController};

/// Sizes that the library computes with. Four of the largest fit its 16 bits (it multiplies so);
/// the least keeps rates well inside its 64 bits. A packet of another size counts as the nearest:
/// windows are in packets, and the size only sets the unit.
const PACKET_BYTES: core::ops::RangeInclusive<u32> = 64..=16_383;
/// Bytes in flight, and of a first window, that the library is given at most: a quarter of its 32
/// bits.
const MOST_BYTES: u32 = 1 << 30;
/// RTTs outside are taken for the nearest: the library's shortest, and one as long as its clock's
/// step.
const RTT: core::ops::RangeInclusive<Span> = Span::from_micros(1)..=Span::from_secs(3600);
/// The share of the window that CUBIC keeps (RFC 8312, sec. 4.5).
pub(super) const BETA_CUBIC: f64 = 0.7;
/// The library's least slow-start threshold, in packets (Linux's `hystart_low_window`).
const LEAST_SSTHRESH: f64 = 16.0;

/// The differences between the two controllers.
#[derive(Clone, Copy, Debug)]
pub(super) struct Traits {
    pub(super) paces: bool,
    pub(super) has_ssthresh: bool,
    pub(super) seed: u64,
}

fn packet_bytes(start: &Start) -> u32 {
    start.packet_bytes.clamp(*PACKET_BYTES.start(), *PACKET_BYTES.end())
}

/// The first window in the library's bytes.
pub(super) fn initial_bytes(start: &Start) -> u32 {
    // `as` saturates, and NaN gives 0, which the library raises to its least window.
    let bytes = start.initial_window.max(1.0) * f64::from(packet_bytes(start));
    (bytes as u32).min(MOST_BYTES)
}

/// Calls `build` with the path that a connection begins on.
pub(super) fn path<C>(start: &Start, build: impl FnOnce(PathInfo<'_>) -> C) -> C {
    let nowhere = SocketAddress::default();
    let mut path = PathInfo::new(&PathConfig::default(), &nowhere);
    path.max_datagram_size = packet_bytes(start) as u16;
    build(path)
}

/// Listens to what the library publishes.
#[derive(Clone, Copy, Debug, Default)]
struct Listener {
    left_slow_start: bool,
    /// The last pacing rate, in the library's bytes per second.
    pacing_rate: Option<u64>,
}

impl Publisher for Listener {
    fn on_slow_start_exited(&mut self, _cause: SlowStartExitCause, _cwnd: u32) {
        self.left_slow_start = true;
    }
    fn on_delivery_rate_sampled(&mut self, _sample: RateSample) {}
    fn on_pacing_rate_updated(&mut self, rate: Bandwidth, _burst: u32, _gain: Ratio<u64>) {
        self.pacing_rate = Some(rate.as_bytes_per_second());
    }
    fn on_bbr_state_changed(&mut self, _state: BbrState) {}
}

/// A packet that the timer found lost and the library does not know of yet.
#[derive(Clone, Copy, Debug)]
struct Held<Info> {
    note: Note<Info>,
    new_burst: bool,
    /// cwnd before the timer found the first one.
    window: f64,
}

/// A controller of the library that threads can share, as all of them can.
pub(super) trait Library: CongestionController<PacketInfo: Sync> + Sync {}

impl<C: CongestionController<PacketInfo: Sync> + Sync> Library for C {}

/// A controller of the library as a [`WindowController`].
#[derive(Clone, Debug)]
pub(super) struct Adapter<C: CongestionController> {
    library: C,
    rtt: RttEstimator,
    /// An RTT was measured.
    rtt_known: bool,
    pub(super) notes: Notes<C::PacketInfo>,
    random: Seeded,
    clock: Clock,
    listener: Listener,
    /// Bytes of a packet on the wire.
    wire_bytes: u32,
    /// Bytes of a packet, as the library sees it.
    bytes: u32,
    /// Newest transmission that arrived.
    delivered: u64,
    /// Newest transmission that was lost.
    lost: Option<u64>,
    /// The last of the packets that the timer found lost, until it is known that there are no more.
    held: Option<Held<C::PacketInfo>>,
    ssthresh: f64,
    traits: Traits,
}

impl<C: Library> Adapter<C> {
    pub(super) fn new(library: C, start: &Start, traits: Traits) -> Self {
        Adapter {
            library,
            rtt: RttEstimator::default(),
            rtt_known: false,
            notes: Notes::new(),
            random: Seeded::new(traits.seed),
            clock: Clock::new(),
            listener: Listener::default(),
            wire_bytes: start.packet_bytes,
            bytes: packet_bytes(start),
            delivered: 0,
            lost: None,
            held: None,
            ssthresh: f64::INFINITY,
            traits,
        }
    }

    /// Reduces the window before anything is sent, and so ends slow start.
    pub(super) fn reduce(&mut self) {
        let now = self.clock.at(Time::ZERO);
        self.library.on_explicit_congestion(1, now, &mut self.listener);
        self.ssthresh = self.window();
    }

    /// Packets that the library counts as in flight.
    pub(super) fn flight(&self) -> u32 {
        self.library.bytes_in_flight() / self.bytes
    }

    /// Takes what the library counts beyond `in_flight` packets out of its flight.
    fn discard_beyond(&mut self, in_flight: u32) {
        let beyond = self.flight().saturating_sub(in_flight) * self.bytes;
        if beyond > 0 {
            self.library.on_packet_discarded(beyond as usize, &mut self.listener);
        }
    }

    fn learn_rtt(&mut self, ack: &Ack, newest: Note<C::PacketInfo>, now: Timestamp) {
        match ack.rtt {
            Some(rtt) => {
                let rtt = Duration::from_nanos(rtt.clamp(*RTT.start(), *RTT.end()).nanos());
                self.rtt.update_rtt(
                    Duration::ZERO,
                    rtt,
                    now,
                    true,
                    PacketNumberSpace::ApplicationData,
                );
                self.rtt_known = true;
            }
            // The library reads the RTT at each ACK, measured or not, and a guess below the true
            // one would stay BBR's least RTT for 10 s. The oldest transmission's age errs on the
            // other side, and the first measurement replaces it.
            None if !self.rtt_known => {
                let oldest = self.notes.oldest().map_or(newest.sent, |note| note.sent);
                let age = now.saturating_duration_since(oldest);
                self.rtt = RttEstimator::new(age.max(Duration::from_micros(1)));
            }
            None => return,
        }
        self.listener.left_slow_start = false;
        self.library.on_rtt_update(newest.sent, now, &self.rtt, &mut self.listener);
        self.note_slow_start();
    }

    fn note_slow_start(&mut self) {
        if self.traits.has_ssthresh && self.listener.left_slow_start && self.ssthresh.is_infinite()
        {
            self.ssthresh = self.window();
        }
    }

    /// Hands over one lost packet.
    fn lose(
        &mut self,
        note: Note<C::PacketInfo>,
        persistent: bool,
        new_burst: bool,
        now: Timestamp,
    ) {
        self.library.on_packet_lost(
            self.bytes,
            note.info,
            persistent,
            new_burst,
            &mut self.random,
            now,
            &mut self.listener,
        );
    }

    /// The window collapses at a timeout, if the library knows how. `window` is what it was before.
    fn collapse(
        &mut self,
        note: Note<C::PacketInfo>,
        new_burst: bool,
        window: f64,
        now: Timestamp,
    ) {
        self.rtt.on_persistent_congestion();
        self.lose(note, true, new_burst, now);
        if self.traits.has_ssthresh && self.window() < window {
            self.ssthresh = (window * BETA_CUBIC).max(LEAST_SSTHRESH);
        }
    }

    /// Hands over a packet that was held for a timeout as a loss like others.
    fn release_held(&mut self, now: Timestamp) {
        if let Some(held) = self.held.take() {
            self.lose(held.note, false, held.new_burst, now);
        }
    }
}

impl<C: Library> WindowController for Adapter<C> {
    fn on_sent(&mut self, sent: &Sent) {
        let now = self.clock.at(sent.now);
        self.release_held(now);
        self.discard_beyond(MOST_BYTES / self.bytes - 1);
        let info = self.library.on_packet_sent(
            now,
            self.bytes as usize,
            Some(sent.app_limited),
            &self.rtt,
            &mut self.listener,
        );
        self.notes.add(sent.tx, Note { sent: now, info }, sent.in_flight);
    }

    fn on_ack(&mut self, ack: &Ack) {
        let now = self.clock.at(ack.now);
        self.release_held(now);
        if let Some((tx, _)) = ack.newest {
            self.delivered = self.delivered.max(tx);
        }
        let tx = ack.newest.map_or(self.delivered, |(tx, _)| tx);
        let Some(newest) = self.notes.of(tx) else {
            // Nothing was sent.
            return;
        };
        if ack.delivered == 0 {
            if !ack.duplicate {
                self.discard_beyond(ack.in_flight);
            }
            return;
        }
        self.learn_rtt(ack, newest, now);
        let acked = ack.delivered.min(self.flight().saturating_sub(ack.in_flight));
        // BBR adds what was acknowledged to a 32-bit window unchecked; at 2 GB it may stay as it
        // is.
        if acked > 0 && self.library.congestion_window() < 2 * MOST_BYTES {
            self.listener.left_slow_start = false;
            self.library.on_ack(
                newest.sent,
                (acked * self.bytes) as usize,
                newest.info,
                &self.rtt,
                &mut self.random,
                now,
                &mut self.listener,
            );
            self.note_slow_start();
        }
        self.discard_beyond(ack.in_flight);
    }

    fn on_loss(&mut self, loss: &Loss) {
        let now = self.clock.at(loss.now);
        let Some(note) = self.notes.of(loss.tx) else {
            return;
        };
        if loss.packets == 0 {
            // An episode begins of losses told before: the library tells episodes apart by itself.
            return;
        }
        let timeout = loss.detection == Detection::Timeout;
        let before = self.held.map_or(self.window(), |held| held.window);
        let first = loss.tx.saturating_sub(u64::from(loss.packets - 1));
        let mut new_burst = self.lost.is_none_or(|lost| lost.saturating_add(1) != first);
        self.lost = Some(loss.tx);
        self.release_held(now);
        for left in (0..loss.packets.min(self.flight())).rev() {
            if timeout && left == 0 {
                self.held = Some(Held { note, new_burst, window: before });
            } else {
                self.lose(note, false, new_burst, now);
            }
            new_burst = false;
        }
        if !timeout && self.traits.has_ssthresh && self.window() < before {
            self.ssthresh = self.window();
        }
    }

    fn on_marked(&mut self, marked: &Marked) {
        // CUBIC falls once a round trip; BBR counts the marks of all.
        if !marked.new_episode && self.traits.has_ssthresh {
            return;
        }
        let now = self.clock.at(marked.now);
        self.release_held(now);
        let before = self.window();
        self.library.on_explicit_congestion(marked.packets.into(), now, &mut self.listener);
        if self.traits.has_ssthresh && self.window() < before {
            self.ssthresh = self.window();
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        let now = self.clock.at(timeout.now);
        if let Some(held) = self.held.take() {
            self.collapse(held.note, held.new_burst, held.window, now);
        } else if self.flight() > 0
            && let Some(note) = self.notes.oldest()
        {
            // The timer found no loss. The library can only be told of one.
            self.collapse(note, true, self.window(), now);
        }
    }

    fn window(&self) -> f64 {
        (f64::from(self.library.congestion_window()) / f64::from(self.bytes)).max(1.0)
    }

    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    fn pacing_rate(&self) -> Option<Rate> {
        let bytes = self.listener.pacing_rate.filter(|_| self.traits.paces)?;
        let packets = bytes as f64 / f64::from(self.bytes);
        Some(Rate::from_bytes_per_sec(packets * f64::from(self.wire_bytes)))
    }

    fn release_at(&self) -> Option<Time> {
        if !self.traits.paces {
            return None;
        }
        self.library.earliest_departure_time().map(|at| self.clock.time_of(at))
    }
}
