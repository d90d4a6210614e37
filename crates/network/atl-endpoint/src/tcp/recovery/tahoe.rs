//! Tahoe: fast retransmit without fast recovery (Jacobson, "Congestion avoidance and control",
//! SIGCOMM 1988, and the 4.3BSD-Tahoe release of that year).
//!
//! The third duplicate ACK counts as an early timeout. The sender resends the first hole at once
//! and restarts from there in slow start. It resends everything above the hole as the window opens
//! (go-back-N), unless an ACK covers it first. Unlike a timeout, this does not back off the timer.
//!
//! Left open by the source, and chosen:
//! - Resent packets can cause duplicate ACKs of their own, which do not indicate a loss. As with
//!   ns-2's `bugFix_` and RFC 6582 (sec. 3.2, step 2), there is no second fast retransmit until
//!   everything outstanding at the first one, and one segment more, is acknowledged.
//! - The first two duplicates each release a new packet (limited transmit, RFC 3042), as with all
//!   recoveries here and by default in ns-2. Later ones release nothing.
//! - The controller is informed of one loss, that of the hole: resending the rest does not mean
//!   that it is lost. The controller decides how far the window falls; Tahoe's own falls to 1.

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::{WithoutSack, is_third_duplicate};
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::scoreboard::DUP_THRESH;

/// Tahoe; it has no state of its own.
#[derive(Debug)]
pub(in crate::tcp) struct Tahoe;

impl WithoutSack for Tahoe {
    fn reads_duplicates(&self) -> bool {
        true
    }

    /// Only before the fast retransmit.
    fn counts_duplicate(&self, c: &Connection) -> bool {
        c.phase == Phase::Open && c.duplicates + 1 < DUP_THRESH
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        if is_third_duplicate(c, ack.duplicate) {
            c.phase = Phase::Expired;
            c.after_timeout = true;
            c.recover = c.board.next();
            c.resend_from_hole(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use atl_core::time::Span;

    use super::*;
    use crate::options::SackBlocks;
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Recovery, Sender};
    use atl_core::window::WindowController;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A Reno controller with Tahoe recovery and an initial window of ten packets.
    fn sender() -> Sender {
        testing::sender(&testing::reno(), Recovery::Tahoe, 10.0, &Source::Greedy)
    }

    fn ack(sender: &mut Sender, now: Time, ack: u64) -> Vec<u64> {
        sender.on_ack(
            now,
            &AckInfo {
                ack,
                echo_tx: sender.conn.board.newest_tx() as u32,
                echo_sent_at: Time::ZERO,
                ecn_flags: 0,
                sack: SackBlocks::default(),
            },
        );
        send(sender, now)
    }

    #[test]
    fn the_third_duplicate_resends_the_hole_and_then_everything_above() {
        let mut s = sender();
        assert_eq!(send(&mut s, ms(0)), (0..10).collect::<Vec<_>>());
        assert_eq!(ack(&mut s, ms(100), 1), [10, 11]);
        // Segment 1 is lost; 2, 3 and 4 arrive.
        assert_eq!(ack(&mut s, ms(101), 1), [12]);
        assert_eq!(ack(&mut s, ms(102), 1), [13]);
        // cwnd falls from 11 to 5.5: the hole and four of those above it.
        assert_eq!(ack(&mut s, ms(103), 1), [1, 2, 3, 4, 5]);
        assert_eq!((s.controller().window(), s.in_flight(), s.counts().recoveries), (5.5, 5, 1));
        // Duplicates of the first flight release nothing more.
        for k in 0..6 {
            assert_eq!(ack(&mut s, ms(104 + k), 1), []);
        }
        // The receiver had everything up to 11 but 1. It has not received 12 and 13 yet.
        assert_eq!(ack(&mut s, ms(203), 12), [12, 13, 14, 15, 16]);
        // There is no recovery that holds the window: it grows at once.
        assert!(s.controller().window() > 5.5);
    }

    #[test]
    fn a_window_has_one_fast_retransmit_which_does_not_back_off_the_timer() {
        let mut s = sender();
        send(&mut s, ms(0));
        ack(&mut s, ms(100), 1);
        for k in 0..3 {
            ack(&mut s, ms(101 + k), 1);
        }
        // SRTT is about 0.1 s, and the timer is not backed off: far below the 0.6 s of a second
        // expiry.
        assert_eq!(s.next_timer(ms(103)), ms(103) + s.conn.path.rtt.rto());
        assert!(s.conn.path.rtt.rto() < Span::from_millis(310), "{:?}", s.conn.path.rtt.rto());
        // Resent packets cause duplicates of their own, up to the highest sent before: 13.
        for (at, to) in [(203, 12), (210, 14)] {
            ack(&mut s, ms(at), to);
            for k in 1..6 {
                ack(&mut s, ms(at + k), to);
            }
        }
        assert_eq!(s.counts().recoveries, 1, "duplicates from resent packets do not count");
        ack(&mut s, ms(300), 15);
        for k in 1..4 {
            ack(&mut s, ms(300 + k), 15);
        }
        assert_eq!((s.counts().recoveries, s.counts().timeouts), (2, 0));
    }

    #[test]
    fn an_expired_timer_also_resends_from_the_hole_and_is_backed_off() {
        let mut s = sender();
        send(&mut s, ms(0));
        ack(&mut s, ms(100), 1);
        let due = s.next_timer(ms(100));
        let before = s.conn.path.rtt.rto();
        s.on_timer(due);
        assert_eq!((s.counts().timeouts, s.conn.path.rtt.rto()), (1, before + before));
        assert_eq!(send(&mut s, due), [1]);
    }
}
