//! Tahoe: fast retransmit without fast recovery (Jacobson, "Congestion avoidance and control", SIGCOMM 1988,
//! and the 4.3BSD-Tahoe release of that year).
//!
//! The third duplicate ACK is taken for an early timeout: the first hole goes out at once, and the sender
//! starts from there anew, in slow start. Everything above the hole is sent again as the window opens
//! (go-back-N), unless an ACK covers it first. Unlike a timeout it does not back the timer off.
//!
//! Left open by the source, and chosen:
//! - The packets that are sent again can cause duplicate ACKs of their own, which say nothing of a loss. As in
//!   ns-2's `bugFix_` and RFC 6582 (sec. 3.2, step 2) there is no second fast retransmit before everything that
//!   was outstanding at the first is acknowledged, and a segment more.
//! - The first two duplicates release a new packet each (limited transmit, RFC 3042), as with all recoveries
//!   here and by default in ns-2; later ones release nothing.
//! - The controller is told of one loss, the hole's: that all else is sent again does not mean that it is lost.
//!   What remains of the window is the controller's to say; Tahoe's own falls to 1.

use atl_core::time::Time;

use super::strategy::{Partial, Taken};
use super::without_sack::{WithoutSack, is_third_duplicate};
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::scoreboard::DUP_THRESH;

/// Tahoe's recovery: keeps nothing of its own.
#[derive(Debug)]
pub(in crate::tcp) struct Tahoe;

impl WithoutSack for Tahoe {
    fn reads_duplicates(&self) -> bool {
        true
    }

    /// Only ahead of the fast retransmit.
    fn counts_duplicate(&self, c: &Connection) -> bool {
        c.phase == Phase::Open && c.duplicates + 1 < DUP_THRESH
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &Taken<'_>) {
        if is_third_duplicate(c, ack.duplicate) {
            c.phase = Phase::Expired;
            c.after_timeout = true;
            c.recover = c.board.next();
            c.send_again_from_the_hole(now);
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

    /// Reno's window under Tahoe's recovery, ten packets at the start.
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
                sack: SackBlocks::default(),
            },
        );
        send(sender, now)
    }

    #[test]
    fn the_third_duplicate_sends_the_hole_and_then_all_above_it_again() {
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
        // The receiver had all but 1, up to 11; of 12 and 13 it knows nothing yet.
        assert_eq!(ack(&mut s, ms(203), 12), [12, 13, 14, 15, 16]);
        // No recovery holds the window: it grows at once.
        assert!(s.controller().window() > 5.5);
    }

    #[test]
    fn one_window_has_one_fast_retransmit_and_its_timer_is_not_backed_off() {
        let mut s = sender();
        send(&mut s, ms(0));
        ack(&mut s, ms(100), 1);
        for k in 0..3 {
            ack(&mut s, ms(101 + k), 1);
        }
        // SRTT about 0.1 s, not backed off: nothing like the second expiry's 0.6 s.
        assert_eq!(s.next_timer(ms(103)), ms(103) + s.conn.rtt.rto());
        assert!(s.conn.rtt.rto() < Span::from_millis(310), "{:?}", s.conn.rtt.rto());
        // What was sent twice causes duplicates of its own, up to the highest sent before: 13.
        for (at, to) in [(203, 12), (210, 14)] {
            ack(&mut s, ms(at), to);
            for k in 1..6 {
                ack(&mut s, ms(at + k), to);
            }
        }
        assert_eq!(s.counts().recoveries, 1, "duplicates of what was sent twice say nothing");
        ack(&mut s, ms(300), 15);
        for k in 1..4 {
            ack(&mut s, ms(300 + k), 15);
        }
        assert_eq!((s.counts().recoveries, s.counts().timeouts), (2, 0));
    }

    #[test]
    fn a_timer_that_expires_goes_back_as_well_and_is_backed_off() {
        let mut s = sender();
        send(&mut s, ms(0));
        ack(&mut s, ms(100), 1);
        let due = s.next_timer(ms(100));
        let before = s.conn.rtt.rto();
        s.on_timer(due);
        assert_eq!((s.counts().timeouts, s.conn.rtt.rto()), (1, before + before));
        assert_eq!(send(&mut s, due), [1]);
    }
}
