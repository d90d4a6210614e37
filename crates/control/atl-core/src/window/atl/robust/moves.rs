//! The moves of the window: growth, reduction, collapse.

use super::TcpAtlRobust;
use super::bounds::{LARGEST_WINDOW, LEAST_WINDOW};
use crate::time::{Span, Time};
use crate::window::{Ack, Timeout};

/// A window of this many times what the path delivers in an SRTT, and four packets, has no use.
const USEFUL: f64 = 1.25;

impl TcpAtlRobust {
    /// Reduces the window. Packets sent before count neither as losses of the new window nor as its
    /// queue.
    pub(super) fn set_window(&mut self, now: Time, packets: f64) {
        self.ssthresh = packets.clamp(LEAST_WINDOW, LARGEST_WINDOW);
        self.cwnd = self.cwnd.min(self.ssthresh);
        self.reduced_tx = self.path.next();
        self.rounds.discard(now, self.path.next());
    }

    /// Lets the window return to `packets` by slow start: no ACK adds more than it acknowledges.
    pub(super) fn return_to(&mut self, packets: f64) {
        self.ssthresh = packets.clamp(self.cwnd.max(LEAST_WINDOW), LARGEST_WINDOW);
    }

    /// Reacts to a congestion loss. In slow start the window falls to the delivery rate of the
    /// path, if that is known yet.
    pub(super) fn reduce(&mut self, now: Time) {
        let base = self.path.rtt_min();
        let largest = self.rounds.largest();
        let drained = base.filter(|_| !largest.is_zero()).map(|base| base.secs() / largest.secs());
        let (low, high) = (self.config.least_beta, self.config.largest_beta);
        let mut beta = drained.unwrap_or(high).clamp(low, high);
        if self.ssthresh.is_infinite() {
            let pipe = self.pipe().unwrap_or(0.0);
            beta = (pipe / self.cwnd).clamp(0.5, beta);
            self.settling = true;
        }
        self.stride = 0.0;
        self.by_delay = false;
        self.beta = beta;
        self.lost_at = Some(now);
        if let Some(window) = self.drain.on_loss(beta) {
            // Draining has made the window smaller than that already.
            self.curve.reduce(window, beta);
            self.reduced_tx = self.path.next();
        } else {
            self.curve.reduce(self.cwnd, beta);
            self.set_window(now, beta * self.cwnd);
        }
        self.brake.on_loss(beta);
    }

    /// Collapses the window. It keeps a share of the window or, where an earlier timeout has made
    /// it small, of the data in flight (RFC 5681, eq. 4).
    pub(super) fn collapse(&mut self, timeout: &Timeout, beta: f64) {
        let Timeout { now, in_flight, consecutive, .. } = *timeout;
        if consecutive <= 1 {
            let before = self.cwnd.max(f64::from(in_flight).min(self.largest_flight()));
            self.settling |= self.ssthresh.is_infinite();
            self.ssthresh = (beta * before).max(LEAST_WINDOW);
            self.curve.reduce(before, beta.min(self.config.largest_beta));
        }
        self.cwnd = 1.0;
        self.collapsed = Some(self.path.next());
        self.stride = 0.0;
        self.by_delay = false;
        self.reduced_tx = self.path.next();
        if !self.settling {
            self.rounds.discard(now, self.path.next());
        }
        self.brake.forget();
        self.drain.restart(now);
    }

    /// Data in flight beyond this belongs to an earlier, larger window.
    pub(super) fn largest_flight(&self) -> f64 {
        if self.ssthresh.is_finite() { self.ssthresh } else { self.cwnd }
    }

    /// Handles the first arrival after a timeout. If the packet left before it, the path never
    /// stopped delivering: the timer was too early (RFC 4015), or a retransmission was lost. The
    /// window may then grow with all arrivals, back to ssthresh within a round trip.
    pub(super) fn on_first_arrival(&mut self, newest: Option<u64>, since: u64) {
        if let Some(tx) = newest
            && tx < since
        {
            self.reduced_tx = tx;
        }
    }

    /// Largest window that limits the flow. Beyond it the limit is pacing at the access link's
    /// rate.
    fn largest_useful(&self, srtt: Span) -> f64 {
        let rate = self.rounds.rate();
        if rate > 0.0 {
            USEFUL * rate * self.path.srtt().unwrap_or(srtt).secs() + 4.0
        } else {
            f64::INFINITY
        }
    }

    /// Grows by an ACK while the window, or pacing by it, limits the sender.
    pub(super) fn grow(&mut self, ack: &Ack) {
        // While the sender repairs losses that were spared, the cumulative point says nothing.
        let cumulative = if ack.in_recovery { ack.delivered } else { ack.cumulative };
        let packets = self.config.counting.packets(&Ack { cumulative, ..*ack });
        if self.in_slow_start() {
            if ack.window_limited {
                self.cwnd = (self.cwnd + packets).min(self.ssthresh).min(LARGEST_WINDOW);
            }
            return;
        }
        if !ack.window_limited || self.cwnd > self.largest_useful(ack.srtt) {
            self.curve.pause();
            return;
        }
        let rtt = self.path.rtt_min().unwrap_or(ack.srtt);
        let alpha = self.alpha();
        let grown = self.curve.grown(ack.now, rtt, self.cwnd, packets, alpha, self.config.cubic);
        let explored = self.cwnd + packets * (self.stride / self.cwnd).min(1.0);
        self.cwnd = grown.max(explored).min(LARGEST_WINDOW);
    }

    /// The pacing rate in packets per second, once an RTT is known.
    pub(super) fn rate(&self) -> Option<f64> {
        let gain = if self.in_slow_start() { Some(self.config.start_pace) } else { None };
        let gain = gain.or(self.config.pace)?;
        let rtt = self.path.srtt()?.secs();
        Some(gain * self.cwnd / rtt.max(1e-9))
    }
}
