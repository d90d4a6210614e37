//! Pacing rate and window ("Updating Control Parameters").

use super::state::State;
use super::{Bbr3, LARGEST_WINDOW, LEAST_PIPE};

/// 1 - BBR.PacingMarginPercent.
const MARGIN: f64 = 0.99;
/// C.send_quantum: seconds at the pacing rate, packets at least and bytes at most.
const QUANTUM_SECS: f64 = 0.001;
const QUANTUM_PACKETS: f64 = 2.0;
const QUANTUM_BYTES: f64 = 65_536.0;
/// The first window of a new connection (RFC 6928), in packets.
const USUAL_INITIAL: f64 = 10.0;
/// Bounds on the pacing rate, in packets per second.
const LEAST_RATE: f64 = 1e-3;
const LARGEST_RATE: f64 = 1e9;

impl Bbr3 {
    /// InitPacingRate: the first window, of `initial` packets, in a round trip of `rtt` seconds,
    /// and as much more as the start wants. What a window that was carried over or surveyed has
    /// beyond a usual first one gets no more than that: at 2.77 times the rate it would be lost
    /// where others use the path (RFC 9959 spreads such a window over a round trip, too).
    pub(super) fn first_rate(initial: f64, rtt: f64) -> f64 {
        let gain = State::Startup.pacing_gain(1.0);
        let volume = (gain * initial.min(USUAL_INITIAL)).max(initial);
        (volume / rtt).clamp(LEAST_RATE, LARGEST_RATE)
    }

    /// SetPacingRateWithGain.
    pub(super) fn set_pacing_rate(&mut self, gain: f64) {
        let rate = gain * self.model.rate * MARGIN;
        if rate > 0.0 && (self.full_pipe.reached || rate > self.pacing_rate) {
            self.pacing_rate = rate.clamp(LEAST_RATE, LARGEST_RATE);
        }
    }

    /// BDPMultiple.
    pub(super) fn bdp(&self, gain: f64) -> f64 {
        self.bdp_at(self.model.rate, gain)
    }

    fn bdp_at(&self, rate: f64, gain: f64) -> f64 {
        if self.least_rtt.secs.is_infinite() {
            return self.initial;
        }
        gain * rate * self.least_rtt.secs
    }

    /// `BBRInflight`, in packets.
    pub(super) fn inflight(&self, rate: f64, gain: f64) -> f64 {
        self.quantize(self.bdp_at(rate, gain))
    }

    /// QuantizationBudget, with the budget of QUIC's senders: a quantum.
    fn quantize(&self, volume: f64) -> f64 {
        let most = (QUANTUM_BYTES / self.packet_bytes).max(QUANTUM_PACKETS);
        let quantum = (QUANTUM_SECS * self.pacing_rate).clamp(QUANTUM_PACKETS, most);
        let volume = volume.max(quantum).max(LEAST_PIPE);
        if self.state == State::Up { volume + 2.0 } else { volume }
    }

    /// SetCwnd, after `packets` arrived that let the window grow.
    pub(super) fn set_cwnd(&mut self, packets: f64) {
        let extra = self.model.extra.get(!self.full_pipe.reached);
        let most = self.quantize(self.bdp(self.state.cwnd_gain()) + extra);
        if self.full_pipe.reached {
            self.cwnd = (self.cwnd + packets).min(most);
        } else if self.cwnd < most || (self.delivery.delivered() as f64) < self.initial {
            self.cwnd += packets;
        }
        if packets > 0.0 {
            self.cwnd = self.cwnd.max(LEAST_PIPE);
        }
        // BoundCwndForProbeRTT.
        if self.state == State::ProbeRtt {
            self.cwnd = self.cwnd.min(self.probe_rtt_cwnd());
        }
        self.cwnd = self.cwnd.min(self.model_cap()).min(LARGEST_WINDOW);
    }

    /// The cap of BoundCwndForModel.
    fn model_cap(&self) -> f64 {
        let long = match self.state {
            State::Cruise | State::ProbeRtt => self.inflight_with_headroom(),
            State::Down | State::Refill | State::Up => self.model.long_volume,
            State::Startup | State::Drain => f64::INFINITY,
        };
        long.min(self.model.short_volume).max(LEAST_PIPE)
    }
}
