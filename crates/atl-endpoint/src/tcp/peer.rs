//! What a sender hears of the wireless link at the receiver's end (ATL paper, sec. IV-A, cases 2 and 3).

use atl_core::time::Time;
use atl_core::window::WindowController;

use super::sender::Sender;
use crate::options::WirelessOption;
use crate::voice::hear;

impl Sender {
    /// An ACK carried a report. The retransmission timer trusts none of it: the samples that come over the new
    /// network are what moves it.
    pub fn on_wireless_option(&mut self, now: Time, option: &WirelessOption) {
        let Some(handoff) = hear(&mut self.peer, now, option) else { return };
        if let Some(handoff) = handoff {
            self.conn.controller.on_handoff(&handoff);
        }
        self.conn.controller.on_peer_report(now, &option.link);
    }

    /// An ACK carried the rate that the receiver asks for, in packets per second.
    pub fn on_peer_rate(&mut self, now: Time, packets_per_sec: f64) {
        self.conn.controller.on_peer_rate(now, packets_per_sec);
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

    /// Counts: a packet of window for each handoff, ssthresh for the delay last reported in ms.
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
    fn a_report_that_was_overtaken_is_no_second_handoff() {
        let controller = Box::new(Listener { handoffs: 0.0, delay_ms: 0.0 });
        let app = App::new(&Source::Greedy, 1000, Time::ZERO, Stream::new(1, "app"));
        let controller = Controller::Boxed(controller);
        let mut sender = Sender::new(Recovery::Sack, controller, &Tcp::default(), app);
        let mut hears = |epoch, ms| {
            let link = LinkReport { loss: Probability::ZERO, delay: Span::from_millis(ms) };
            sender.on_wireless_option(Time::from_millis(100), &WirelessOption { epoch, link });
            (sender.conn.controller.window(), sender.conn.controller.ssthresh())
        };
        assert_eq!(hears(0, 10), (0.0, 10.0));
        assert_eq!(hears(1, 150), (1.0, 150.0));
        assert_eq!(hears(0, 10), (1.0, 150.0), "of the network before");
        assert_eq!(hears(1, 150), (1.0, 150.0), "known already");
        assert_eq!(hears(3, 40), (2.0, 40.0), "the ACKs of one in between were lost");
    }
}
