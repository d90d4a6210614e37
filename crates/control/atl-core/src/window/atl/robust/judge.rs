//! The evaluation of a finished round trip, and the reactions to it.

use super::TcpAtlRobust;
use super::bounds::LEAST_WINDOW;
use super::brake::{Verdict, longest_queue};
use super::rounds::Round;
use crate::time::{Span, Time};

/// Share of the path's measured capacity to which the window is set after the losses that ended
/// slow start.
const SETTLED: f64 = 0.95;
/// Least share of the window that is kept to drain a queue.
const LEAST_KEPT: f64 = 0.1;
/// Largest share: the curve needs a reduction to begin from.
const MOST_KEPT: f64 = 0.98;
/// Packets kept beyond that on a lossy link: losses count as in flight until they are detected.
const SPARE_PACKETS: f64 = 0.5;
/// Time without a congestion loss after which a flow counts as alone with flows of its kind, which
/// do not fill queues.
const AMONG_ITSELF: Span = Span::from_secs(10);
/// Growth in a round trip between two reductions of the brake, in roots of the window: it takes
/// some four of them to the next.
const STEP: f64 = 0.25;
/// Largest growth of an exploring window in a round trip, as a share of it.
const EXPLORED: f64 = 1.0 / 16.0;

impl TcpAtlRobust {
    /// The largest standing queue that is tolerated.
    pub(super) fn longest_queue(&self, base: Span) -> Option<Span> {
        let least = Span::from_secs_f64(self.config.least_queue);
        Some(longest_queue(base, self.cwnd, self.config.queue_share?, least))
    }

    /// Least packets per round trip to grow by in the next one, with a queue of `queue` of which
    /// `most` is tolerated.
    ///
    /// If the last reduction was the brake's and no loss is near, the next will be too, and it
    /// costs nothing: small steps follow each other quickly, and flows become alike within seconds.
    /// If it was a loss, a window beyond its old one explores, but only without a queue.
    fn next_stride(&self, now: Time, queue: Span, most: Span) -> f64 {
        if self.by_delay {
            if queue <= most { STEP * libm::sqrt(self.cwnd) } else { 0.0 }
        } else if queue <= most / 2 && self.curve.is_exploring(now) {
            (2.0 * self.stride).clamp(1.0, (EXPLORED * self.cwnd).max(1.0))
        } else {
            0.0
        }
    }

    /// Takes in the RTT of a packet. If the queue has stood for long, a draining round trip begins.
    pub(super) fn drain_queue(&mut self, now: Time, newest: Option<u64>, rtt: Span) {
        let Some(base) = self.path.rtt_min() else { return };
        let Some(most) = self.longest_queue(base) else { return };
        let queue = rtt.saturating_sub(base);
        if let Some(window) = self.drain.on_rtt(now, newest, queue, most) {
            self.return_to(window);
        } else if !self.in_slow_start()
            && let Some(part) = self.drain.begins(now, base, self.path.next(), self.cwnd)
        {
            self.cwnd = part.max(LEAST_WINDOW.min(self.cwnd));
            self.rounds.discard(now, self.path.next());
        }
    }

    /// Evaluates a finished round trip.
    pub(super) fn on_round(&mut self, now: Time, round: &Round) {
        if core::mem::take(&mut self.settling)
            && let Some(pipe) = self.pipe()
        {
            self.curve.aim(pipe.max(self.cwnd));
            let settled = SETTLED * pipe;
            self.return_to(settled.max(self.ssthresh));
            return;
        }
        if round.stale {
            return;
        }
        if self.in_slow_start() {
            self.judge_start(now, round);
            return;
        }
        let Some(base) = self.path.rtt_min() else { return };
        let Some(most) = self.longest_queue(base) else { return };
        match self.brake.judge(now, base, round.least, most, self.cwnd) {
            Verdict::Fine => {
                self.stride = self.next_stride(now, round.least.saturating_sub(base), most);
            }
            Verdict::Keep(keep) => {
                let spare = if self.path.is_marked() { SPARE_PACKETS } else { 0.0 };
                let keep = (keep + spare / self.cwnd).clamp(LEAST_KEPT, MOST_KEPT);
                self.curve.reduce(self.cwnd, keep);
                self.set_window(now, self.cwnd * keep);
                self.stride = 0.0;
                self.by_delay = self.lost_at.is_none_or(|at| now.since(at) > AMONG_ITSELF);
            }
            Verdict::Restore(window) => {
                self.curve.restart();
                self.return_to(window);
            }
        }
    }
}
