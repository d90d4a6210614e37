//! Source quench: a network node asks the sender to slow down.
//!
//! Source: RFC 792 (the ICMP message) and RFC 1122, sec. 4.2.3.9: TCP MUST slow down, and the
//! recommended way is "slow start, as if a retransmission timeout had occurred". RFC 6633
//! deprecated source quench in 2012. Today's hosts ignore it, and ECN (RFC 3168) does its work. It
//! is here for AAL-T, which has no other way to signal congestion to TCP (AAL-T paper, sec. 3).
//!
//! Left open by the source, and chosen:
//! - Only the window is reduced. Nothing is lost, so nothing is resent, and the timer is neither
//!   restarted nor backed off. ACKs of the packets in flight open the window again in slow start:
//!   the sender pauses while about half of the flight drains, and continues at ssthresh.
//!   `tcp_quench` of 4.3BSD does not even change ssthresh, so its slow start has no bound.
//! - At most one reaction per window of data: further quenches are ignored until all data
//!   outstanding at the last one is acknowledged (at least one segment). This is RFC 3168's rule
//!   for ECN (sec. 6.1.2); a queue of ATM cells marks many packets of one window. 4.3BSD reacts to
//!   each quench.
//! - During loss repair quenches are ignored for the same reason: the window has already been
//!   reduced for this data.
//! - Before the connection is open there is nothing to slow down.

use atl_core::time::Time;
use atl_core::window::{Quench, WindowController};

use super::connection::Phase;
use super::sender::Sender;

impl Sender {
    /// A source quench arrived. Call [`poll_send`](Self::poll_send) afterwards.
    pub fn on_quench(&mut self, now: Time) {
        let una = self.conn.board.una();
        if self.conn.phase != Phase::Open || una < self.quenched {
            return;
        }
        self.quenched = self.conn.board.next().max(una + 1);
        self.conn.counts.quenches += 1;
        let in_flight = self.in_flight();
        self.conn.path.controller.on_quench(&Quench::new(now, in_flight));
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

    /// A Tahoe sender that sent ten packets at 0, of which the first is acknowledged at 100 ms.
    fn sender(recovery: Recovery) -> Sender {
        let tahoe = ControllerConfig::from(tahoe::Config::default());
        let mut sender = testing::sender(&tahoe, recovery, 10.0, &Source::Greedy);
        assert_eq!(send(&mut sender, ms(0)), (0..10).collect::<Vec<_>>());
        assert_eq!(ack(&mut sender, ms(100), 1), [10, 11]);
        sender
    }

    fn ack(sender: &mut Sender, now: Time, ack: u64) -> Vec<u64> {
        let (echo_tx, sack) = (ack as u32 - 1, SackBlocks::default());
        sender.on_ack(
            now,
            &AckInfo { ack, echo_tx, echo_sent_at: now - ms(100).since(ms(0)), ecn_flags: 0, sack },
        );
        send(sender, now)
    }

    fn state(sender: &Sender) -> (f64, f64, u64) {
        let controller = sender.controller();
        (controller.window(), controller.ssthresh(), sender.counts().quenches)
    }

    #[test]
    fn the_window_falls_to_one_packet_and_nothing_is_resent() {
        for recovery in [Recovery::None, Recovery::Tahoe, Recovery::Sack, Recovery::Rack] {
            let mut s = sender(recovery);
            let due = s.next_timer(ms(100));
            let rto = s.conn.path.rtt.rto();
            s.on_quench(ms(110));
            assert_eq!(state(&s), (1.0, 5.5, 1));
            assert_eq!((send(&mut s, ms(110)), s.in_flight()), (vec![], 11));
            assert_eq!(
                (s.next_timer(ms(110)), s.conn.path.rtt.rto()),
                (due, rto),
                "the timer is unchanged"
            );
            // Each ACK opens the window by a packet and takes one out of flight, until they meet at
            // ssthresh.
            let sent: Vec<usize> = (2..=12).map(|n| ack(&mut s, ms(110 + n), n).len()).collect();
            assert_eq!(sent, [0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1], "{recovery:?}");
            assert_eq!((s.counts().retransmissions, s.counts().timeouts), (0, 0));
        }
    }

    #[test]
    fn quenches_for_one_window_of_data_cause_one_reaction() {
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
    fn an_idle_sender_reacts_once_until_it_sends_again() {
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
    fn quenches_during_loss_repair_are_ignored() {
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
        // The same after a timeout.
        let mut s = sender(Recovery::Tahoe);
        let due = s.next_timer(ms(100));
        s.on_timer(due);
        send(&mut s, due);
        let before = state(&s);
        s.on_quench(due + Span::from_millis(1));
        assert_eq!(state(&s), before);
    }

    #[test]
    fn a_sender_without_error_control_never_retransmits() {
        let mut s = sender(Recovery::None);
        assert_eq!(s.next_timer(ms(100)), Time::MAX, "the timer is infinite");
        // 1 is lost, and every later segment shows it.
        for n in 0..10 {
            assert_eq!(ack(&mut s, ms(101 + n), 1), []);
        }
        s.freeze(ms(120), super::super::FrozenBy::Host);
        s.thaw(ms(130), super::super::FrozenBy::Host);
        s.on_timer(ms(1_000_000));
        assert_eq!((send(&mut s, ms(1_000_000)), s.next_timer(ms(1_000_000))), (vec![], Time::MAX));
        let counts = s.counts();
        assert_eq!((counts.retransmissions, counts.timeouts, counts.recoveries), (0, 0, 0));
        assert_eq!(state(&s), (11.0, f64::INFINITY, 0), "losses do not change the window");
    }
}
