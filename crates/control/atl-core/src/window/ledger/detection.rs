//! Loss detection for senders without their own (RFC 9002, sec. 6).

use super::{Ledger, NumberSpace, PacketId};
use crate::time::{Span, Time};
use crate::window::WindowController;

impl<C: WindowController> Ledger<C> {
    /// Finds the packets that are lost by packet or time threshold (RFC 9002, sec. 6.1), reports
    /// them to the controller as [`on_lost`](Self::on_lost) does, and returns them: the sender
    /// sends their data again in new packets. Call it after each acknowledgment and at each
    /// [`next_timeout`](Self::next_timeout).
    pub fn detect_losses(&mut self, now: Time) -> &[PacketId] {
        let mut lost = core::mem::take(&mut self.lost);
        lost.clear();
        let wait = self.reordering_time();
        for id in NumberSpace::ALL {
            let space = &self.spaces[id as usize];
            let Some(largest) = space.largest_acked else { continue };
            let late = space.overtaken().filter(|entry| {
                largest - entry.number >= self.config.packet_threshold
                    || entry.sent_at.saturating_add(wait) <= now
            });
            lost.extend(late.map(|entry| PacketId::new(id, entry.number)));
        }
        if !lost.is_empty() {
            self.on_lost(now, lost.iter().copied());
        }
        self.lost = lost;
        &self.lost
    }

    /// The latest time for the next call of [`on_timeout`](Self::on_timeout) and
    /// [`detect_losses`](Self::detect_losses); `None` while nothing is in flight and the controller
    /// has no timeout. The controller's pacing is not part of it.
    pub fn next_timeout(&self) -> Option<Time> {
        let recovery = self.loss_time().or_else(|| self.probe_timeout());
        [recovery, self.controller.next_timeout()].into_iter().flatten().min()
    }

    /// Handles the time that [`next_timeout`](Self::next_timeout) named. Returns true if a probe
    /// timeout expired (RFC 9002, sec. 6.2): the sender then sends a packet at once, whatever the
    /// window says, so that the peer acknowledges something. The next probe timeout is twice as
    /// long.
    pub fn on_timeout(&mut self, now: Time) -> bool {
        if self.controller.next_timeout().is_some_and(|at| at <= now) {
            self.controller.on_tick(now);
        }
        let expired =
            self.loss_time().is_none() && self.probe_timeout().is_some_and(|at| at <= now);
        if expired {
            self.probe_timeouts += 1;
            self.last_probe = now;
        }
        expired
    }

    /// The time at which the next packet is lost by the time threshold.
    fn loss_time(&self) -> Option<Time> {
        let wait = self.reordering_time();
        let oldest = self.spaces.iter().filter_map(|space| space.overtaken().next());
        oldest.map(|entry| entry.sent_at.saturating_add(wait)).min()
    }

    /// The time at which the probe timeout expires.
    fn probe_timeout(&self) -> Option<Time> {
        let waiting =
            NumberSpace::ALL.into_iter().filter(|&id| self.spaces[id as usize].in_flight() > 0);
        waiting
            .map(|id| {
                let delay =
                    if id == NumberSpace::Data { self.config.max_ack_delay } else { Span::ZERO };
                let span = self.probe_span(delay) * (1 << self.probe_timeouts.min(62));
                let since = self.spaces[id as usize].last_sent.max(self.last_probe);
                since.saturating_add(span.min(self.config.rtt.max_rto))
            })
            .min()
    }

    /// PTO without its back-off (RFC 9002, sec. 6.2.1).
    pub(super) fn probe_span(&self, max_ack_delay: Span) -> Span {
        Span::from_nanos(self.rtt.rto().nanos().saturating_add(max_ack_delay.nanos()))
    }

    /// The time after which a packet that later ones have overtaken counts as lost (RFC 9002, sec.
    /// 6.1.2).
    fn reordering_time(&self) -> Span {
        let rtt = self.rtt.srtt().unwrap_or_default().max(self.latest_rtt);
        // `max` turns NaN into 1.
        rtt.mul_f64(1.0f64.max(self.config.time_threshold)).max(self.config.rtt.granularity)
    }
}
