//! A sender that is told to pause: Freeze-TCP.
//!
//! Source: Goff, Moronski, Phatak, Gupta (INFOCOM 2000). A mobile receiver that is about to lose its link
//! advertises a window of zero: the sender stops its retransmission timer and keeps cwnd, ssthresh and RTO as
//! they are. Back on the link the receiver repeats its last ACK three times with an open window. In case these
//! are lost, the sender asks by itself (the persist timer of RFC 9293, sec. 3.8.6.1). A mobile sender that sees
//! its own link go freezes and thaws itself, and needs no persist timer.

use atl_core::time::{Span, Time};

use super::connection::Phase;
use super::frozen::{Frozen, FrozenBy};
use super::recovery::LossRecovery;
use super::sender::Sender;

/// Longest time between two window probes (RFC 9293 lets it back off like the retransmission timer).
const MAX_PERSIST: Span = Span::from_secs(60);

impl Sender {
    /// Stops sending; what is known of the path stays as it is.
    pub fn freeze(&mut self, now: Time, by: FrozenBy) {
        if self.conn.phase == Phase::Connecting {
            return;
        }
        let interval = self.conn.rtt.rto();
        let timer_left = self.conn.rto_due.since(now);
        let frozen = self.frozen.get_or_insert_with(|| {
            Box::new(Frozen {
                by_host: false,
                by_peer: false,
                timer_left,
                persist_due: Time::MAX,
                interval,
                asking: false,
            })
        });
        if by == FrozenBy::Peer && !frozen.by_peer {
            frozen.interval = interval;
            frozen.persist_due = now.saturating_add(interval);
        }
        frozen.set(by, true);
    }

    /// Goes on where it stopped, unless the other end holds it still. The time in between does not count for any
    /// timer.
    pub fn thaw(&mut self, now: Time, by: FrozenBy) {
        let Some(frozen) = &mut self.frozen else { return };
        frozen.set(by, false);
        if by == FrozenBy::Peer {
            frozen.persist_due = Time::MAX;
            frozen.asking = false;
        }
        if frozen.by_host || frozen.by_peer {
            return;
        }
        let timer_left = frozen.timer_left;
        self.frozen = None;
        if !self.conn.board.is_empty() && self.conn.timed {
            // Full again, but only once for the same packets: where pauses follow each other faster than it expires,
            // what was lost would never be sent again.
            let since = Some(Box::new((self.conn.board.una(), self.conn.counts.timeouts)));
            let again = self.thawed == since;
            self.thawed = since;
            self.conn.rto_due =
                now.saturating_add(if again { timer_left } else { self.conn.rtt.rto() });
        }
        self.strategy.after_pause(&mut self.conn, now);
    }

    /// Whether it is frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// The persist timer.
    pub(super) fn on_persist_timer(&mut self, now: Time) {
        if let Some(frozen) = &mut self.frozen
            && frozen.persist_due <= now
        {
            frozen.asking = true;
            frozen.interval = (frozen.interval * 2).min(MAX_PERSIST);
            frozen.persist_due = now.saturating_add(frozen.interval);
        }
    }

    /// Whether to ask now if the window is open. The question carries no data: data that the interruption swallows
    /// would be a loss to react to.
    pub(super) fn ask(&mut self) -> bool {
        self.frozen.as_mut().is_some_and(|frozen| core::mem::take(&mut frozen.asking))
    }
}

#[cfg(test)]
mod tests {
    use crate::app::Source;

    use super::*;
    use crate::options::{SackBlock, SackBlocks};
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Recovery};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A greedy sender with ten packets out since 0.
    fn sender(recovery: Recovery) -> Sender {
        let mut sender = testing::sender(&testing::reno(), recovery, 10.0, &Source::Greedy);
        assert_eq!(send(&mut sender, ms(0)), (0..10).collect::<Vec<_>>());
        sender
    }

    /// An ACK that answers the transmission `echo`, sent at 0; segments above it arrived from `first` on.
    fn ack(sender: &mut Sender, now: Time, ack: u64, echo: u32, first: u32, len: u32) {
        let mut sack = SackBlocks::default();
        sack[0] = SackBlock { offset: first, len };
        let (echo_tx, echo_sent_at) = (echo, ms(0));
        sender.on_ack(now, &AckInfo { ack, echo_tx, echo_sent_at, sack });
    }

    #[test]
    fn each_end_thaws_only_what_it_has_frozen_itself() {
        use FrozenBy::{Host, Peer};
        // The receiver's ACKs say that its window is open: the sender's own link is down still.
        let mut s = sender(Recovery::NewReno);
        s.freeze(ms(50), Host);
        s.thaw(ms(60), Peer);
        assert!(s.is_frozen());
        // The receiver goes too: the one that is back first does not speak for the other.
        s.freeze(ms(70), Peer);
        s.thaw(ms(80), Host);
        assert!(s.is_frozen());
        assert!(s.next_timer(ms(80)) < Time::MAX, "the window of the receiver is asked for");
        s.thaw(ms(90), Peer);
        assert!(!s.is_frozen());
    }

    #[test]
    fn pauses_that_follow_each_other_do_not_keep_the_timer_from_expiring() {
        let mut s = sender(Recovery::NewReno);
        // 1 s before the first sample. Nothing of the first flight arrives.
        for k in 0..3 {
            s.freeze(ms(400 + 1000 * k), FrozenBy::Host);
            s.thaw(ms(900 + 1000 * k), FrozenBy::Host);
        }
        // Full at 0.9 s; 0.5 s left at 1.4 s, on from 1.9 s; gone at 2.4 s.
        assert_eq!(s.next_timer(ms(2900)), ms(2900));
        s.on_timer(ms(2900));
        assert_eq!((s.counts().timeouts, send(&mut s, ms(2900))), (1, vec![0]));
    }

    #[test]
    fn timers_of_rack_start_anew_when_the_pause_is_over() {
        let mut s = sender(Recovery::Rack);
        // 0 has not arrived, 1 has: suspect for a quarter of the RTT.
        ack(&mut s, ms(100), 0, 1, 1, 1);
        assert_eq!(s.next_timer(ms(100)), ms(125));
        s.freeze(ms(110), FrozenBy::Host);
        assert_eq!(s.next_timer(ms(110)), Time::MAX);
        s.thaw(ms(5000), FrozenBy::Host);
        // The time in between is no sign of a loss, and no event lies in the past.
        assert_eq!(s.next_timer(ms(5000)), ms(5125));
        s.on_timer(ms(5000));
        assert_eq!(s.counts().recoveries, 0);
        s.on_timer(ms(5125));
        assert_eq!(s.counts().recoveries, 1);
    }

    #[test]
    fn the_probe_of_the_tail_waits_two_round_trips_after_the_pause() {
        let mut s = sender(Recovery::Rack);
        ack(&mut s, ms(100), 1, 0, 0, 0);
        s.freeze(ms(110), FrozenBy::Peer);
        s.thaw(ms(5000), FrozenBy::Peer);
        assert_eq!(s.next_timer(ms(5000)), ms(5200));
    }
}
