//! The sending half: it paces at the rate that the receiver requests.

use super::Config;
use crate::time::{Span, Time};
use crate::units::Rate;
use crate::window::{Ack, Loss, Sent, Start, Timeout, WindowController};

/// Least window of the guard in packets, as loss detection by ACKs needs.
const LEAST_GUARD: f64 = 4.0;
/// Packets of the opening pair.
const PAIR: f64 = 2.0;

/// The opening burst: at least a pair.
pub(super) fn initial_window(start: &Start) -> f64 {
    // `max` turns NaN into 2.
    PAIR.max(start.initial_window).min(10_000.0)
}

/// The sender's half of [WTCP](super). Its window does not control the rate: it stops a sender that
/// no ACK reaches.
#[derive(Clone, Debug)]
pub struct Sender {
    config: Config,
    initial_window: f64,
    packet_bytes: u32,
    rate: Option<f64>,
    srtt: Span,
    last_sent: Option<Time>,
    /// True from an expiry of the timer to the next ACK.
    probing: bool,
}

impl Sender {
    /// The sender of a connection that begins with `start`.
    pub fn new(config: &Config, start: &Start) -> Self {
        Sender {
            config: config.usable(),
            initial_window: initial_window(start),
            packet_bytes: start.packet_bytes,
            rate: None,
            srtt: Span::ZERO,
            last_sent: None,
            probing: false,
        }
    }

    /// The rate in force in packets per second; `None` until the receiver has requested one.
    pub fn rate(&self) -> Option<f64> {
        self.rate
    }
}

impl WindowController for Sender {
    fn on_sent(&mut self, sent: &Sent) {
        self.last_sent = Some(sent.now);
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.srtt = ack.srtt;
        if ack.delivered > 0 {
            self.probing = false;
        }
    }

    /// The receiver evaluates losses.
    fn on_loss(&mut self, _loss: &Loss) {}

    fn on_timeout(&mut self, _timeout: &Timeout) {
        self.probing = true;
    }

    fn on_peer_rate(&mut self, _now: Time, packets_per_sec: f64) {
        if packets_per_sec.is_finite() {
            self.rate = Some(packets_per_sec.clamp(self.config.min_rate, self.config.max_rate));
        }
    }

    fn window(&self) -> f64 {
        if self.probing {
            return 1.0;
        }
        match self.rate {
            None => self.initial_window,
            Some(rate) => LEAST_GUARD.max(self.config.guard * rate * self.srtt.secs()),
        }
    }

    fn ssthresh(&self) -> f64 {
        f64::INFINITY
    }

    fn pacing_rate(&self) -> Option<Rate> {
        Some(Rate::from_bytes_per_sec(self.rate? * f64::from(self.packet_bytes)))
    }

    fn release_at(&self) -> Option<Time> {
        let (rate, last) = (self.rate?, self.last_sent?);
        Some(last.saturating_add(Span::from_secs_f64(1.0 / rate)))
    }
}
