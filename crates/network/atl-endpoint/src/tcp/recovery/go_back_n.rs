//! Go-back-N: the ARQ of the AAL-T paper's eq. 3 and 4 (Akyildiz, Joe, sec. 4; Schwartz,
//! "Telecommunication Networks", 1987, ch. 4).
//!
//! The receiver accepts segments in order and discards all others. It answers each discarded packet
//! with a duplicate ACK, a negative acknowledgment. At the first one, and at a timeout, the sender
//! resends everything outstanding from the hole on. With a window of N packets that is always full,
//! a loss then costs N transmissions: eq. 3.
//!
//! Left open by the source, and chosen:
//! - Each packet behind a hole causes a duplicate ACK, and one is enough. An ACK echoes the
//!   transmission that it answers (as timestamps do in RFC 7323). A duplicate counts if that
//!   transmission left after the latest one of the hole. So a duplicate also reveals the loss of a
//!   retransmission, if the network keeps packets in order.
//! - Each resending is a loss episode of its own, since it repairs the loss of a packet sent after
//!   the previous one.
//! - The controller is informed of one loss, that of the hole, as with Tahoe.
//! - A hole that already waits for retransmission, because the window is full, causes no new
//!   episode.

use atl_core::time::Time;

use super::loss_recovery::{Partial, ProcessedAck};
use super::without_sack::WithoutSack;
use crate::tcp::connection::Connection;

/// Go-back-N; it has no state of its own.
#[derive(Debug)]
pub(in crate::tcp) struct GoBackN;

impl WithoutSack for GoBackN {
    fn reads_duplicates(&self) -> bool {
        true
    }

    /// The receiver keeps nothing that arrives out of order.
    fn counts_duplicate(&self, _: &Connection) -> bool {
        false
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        if !ack.duplicate {
            return;
        }
        let hole = c.board.una();
        let answered = c.board.full_tx(ack.info.echo_tx);
        let lost = c.board.latest(hole).is_some_and(|sent| answered > sent.tx);
        if lost && c.board.next_lost() != Some(hole) {
            c.resend_from_hole(now);
        }
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;
    use atl_core::window::{ControllerConfig, fixed};

    use super::*;
    use crate::options::SackBlocks;
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Recovery, Sender};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A window of five packets, sent at 0 as transmissions 0 to 4.
    fn sender() -> Sender {
        let window = ControllerConfig::from(fixed::Config { window: 5 });
        let mut sender = testing::sender(&window, Recovery::GoBackN, 2.0, &Source::Greedy);
        assert_eq!(send(&mut sender, ms(0)), [0, 1, 2, 3, 4]);
        sender
    }

    fn ack(sender: &mut Sender, now: Time, ack: u64, echo_tx: u32) -> Vec<u64> {
        let (echo_sent_at, sack) = (ms(0), SackBlocks::default());
        sender.on_ack(now, &AckInfo { ack, echo_tx, echo_sent_at, ecn_flags: 0, sack });
        send(sender, now)
    }

    #[test]
    fn the_first_duplicate_resends_the_window_and_later_ones_nothing() {
        let mut s = sender();
        assert_eq!(ack(&mut s, ms(100), 1, 0), [5]);
        // 1 is lost: 2 to 5 are each answered by a duplicate.
        assert_eq!(ack(&mut s, ms(101), 1, 2), [1, 2, 3, 4, 5]);
        for tx in 3..=5 {
            assert_eq!(ack(&mut s, ms(99 + u64::from(tx)), 1, tx), []);
        }
        assert_eq!((s.in_flight(), s.counts().recoveries, s.counts().retransmissions), (5, 1, 5));
        // The second copy of 1 was transmission 6.
        assert_eq!(ack(&mut s, ms(201), 2, 6), [6]);
    }

    #[test]
    fn a_duplicate_for_a_later_packet_reveals_a_lost_retransmission() {
        let mut s = sender();
        assert_eq!(ack(&mut s, ms(100), 0, 1), [0, 1, 2, 3, 4]);
        // The copies are transmissions 5 to 9, and 5 is lost: 6 is segment 1.
        assert_eq!(ack(&mut s, ms(200), 0, 6), [0, 1, 2, 3, 4]);
        assert_eq!((s.counts().recoveries, s.counts().timeouts), (2, 0));
    }

    #[test]
    fn a_timeout_resends_the_window() {
        let mut s = sender();
        ack(&mut s, ms(100), 2, 1);
        let due = s.next_timer(ms(100));
        s.on_timer(due);
        assert_eq!((s.counts().timeouts, send(&mut s, due)), (1, vec![2, 3, 4, 5, 6]));
    }
}
