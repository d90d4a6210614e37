//! A ledger between a transport's packet numbers and a window controller.
//!
//! A transport with packet numbers and ACK ranges, such as QUIC, reports the packets that it sends,
//! that the peer acknowledges and that it gives up. The ledger keeps the rest and turns it into the
//! events of a [`WindowController`]:
//!
//! - transmission numbers without gaps, over all packet-number spaces;
//! - packets and bytes in flight, each packet resolved exactly once: acknowledged, lost or
//!   discarded;
//! - recovery periods: the window shrinks once per round trip of losses (RFC 9002, sec. 7.3.2);
//! - the RTT, without the peer's delay (sec. 5.3), and the timeout;
//! - whether the application limited the sender when it sent a packet, not when the ACK came (sec.
//!   7.8);
//! - persistent congestion (sec. 7.6), which a controller sees as a timeout;
//! - reductions for losses that were spurious, taken back ([`Ledger::on_spurious`]);
//! - losses that the sender's own MAC reported ([`Ledger::on_link_failure`]);
//! - packets that leave the flight without evidence about the path: discarded number spaces, lost
//!   MTU probes.
//!
//! A transport with loss detection of its own calls [`Ledger::on_lost`], or
//! [`Ledger::on_lost_judged`] if it also judges persistent congestion. Any other calls
//! [`Ledger::detect_losses`], which finds losses by packet and time threshold (sec. 6.1), and
//! [`Ledger::on_timeout`] for the probe timeout (sec. 6.2).
//!
//! ```
//! use atl_core::time::{Span, Time};
//! use atl_core::window::atl::robust::{self, TcpAtlRobust};
//! use atl_core::window::ledger::{Ledger, LedgerConfig, NumberSpace, SentPacket};
//! use atl_core::window::Start;
//!
//! let start = Start::default().packet_bytes(1200);
//! // This sender sends whole windows. One with a timer would let the controller pace.
//! let unpaced = robust::Config { pace: None, ..robust::Config::default() };
//! let controller = TcpAtlRobust::new(&unpaced, &start);
//! let mut ledger = Ledger::new(controller, LedgerConfig::default().packet_bytes(1200));
//!
//! let mut now = Time::ZERO;
//! let mut number = 0;
//! while ledger.may_send(now, 1200) {
//!     ledger.on_sent(&SentPacket::new(now, number, 1200));
//!     number += 1;
//! }
//! assert_eq!((number, ledger.bytes_in_flight()), (10, 12_000));
//!
//! // Packets 0, 1 and 5 to 9 arrived.
//! now = Time::from_millis(50);
//! let acked = ledger.on_ack_ranges(now, NumberSpace::Data, [0..=1, 5..=9], Span::ZERO);
//! assert_eq!((acked.packets, acked.rtt), (7, Some(Span::from_millis(50))));
//! let lost: Vec<u64> = ledger.detect_losses(now).iter().map(|id| id.number).collect();
//! assert_eq!(lost, [2, 3, 4]);
//! assert_eq!(ledger.in_flight(), 0);
//! ```
//!
//! Left open by RFC 9002, and chosen:
//! - ACKs are passed on before the losses that they reveal.
//! - An ACK that covers more packets than [`WindowController::ack_limit`] becomes several events,
//!   and the last one carries the RTT. Packets sent before the last reduction are separate events,
//!   since they do not grow the window.
//! - SRTT has the gains of RFC 7323, appendix G, since every ACK gives a sample
//!   ([`RttEstimator::on_one_sample_of`]).
//! - Persistent congestion is judged per packet-number space (sec. 7.6.2 allows it). The losses of
//!   the call that establishes it are reported as detected by a timeout, so that the window is not
//!   reduced twice.
//! - A space keeps 2^20 packets. Beyond that the oldest is discarded.

mod acks;
mod config;
mod counted;
mod detection;
mod losses;
mod packet;
mod space;
mod undo;

pub use config::LedgerConfig;
pub use counted::Outstanding;
pub use packet::{Acknowledged, NumberSpace, PacketId, SentPacket};
pub use undo::Checkpoint;

use super::{End, Handoff, Sent, WindowController};
use crate::measure::RttEstimator;
use crate::time::{Span, Time};
use crate::units::Rate;
use space::{Entry, Space};

/// Pacing gain of a controller that gives no rate of its own (RFC 9002, sec. 7.7: N).
const PACING_GAIN: f64 = 1.25;

/// The packets of one path and the controller's events: see [the module](self).
#[derive(Clone, Debug)]
pub struct Ledger<C> {
    controller: C,
    config: LedgerConfig,
    spaces: [Space; 3],
    rtt: RttEstimator,
    latest_rtt: Span,
    /// Time of the first RTT sample.
    first_sample: Option<Time>,
    next_tx: u64,
    in_flight: u32,
    bytes_in_flight: u64,
    /// The first transmission after the last reduction: losses before it belong to the same round
    /// trip.
    recovery_tx: u64,
    in_recovery: bool,
    /// Start of the present or last recovery period.
    recovery_at: Time,
    /// Transmissions before this one were in flight when the window last held back data.
    limited_tx: u64,
    /// The newest transmission that has been acknowledged.
    newest_acked: u64,
    /// Timeouts, or persistent congestion, since the last ACK of a packet in flight.
    timeouts: u32,
    /// Probe timeouts since then.
    probe_timeouts: u32,
    /// Time at which the last one expired.
    last_probe: Time,
    /// Packets resolved by the call in progress.
    resolved: Vec<Entry>,
    lost: Vec<PacketId>,
}

impl<C: WindowController> Ledger<C> {
    /// A ledger for a path on which nothing has been sent yet.
    pub fn new(controller: C, config: LedgerConfig) -> Self {
        Ledger {
            controller,
            config,
            spaces: Default::default(),
            rtt: RttEstimator::new(config.rtt),
            latest_rtt: Span::ZERO,
            first_sample: None,
            next_tx: 0,
            in_flight: 0,
            bytes_in_flight: 0,
            recovery_tx: 0,
            in_recovery: false,
            recovery_at: Time::ZERO,
            limited_tx: 0,
            newest_acked: 0,
            timeouts: 0,
            probe_timeouts: 0,
            last_probe: Time::ZERO,
            resolved: Vec::new(),
            lost: Vec::new(),
        }
    }

    /// Notes that a packet leaves. Returns the number of its transmission, or `None` if its packet
    /// number is not above all earlier ones of its space: the packet is then ignored.
    #[inline]
    pub fn on_sent(&mut self, packet: &SentPacket) -> Option<u64> {
        let space = &mut self.spaces[packet.id.space as usize];
        if !space.accepts(packet.id.number) {
            return None;
        }
        let tx = self.next_tx;
        if let Some(forced) = space.push(packet, tx) {
            self.in_flight -= 1;
            self.bytes_in_flight -= u64::from(forced.bytes);
        }
        self.next_tx += 1;
        self.in_flight += 1;
        self.bytes_in_flight += u64::from(packet.bytes);
        self.controller.on_sent(
            &Sent::new(packet.now, tx, packet.bytes, self.in_flight)
                .retransmission(packet.retransmission)
                .app_limited(packet.app_limited),
        );
        Some(tx)
    }

    /// True if the window and the controller's pacing let `bytes` leave at `now`. With nothing in
    /// flight a packet may always leave, however large.
    #[inline]
    pub fn may_send(&self, now: Time, bytes: u32) -> bool {
        let fits = self.bytes_in_flight + u64::from(bytes) <= self.window_bytes();
        (fits || self.in_flight == 0) && self.controller.release_at().is_none_or(|at| at <= now)
    }

    /// The congestion window in bytes.
    #[inline]
    pub fn window_bytes(&self) -> u64 {
        // `as` saturates.
        (self.controller.window() * f64::from(self.packet_bytes())) as u64
    }

    /// The controller's pacing rate, or else 5/4 of the window per SRTT (RFC 9002, sec. 7.7);
    /// `None` before the first RTT sample.
    pub fn pacing_rate(&self) -> Option<Rate> {
        self.controller.pacing_rate().or_else(|| {
            let srtt = self.rtt.srtt().filter(|srtt| !srtt.is_zero())?;
            let bytes = self.controller.window() * f64::from(self.packet_bytes());
            Some(Rate::from_bytes_per_sec(PACING_GAIN * bytes / srtt.secs()))
        })
    }

    /// An end of the path changed networks. The sender's own handoff also moves SRTT, by twice the
    /// difference of the delays.
    pub fn on_handoff(&mut self, handoff: &Handoff) {
        if handoff.end == End::Own {
            self.rtt.shift(handoff.old_delay, handoff.new_delay);
        }
        self.controller.on_handoff(handoff);
    }

    /// The number of packets in flight.
    pub fn in_flight(&self) -> u32 {
        self.in_flight
    }

    /// Bytes in flight, headers included.
    pub fn bytes_in_flight(&self) -> u64 {
        self.bytes_in_flight
    }

    /// Transmissions so far, which is the number of the next one.
    pub fn transmissions(&self) -> u64 {
        self.next_tx
    }

    /// True from a reduction of the window until a packet sent after it is acknowledged.
    pub fn in_recovery(&self) -> bool {
        self.in_recovery
    }

    /// The estimates of the round-trip time, and the timeout.
    pub fn rtt(&self) -> &RttEstimator {
        &self.rtt
    }

    /// The controller, for its window and its state.
    pub fn controller(&self) -> &C {
        &self.controller
    }

    /// The controller, for events that concern no packet, such as
    /// [`on_link_report`](WindowController::on_link_report). Events of packets come from the
    /// ledger.
    pub fn controller_mut(&mut self) -> &mut C {
        &mut self.controller
    }

    fn packet_bytes(&self) -> u32 {
        self.config.packet_bytes.max(1)
    }

    fn forget(&mut self, entry: &Entry) {
        self.in_flight -= 1;
        self.bytes_in_flight -= u64::from(entry.bytes);
    }
}
