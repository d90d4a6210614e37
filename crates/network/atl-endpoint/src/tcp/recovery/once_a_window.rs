//! One fast retransmit for all losses of a window, as ns-2 2.35 has it by default.
//!
//! Source: ns-2's `tcp.cc`, `tcp-reno.cc` and `tcp-newreno.cc` with `bugFix_` on, which is their
//! default; Floyd, "TCP and successive fast retransmits", 1994, for the reason. RFC 6582 (sec. 3.2,
//! step 2) says the same of what was outstanding at a timeout. After a fast retransmit or a
//! timeout, the third duplicate ACK says nothing until everything outstanding at that time, and one
//! segment more, is acknowledged. Reno, whose recovery ends at the first new ACK, then has only the
//! timer for each further loss of the window.
//!
//! Duplicates that say nothing release nothing: ns-2 does not inflate the window for them. The
//! first two still release a packet each (`singledup_`, RFC 3042).

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::{WithoutSack, is_fresh};
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::scoreboard::DUP_THRESH;

/// A recovery without SACK with this restriction.
#[derive(Debug)]
pub(in crate::tcp) struct OnceAWindow<R>(pub(super) R);

impl<R: WithoutSack> WithoutSack for OnceAWindow<R> {
    fn reads_duplicates(&self) -> bool {
        self.0.reads_duplicates()
    }

    fn counts_duplicate(&self, c: &Connection) -> bool {
        c.phase == Phase::Recovery
            || c.duplicates + 1 < DUP_THRESH
            || (c.phase == Phase::Open && is_fresh(c))
    }

    fn keeps_timer(&self, c: &Connection) -> bool {
        self.0.keeps_timer(c)
    }

    fn on_partial_ack(&mut self, c: &mut Connection, now: Time) -> Partial {
        self.0.on_partial_ack(c, now)
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        self.0.find_losses(c, now, ack);
        c.after_timeout |= c.phase == Phase::Recovery;
    }
}

#[cfg(test)]
mod tests {
    use atl_core::time::Span;
    use atl_core::window::WindowController;

    use super::*;
    use crate::app::Source;
    use crate::options::SackBlocks;
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Recovery, Sender};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// Reno's controller on this recovery, with ten packets sent at 0.
    fn sender(recovery: Recovery) -> Sender {
        let mut s = testing::sender(&testing::reno(), recovery, 10.0, &Source::Greedy);
        assert_eq!(send(&mut s, ms(0)), (0..10).collect::<Vec<_>>());
        s
    }

    fn ack(s: &mut Sender, at: u64, ack: u64) -> Vec<u64> {
        let echo_tx = s.conn.board.newest_tx() as u32;
        let echo_sent_at = Time::ZERO;
        let sack = SackBlocks::default();
        s.on_ack(ms(at), &AckInfo { ack, echo_tx, echo_sent_at, ecn_flags: 0, sack });
        send(s, ms(at))
    }

    /// Segments 1 and 3 are lost: the first is resent at 103 ms, and its ACK comes at 203 ms.
    fn lose_two(recovery: Recovery) -> Sender {
        let mut s = sender(recovery);
        ack(&mut s, 100, 1);
        for k in 1..=2 {
            ack(&mut s, 100 + k, 1);
        }
        assert_eq!(ack(&mut s, 103, 1), [1], "{recovery:?}");
        ack(&mut s, 203, 3);
        s
    }

    #[test]
    fn a_second_loss_of_renos_window_waits_for_the_timer() {
        for (recovery, recoveries) in [(Recovery::Reno, 2), (Recovery::RenoNs2, 1)] {
            let mut s = lose_two(recovery);
            let resent: Vec<u64> = (1..=4).flat_map(|k| ack(&mut s, 203 + k, 3)).collect();
            assert_eq!(s.counts().recoveries, recoveries, "{recovery:?}");
            assert_eq!(resent.contains(&3), recoveries == 2, "{recovery:?}");
            if recoveries == 1 {
                let due = s.next_timer(ms(207));
                s.on_timer(due);
                assert_eq!((s.counts().timeouts, send(&mut s, due)), (1, vec![3]));
            }
        }
    }

    #[test]
    fn newreno_repairs_both_and_then_waits_for_one_segment_more() {
        let mut s = lose_two(Recovery::NewRenoNs2);
        assert_eq!((s.counts().recoveries, s.counts().retransmissions), (1, 2));
        // Everything that was outstanding at the fast retransmit, 0 to 12, is acknowledged.
        let recover = s.conn.recover;
        ack(&mut s, 303, recover);
        for k in 1..=4 {
            ack(&mut s, 303 + k, recover);
        }
        assert_eq!(s.counts().recoveries, 1, "duplicates of what was resent say nothing");
        ack(&mut s, 403, recover + 1);
        for k in 1..=3 {
            ack(&mut s, 403 + k, recover + 1);
        }
        assert_eq!(s.counts().recoveries, 2);
    }

    #[test]
    fn duplicates_that_say_nothing_release_two_packets_at_most() {
        let mut s = lose_two(Recovery::RenoNs2);
        let released: Vec<usize> = (1..=6).map(|k| ack(&mut s, 203 + k, 3).len()).collect();
        assert!(released[..2].iter().all(|n| *n <= 1), "{released:?}");
        assert_eq!(released[2..], [0; 4], "{released:?}");
    }

    #[test]
    fn only_a_segment_sent_after_the_timeout_ends_the_back_off() {
        for recovery in [Recovery::TahoeNs2, Recovery::RenoNs2, Recovery::NewRenoNs2] {
            let mut s = sender(recovery);
            ack(&mut s, 100, 1);
            let base = s.conn.path.rtt.rto();
            let due = s.next_timer(ms(100));
            s.on_timer(due);
            assert_eq!(send(&mut s, due), [1]);
            // Copies of what was sent before are acknowledged: the timer stays backed off.
            let at = |ms: u64| due.nanos() / 1_000_000 + ms;
            ack(&mut s, at(100), 2);
            assert_eq!(s.conn.path.rtt.rto(), base + base, "{recovery:?}");
            // The receiver has everything else; what leaves now is new.
            let new = ack(&mut s, at(200), 12);
            assert_eq!(s.conn.path.rtt.rto(), base + base, "{recovery:?}");
            ack(&mut s, at(300), new[0] + 1);
            assert!(s.conn.path.rtt.rto() < base + base, "{recovery:?}");
        }
    }

    #[test]
    fn one_segment_at_a_time_is_timed() {
        let mut s = sender(Recovery::RenoNs2);
        ack(&mut s, 100, 1);
        assert_eq!(s.srtt(), Some(Span::from_millis(100)));
        // Segment 0 was timed; 1 to 9 were not, although they took longer.
        for k in 2..=10 {
            ack(&mut s, 300 + k, k);
        }
        assert_eq!(s.srtt(), Some(Span::from_millis(100)));
        // Segment 10, sent at 100 ms, is timed now.
        ack(&mut s, 500, 11);
        assert_eq!(s.srtt(), Some(Span::from_millis(137) + Span::from_micros(500)));
        assert!(s.controller().window() > 10.0);
    }
}
