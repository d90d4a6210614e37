//! Source quench: a network node asks the sender to slow down.
//!
//! Source: RFC 792 (the ICMP message) and RFC 1122, sec. 4.2.3.9: TCP MUST slow down, and the recommended way is "slow start,
//! as if a retransmission timeout had occurred". RFC 6633 deprecated source quench in 2012: today's hosts ignore it, and ECN
//! (RFC 3168) does its work. It is here for AAL-T, which tells TCP of congestion in no other way (AAL-T paper, sec. 3).
//!
//! Left open by the source, and chosen:
//! - Only the window falls. Nothing is lost, so nothing is sent again, and the timer keeps its time and is not backed off.
//!   ACKs of what is in flight open the window again in slow start: the sender pauses while about half of the flight
//!   drains, and goes on at ssthresh. 4.3BSD's `tcp_quench` leaves even ssthresh as it is, and starts with no bound.
//! - At most one reaction to a window of data: further quenches are ignored until all is acknowledged that was outstanding
//!   at the last one (at least one segment). That is RFC 3168's rule for ECN (sec. 6.1.2); a queue of ATM cells marks many
//!   packets of one window. 4.3BSD reacts to each.
//! - While a loss is repaired the window has already been reduced for this data: ignored, for the same reason.
//! - Before the connection is open there is nothing to slow down.

use atl_core::time::Time;
use atl_core::window::{Quench, WindowController};

use super::connection::Phase;
use super::sender::Sender;

impl Sender {
    /// A source quench arrived. Ask for packets afterwards.
    pub fn on_quench(&mut self, now: Time) {
        let una = self.conn.board.una();
        if self.conn.phase != Phase::Open || una < self.quenched {
            return;
        }
        self.quenched = self.conn.board.next().max(una + 1);
        self.conn.counts.quenches += 1;
        let in_flight = self.in_flight();
        self.conn.controller.on_quench(&Quench::new(now, in_flight));
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use crate::tcp::Recovery;
    use atl_core::time::Span;
    use atl_core::window::{ControllerConfig, tahoe};

    use super::*;
    use crate::options::SackBlocks;
    use crate::tcp::AckInfo;
    use crate::tcp::testing::{self, send};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Tahoe's window of ten packets, sent at 0, of which the first is acknowledged at 100 ms.
    fn sender(recovery: Recovery) -> Sender {
        let tahoe = ControllerConfig::from(tahoe::Config::default());
        let mut sender = testing::sender(&tahoe, recovery, 10.0, &Source::Greedy);
        assert_eq!(send(&mut sender, ms(0)), (0..10).collect::<Vec<_>>());
        assert_eq!(ack(&mut sender, ms(100), 1), [10, 11]);
        sender
    }

    fn ack(sender: &mut Sender, now: Time, ack: u64) -> Vec<u64> {
        let (echo_tx, sack) = (ack as u32 - 1, SackBlocks::default());
        sender
            .on_ack(now, &AckInfo { ack, echo_tx, echo_sent_at: now - ms(100).since(ms(0)), sack });
        send(sender, now)
    }

    fn state(sender: &Sender) -> (f64, f64, u64) {
        let controller = sender.controller();
        (controller.window(), controller.ssthresh(), sender.counts().quenches)
    }

    #[test]
    fn the_window_falls_to_one_packet_and_nothing_is_sent_again() {
        for recovery in [Recovery::None, Recovery::Tahoe, Recovery::Sack, Recovery::Rack] {
            let mut s = sender(recovery);
            let due = s.next_timer(ms(100));
            let rto = s.conn.rtt.rto();
            s.on_quench(ms(110));
            assert_eq!(state(&s), (1.0, 5.5, 1));
            assert_eq!((send(&mut s, ms(110)), s.in_flight()), (vec![], 11));
            assert_eq!((s.next_timer(ms(110)), s.conn.rtt.rto()), (due, rto), "the timer stays");
            // Each ACK opens the window by a packet and the flight falls by one, until they meet at ssthresh.
            let sent: Vec<usize> = (2..=12).map(|n| ack(&mut s, ms(110 + n), n).len()).collect();
            assert_eq!(sent, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "{recovery:?}");
            assert_eq!((s.counts().retransmissions, s.counts().timeouts), (0, 0));
        }
    }

    #[test]
    fn one_window_of_data_is_slowed_down_once() {
        let mut s = sender(Recovery::None);
        for at in 110..120 {
            s.on_quench(ms(at));
        }
        for n in 2..12 {
            ack(&mut s, ms(118 + n), n);
            s.on_quench(ms(118 + n));
        }
        assert_eq!(s.counts().quenches, 1);
        let before = s.controller().window();
        assert!(before > 5.0, "{before}");
        // The last of the twelve that were outstanding is acknowledged.
        ack(&mut s, ms(130), 12);
        let before = s.controller().window();
        s.on_quench(ms(130));
        assert_eq!(state(&s), (1.0, before / 2.0, 2));
    }

    #[test]
    fn an_idle_sender_reacts_once_until_it_has_sent() {
        let reno = testing::reno();
        let source = Source::Fixed { bytes: 4_000 };
        let mut s = testing::sender(&reno, Recovery::Sack, 16.0, &source);
        assert_eq!(send(&mut s, ms(0)), [0, 1, 2, 3]);
        ack(&mut s, ms(100), 4);
        for at in 110..120 {
            s.on_quench(ms(at));
        }
        let (window, ssthresh, quenches) = state(&s);
        assert_eq!((window, quenches), (1.0, 1));
        assert!(ssthresh >= 8.0, "{ssthresh}");
    }

    #[test]
    fn while_a_loss_is_repaired_a_quench_says_nothing_new() {
        for recovery in [Recovery::Tahoe, Recovery::NewReno] {
            let mut s = sender(recovery);
            for at in 101..104 {
                ack(&mut s, ms(at), 1);
            }
            assert_eq!(s.counts().recoveries, 1);
            let before = state(&s);
            s.on_quench(ms(110));
            assert_eq!(state(&s), before);
        }
        // Nor after a timeout.
        let mut s = sender(Recovery::Tahoe);
        let due = s.next_timer(ms(100));
        s.on_timer(due);
        send(&mut s, due);
        let before = state(&s);
        s.on_quench(due + Span::from_millis(1));
        assert_eq!(state(&s), before);
    }

    #[test]
    fn a_sender_without_error_control_never_sends_anything_again() {
        let mut s = sender(Recovery::None);
        assert_eq!(s.next_timer(ms(100)), Time::MAX, "an infinite timer");
        // 1 is lost, and all that follows shows it.
        for n in 0..10 {
            assert_eq!(ack(&mut s, ms(101 + n), 1), []);
        }
        s.freeze(ms(120), super::super::FrozenBy::Host);
        s.thaw(ms(130), super::super::FrozenBy::Host);
        s.on_timer(ms(1_000_000));
        assert_eq!((send(&mut s, ms(1_000_000)), s.next_timer(ms(1_000_000))), (vec![], Time::MAX));
        let counts = s.counts();
        assert_eq!((counts.retransmissions, counts.timeouts, counts.recoveries), (0, 0, 0));
        assert_eq!(state(&s), (11.0, f64::INFINITY, 0), "and no loss moves the window");
    }
}
