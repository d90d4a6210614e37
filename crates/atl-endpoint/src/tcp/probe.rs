//! Probe packets at low priority: sent when the controller asks for them, in a sequence space of their own.

use atl_core::time::Time;
use atl_core::window::{Probe, ProbeAck, WindowController};

use super::ack::AckInfo;
use super::connection::Phase;
use super::sender::{Outgoing, Sender};
use crate::number::expand;

impl Sender {
    /// The next probe to send now, if there is one.
    #[inline]
    pub(super) fn poll_probe(&mut self, now: Time) -> Option<Outgoing> {
        // Not asked for while it could not be sent: a controller numbers its probes as it hands them out.
        if self.conn.phase == Phase::Connecting || self.frozen.is_some() {
            return None;
        }
        let probe = self.conn.controller.poll_probe(now)?;
        let number = self.next_probe;
        self.next_probe += 1;
        self.conn.counts.probes += 1;
        let copies = probe == Probe::Unacknowledged && !self.conn.board.is_empty();
        let segment = copies.then(|| self.conn.board.una());
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
        self.conn.controller.on_probe_ack(&ProbeAck::new(now, number, rtt));
        if info.ack > self.conn.board.una() || info.sack[0].len != 0 {
            self.acknowledge(now, info, false);
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

    /// By how much the answers to ten dummies open TCP-Peach's window, of an application with so much to send.
    fn window_after_dummies(source: &Source) -> f64 {
        let controller = ControllerConfig::from(peach::Config::default());
        let mut sender = testing::sender(&controller, Recovery::NewReno, 2.0, source);
        let info = |ack, echo_tx, echo_sent_at| AckInfo {
            ack,
            echo_tx,
            echo_sent_at,
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
    fn dummies_open_the_window_only_of_an_application_that_has_more_to_send() {
        assert!((window_after_dummies(&Source::Greedy) - 10.0).abs() < 1e-9);
        assert!(window_after_dummies(&Source::Fixed { bytes: 2_000 }).abs() < 1e-9);
    }
}
