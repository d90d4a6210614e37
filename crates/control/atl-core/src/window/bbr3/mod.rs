//! BBRv3: a model of the path's bandwidth, least round-trip time and tolerable volume in flight.
//!
//! Source: draft-ietf-ccwg-bbr in the working group's version of August 2026. Each file names its
//! sections; docs/protocols/modern.md lists each deviation with its reason. Volumes are in packets,
//! rates in packets per second, times without a type in seconds.
//!
//! - **Startup** and **Drain** (`startup.rs`): the rate doubles each round trip until it no longer
//!   grows, or losses show; then the queue is drained.
//! - **ProbeBW** (`probe_bw.rs`): cycles of DOWN, CRUISE, REFILL and UP.
//! - **ProbeRTT** (`probe_rtt.rs`): half of what the path holds for a moment, to see its least
//!   round-trip time.
//! - **The model** (`model.rs`, `update.rs`): what is measured; `losses.rs`: what losses and marks
//!   take from it, and what it gets back if they were spurious.
//! - **Control** (`control.rs`): pacing rate and window.

mod config;
mod control;
mod draw;
mod filters;
mod losses;
mod memory;
mod model;
mod probe_bw;
mod probe_rtt;
mod startup;
mod state;
#[cfg(test)]
mod tests;
mod update;

pub use config::Config;

use self::draw::Draw;
use self::memory::{Cycle, Lost, Undo};
use self::model::{FullPipe, LeastRtt, Model};
use self::state::State;
use super::pace::Pace;
use super::{Ack, Detection, Loss, Marked, Sent, Start, Timeout, WindowController};
use crate::measure::{DeliveryRate, RateSample, SentState};
use crate::time::{Span, Time};
use crate::units::Rate;

/// Limit on the window in packets.
const LARGEST_WINDOW: f64 = 1e7;
/// BBR.MinPipeCwnd.
const LEAST_PIPE: f64 = 4.0;

/// A sender that follows its model of the path.
#[derive(Clone, Debug)]
pub struct Bbr3 {
    config: Config,
    packet_bytes: f64,
    state: State,
    delivery: DeliveryRate,
    model: Model,
    full_pipe: FullPipe,
    /// BBR.drain_start_round.
    drain_start: u64,
    cycle: Cycle,
    least_rtt: LeastRtt,
    lost: Lost,
    undo: Undo,
    draw: Draw,
    pace: Pace,
    /// C.pacing_rate.
    pacing_rate: f64,
    cwnd: f64,
    /// C.InitialCwnd.
    initial: f64,
    /// BBR.prior_cwnd.
    prior: f64,
    /// A round-trip time was measured, and the first pacing rate taken from it.
    rtt_seen: bool,
    /// BBR.idle_restart.
    idle_restart: bool,
    in_recovery: bool,
    /// Packets in flight, as last told.
    in_flight: u32,
    /// The newest transmission at which the window was full, if that has happened.
    full_tx: Option<u64>,
    /// Something was sent.
    started: bool,
}

/// A rate sample with the losses that came with its ACK (the draft's RS).
#[derive(Clone, Copy, Debug)]
struct Acked {
    now: Time,
    sample: RateSample,
    /// RS.newly_acked.
    packets: f64,
    in_flight: f64,
    rtt: Option<f64>,
    /// C.is_cwnd_limited.
    cwnd_limited: bool,
}

impl Acked {
    /// IsInflightTooHigh for the packet that this sample is of.
    fn is_too_lossy(&self, threshold: f64) -> bool {
        is_too_lossy(self.sample.lost as f64, &self.sample.sent, threshold)
    }

    fn is_app_limited(&self) -> bool {
        self.sample.sent.app_limited
    }
}

fn is_too_lossy(lost: f64, sent: &SentState, threshold: f64) -> bool {
    lost > f64::from(sent.in_flight) * threshold
}

impl Bbr3 {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        // `max` turns NaN into the bound.
        let initial = 1.0f64.max(start.initial_window).min(LARGEST_WINDOW);
        let rtt = start.rtt.map(Span::secs).filter(|rtt| *rtt > 0.0);
        Bbr3 {
            config: config.usable(),
            packet_bytes: f64::from(start.packet_bytes.max(1)),
            state: State::Startup,
            delivery: DeliveryRate::default(),
            model: Model::new(),
            full_pipe: FullPipe::default(),
            drain_start: 0,
            cycle: Cycle::new(),
            least_rtt: LeastRtt::new(rtt),
            lost: Lost::new(),
            undo: Undo::default(),
            draw: Draw::new(start.seed),
            pace: Pace::new(Span::ZERO),
            pacing_rate: Bbr3::first_rate(initial, rtt.unwrap_or(0.001)),
            cwnd: initial,
            initial,
            prior: 0.0,
            rtt_seen: rtt.is_some(),
            idle_restart: false,
            in_recovery: false,
            in_flight: 0,
            full_tx: None,
            started: false,
        }
    }

    /// UpdateOnACK.
    fn update(&mut self, rs: &Acked) {
        self.update_latest(rs);
        self.update_congestion(rs);
        self.update_aggregation(rs);
        self.check_full_bandwidth(rs);
        self.check_startup_done(rs);
        self.check_drain_done(rs);
        self.update_cycle(rs);
        self.update_least_rtt(rs);
        self.check_probe_rtt(rs);
        self.advance_latest(rs);
        self.model.bound();
        self.set_pacing_rate(self.state.pacing_gain(self.config.drain_gain));
    }

    /// The application was the limit if it had nothing more while a packet might have left
    /// (CheckIfApplicationLimited); `paced`: pacing would have allowed it.
    fn check_idle(&mut self, in_flight: u32, paced: bool) {
        let room = f64::from(in_flight.saturating_add(1)) <= self.cwnd;
        self.delivery.check_idle(in_flight, room && paced);
    }
}

impl WindowController for Bbr3 {
    fn on_sent(&mut self, sent: &Sent) {
        if !self.started {
            self.started = true;
            self.least_rtt.begin(sent.now);
            self.model.begin(sent.now);
        }
        let before = sent.in_flight.saturating_sub(1);
        self.check_idle(before, self.pace.next() < sent.now);
        if before == 0 && self.delivery.is_app_limited() {
            self.restart_from_idle(sent.now);
        }
        if f64::from(sent.in_flight.saturating_add(1)) > self.cwnd {
            self.full_tx = Some(sent.tx);
        }
        self.in_flight = sent.in_flight;
        self.delivery.on_sent(sent.now, sent.tx, sent.in_flight, sent.app_limited);
        self.pace.on_sent(sent.now, Some(self.pacing_rate));
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.check_idle(self.in_flight, self.pace.next() <= ack.now);
        self.in_flight = ack.in_flight;
        let newest = ack.newest.map(|(tx, _)| tx);
        let rtt = ack.rtt.map(Span::secs).filter(|rtt| *rtt > 0.0);
        if let Some(rtt) = rtt
            && !self.rtt_seen
        {
            self.rtt_seen = true;
            self.pacing_rate = Bbr3::first_rate(self.initial, rtt);
        }
        let sample = self.delivery.on_delivered(ack.now, ack.delivered, newest, ack.rtt_min);
        if let Some(sample) = sample {
            self.update(&Acked {
                now: ack.now,
                sample,
                packets: f64::from(ack.delivered),
                in_flight: f64::from(ack.in_flight),
                rtt,
                cwnd_limited: self.full_tx.is_some_and(|full| newest.is_none_or(|tx| tx <= full)),
            });
        }
        // A window does not grow while the application is the limit (RFC 7661).
        let grown = if ack.window_limited { f64::from(ack.delivered) } else { 0.0 };
        if ack.delivered > 0 {
            self.set_cwnd(grown);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.new_episode && loss.detection == Detection::Acks {
            self.enter_recovery();
        }
        self.delivery.on_lost(loss.packets);
        self.on_lost_packets(loss.now, loss.tx, loss.packets);
    }

    fn on_marked(&mut self, marked: &Marked) {
        // Any mark counts as congestion (the draft, "ECN"): as the loss of as many packets.
        self.delivery.on_lost(marked.packets);
        self.on_lost_packets(marked.now, marked.tx, marked.packets);
    }

    fn on_timeout(&mut self, _timeout: &Timeout) {
        self.enter_recovery();
        // C.inflight + 1, and nothing counts as in flight.
        self.cwnd = 1.0;
    }

    fn on_recovered(&mut self, _now: Time) {
        self.in_recovery = false;
        self.restore_cwnd();
    }

    fn on_spurious(&mut self, _now: Time) -> bool {
        self.undo_losses();
        true
    }

    fn window(&self) -> f64 {
        self.cwnd
    }

    fn release_at(&self) -> Option<Time> {
        Some(self.pace.next())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.rtt_seen.then(|| Rate::from_bytes_per_sec(self.pacing_rate * self.packet_bytes))
    }
}
