//! Probe packets at low priority: sent when the controller asks for them, in a sequence space of their own.

use atl_core::time::Time;
use atl_core::window::{Probe, ProbeAck, WindowController};

use super::receiver::AckInfo;
use super::sender::{Outgoing, Phase, Sender};
use crate::packet::expand;

impl Sender {
    /// The next probe to send now, if there is one.
    #[inline]
    pub(super) fn poll_probe(&mut self, now: Time) -> Option<Outgoing> {
        // Not asked for while it could not be sent: a controller numbers its probes as it hands them out.
        if self.phase == Phase::Connecting || self.frozen.is_some() {
            return None;
        }
        let probe = self.controller.poll_probe(now)?;
        let number = self.next_probe;
        self.next_probe += 1;
        self.counts.probes += 1;
        let copies = probe == Probe::Unacknowledged && !self.board.is_empty();
        let segment = copies.then(|| self.board.una());
        Some(Outgoing::Probe { number, segment })
    }

    /// An ACK that answers no packet, but repeats the last one: no measurement, and no duplicate that would tell
    /// of a loss. Ask for packets afterwards.
    pub fn on_repeated_ack(&mut self, now: Time, info: &AckInfo) {
        self.acknowledge(now, info, false);
    }

    /// The answer to a probe arrived. What a NIL segment has repaired shows in it as in any ACK, but it measures
    /// nothing: a probe waits behind all data. Ask for packets afterwards.
    pub fn on_probe_ack(&mut self, now: Time, info: &AckInfo) {
        let number = expand(self.next_probe, info.echo_tx);
        let rtt = now.since(info.echo_sent_at);
        self.controller.on_probe_ack(&ProbeAck { now, number, rtt });
        if info.ack > self.board.una() || info.sack[0].len != 0 {
            self.acknowledge(now, info, false);
        }
    }
}
