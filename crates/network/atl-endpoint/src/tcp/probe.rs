//! Low-priority probe packets, sent when the controller asks for them, with numbers of their own.

use atl_core::time::Time;
use atl_core::window::{Probe, ProbeAck, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::paths::FIRST_NUMBER;
use super::sender::{Outgoing, Sender};
use crate::number::expand;

impl Sender {
    /// False while there is no connection and while it is frozen.
    #[inline]
    pub(super) fn may_probe(&self) -> bool {
        self.conn.phase != Phase::Connecting && self.frozen.is_none()
    }

    /// The next probe to send now, if any.
    #[inline]
    pub(super) fn poll_probe(&mut self, now: Time) -> Option<Outgoing> {
        // The controller numbers probes as it hands them out, so it is asked only when a probe can
        // be sent.
        if !self.may_probe() {
            return None;
        }
        let probe = self.conn.path.controller.poll_probe(now)?;
        let number = self.next_probe;
        self.next_probe += 1;
        self.conn.counts.probes += 1;
        let copies = probe == Probe::Unacknowledged && !self.conn.board.is_empty();
        let segment = copies.then(|| self.conn.board.una());
        let bytes = match segment {
            Some(seq) => {
                self.conn.counts.copies += 1;
                self.conn.board.bytes(seq).into()
            }
            None => self.conn.packet_bytes,
        };
        self.conn.counts.probe_bytes += u64::from(bytes);
        Some(Outgoing::Probe { number, segment, path: self.conn.path.id, bytes })
    }

    /// An ACK that answers no packet but repeats the last one: no RTT sample, and no duplicate that
    /// would indicate a loss. Call [`poll_send`](Self::poll_send) afterwards.
    pub fn on_repeated_ack(&mut self, now: Time, info: &AckInfo) {
        self.acknowledge_unmeasured(now, info);
    }

    fn acknowledge_unmeasured(&mut self, now: Time, info: &AckInfo) {
        if self.paths.is_some() {
            self.acknowledge_roaming(now, info, false);
        } else {
            self.acknowledge(now, info, false);
        }
    }

    /// The ACK of a probe arrived. It may acknowledge a segment that a NIL segment repaired, but
    /// gives no RTT sample, because probes queue behind all data. Call
    /// [`poll_send`](Self::poll_send) afterwards.
    pub fn on_probe_ack(&mut self, now: Time, info: &AckInfo) {
        if info.echo_tx >= FIRST_NUMBER {
            self.on_survey_ack(now, info);
        } else if let Some(number) =
            expand(self.next_probe, info.echo_tx).checked_sub(self.first_probe)
        {
            let rtt = now.since(info.echo_sent_at);
            self.conn.path.controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
        }
        if info.ack > self.conn.board.una() || info.sack[0].len != 0 {
            self.acknowledge_unmeasured(now, info);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use crate::tcp::Recovery;
    use atl_core::window::{ControllerConfig, peach};

    use super::super::testing;
    use super::*;
    use crate::options::SackBlocks;

    /// The window in packets that the ACKs of ten dummy segments give to TCP-Peach with this
    /// source.
    fn window_after_dummies(source: &Source) -> f64 {
        let controller = ControllerConfig::from(peach::Config::default());
        let mut sender = testing::sender(&controller, Recovery::NewReno, 2.0, source);
        let info = |ack, echo_tx, echo_sent_at| AckInfo {
            ack,
            echo_tx,
            echo_sent_at,
            ecn_flags: 0,
            sack: SackBlocks::default(),
        };
        while sender.poll_send(Time::ZERO).is_some() {}
        sender.on_ack(Time::from_millis(100), &info(1, 0, Time::ZERO));
        let mut probes = 0;
        for ms in 100..150 {
            let now = Time::from_millis(ms);
            sender.on_timer(now);
            while let Some(out) = sender.poll_send(now) {
                probes += u32::from(matches!(out, Outgoing::Probe { .. }));
            }
        }
        assert!(probes >= 10, "{probes}");
        let before = sender.controller().window();
        for number in 0..10 {
            sender.on_probe_ack(Time::from_millis(250), &info(1, number, Time::from_millis(100)));
        }
        sender.controller().window() - before
    }

    #[test]
    fn dummy_segments_open_the_window_only_if_the_application_has_more_to_send() {
        assert!((window_after_dummies(&Source::Greedy) - 10.0).abs() < 1e-9);
        assert!(window_after_dummies(&Source::Fixed { bytes: 2_000 }).abs() < 1e-9);
    }
}
