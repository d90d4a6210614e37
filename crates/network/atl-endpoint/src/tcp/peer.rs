//! A receiver's reports to a sender beyond acknowledgments (ATL paper, sec. IV-A, cases 2 and 3).

use atl_core::time::Time;
use atl_core::window::WindowController;

use super::sender::Sender;
use crate::feedback::accept_peer_report;
use crate::options::PeerLinkReport;

impl Sender {
    /// An ACK carried a report on the wireless link at the receiver's end. The retransmission timer
    /// ignores it: only RTT samples over the new network move the timer.
    pub fn on_peer_link_report(&mut self, now: Time, report: &PeerLinkReport) {
        let Some(handoff) = accept_peer_report(&mut self.peer, now, report) else { return };
        if let Some(handoff) = handoff {
            self.conn.path.controller.on_handoff(&handoff);
        }
        self.conn.path.controller.on_peer_report(now, &report.link);
    }

    /// An ACK carried the rate that the receiver requests, in packets per second.
    pub fn on_peer_rate(&mut self, now: Time, packets_per_sec: f64) {
        self.conn.path.controller.on_peer_rate(now, packets_per_sec);
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use crate::tcp::Recovery;
    use crate::tcp::Tcp;
    use atl_core::path::LinkReport;
    use atl_core::time::Span;
    use atl_core::units::Probability;
    use atl_core::window::{Ack, Controller, Handoff};
    use atl_link::random::Stream;

    use super::*;
    use crate::app::App;

    /// Exposes the events that it got: its window is the number of handoffs, its ssthresh the last
    /// reported delay in ms.
    #[derive(Clone, Debug)]
    struct Listener {
        handoffs: f64,
        delay_ms: f64,
    }

    impl WindowController for Listener {
        fn on_ack(&mut self, _ack: &Ack) {}
        fn on_loss(&mut self, _loss: &atl_core::window::Loss) {}
        fn on_timeout(&mut self, _timeout: &atl_core::window::Timeout) {}
        fn on_handoff(&mut self, _handoff: &Handoff) {
            self.handoffs += 1.0;
        }
        fn on_peer_report(&mut self, _now: Time, report: &LinkReport) {
            self.delay_ms = report.delay.millis();
        }
        fn window(&self) -> f64 {
            self.handoffs
        }
        fn ssthresh(&self) -> f64 {
            self.delay_ms
        }
    }

    #[test]
    fn a_report_that_arrives_late_is_not_a_second_handoff() {
        let controller = Box::new(Listener { handoffs: 0.0, delay_ms: 0.0 });
        let app = App::new(&Source::Greedy, 1000, Time::ZERO, Stream::new(1, "app"));
        let controller = Controller::Boxed(controller);
        let mut sender = Sender::new(Recovery::Sack, controller, &Tcp::default(), app);
        let mut after = |epoch, ms| {
            let link = LinkReport { loss: Probability::ZERO, delay: Span::from_millis(ms) };
            sender.on_peer_link_report(Time::from_millis(100), &PeerLinkReport { epoch, link });
            (sender.conn.path.controller.window(), sender.conn.path.controller.ssthresh())
        };
        assert_eq!(after(0, 10), (0.0, 10.0));
        assert_eq!(after(1, 150), (1.0, 150.0));
        assert_eq!(after(0, 10), (1.0, 150.0), "from the previous network");
        assert_eq!(after(1, 150), (1.0, 150.0), "already known");
        assert_eq!(after(3, 40), (2.0, 40.0), "the ACKs that reported handoff 2 were lost");
    }
}
