//! Freeze-TCP: a sender that pauses on request.
//!
//! Source: Goff, Moronski, Phatak, Gupta (INFOCOM 2000). A mobile receiver that is about to lose
//! its link advertises a zero window. The sender stops its retransmission timer and keeps cwnd,
//! ssthresh and RTO. Once its link is back, the receiver repeats its last ACK three times with an
//! open window. In case these ACKs are lost, the sender also probes the window by itself (the
//! persist timer of RFC 9293, sec. 3.8.6.1). A mobile sender that foresees the loss of its own link
//! freezes and thaws itself, and needs no persist timer.
//!
//! A pause is one of the current path. A path that the host may move to next is surveyed meanwhile
//! (`roaming::surveying`); data waits for the end of the pause there too.

use atl_core::time::Time;

use super::connection::Phase;
use super::frozen::{Frozen, FrozenBy};
use super::persist::Persist;
use super::recovery::LossRecovery;
use super::sender::Sender;

impl Sender {
    /// Stops sending. The state of the path and the window stay as they are.
    pub fn freeze(&mut self, now: Time, by: FrozenBy) {
        if self.conn.phase == Phase::Connecting {
            return;
        }
        let interval = self.conn.path.rtt.rto();
        let timer_left = self.conn.path.rto_due.since(now);
        let frozen = self.frozen.get_or_insert_with(|| {
            Box::new(Frozen {
                by_host: false,
                by_peer: false,
                timer_left,
                persist: Persist::STOPPED,
            })
        });
        if by == FrozenBy::Peer && !frozen.by_peer {
            frozen.persist.start(now, interval);
        }
        frozen.set(by, true);
        if let Some(back) = self.paths.as_mut().and_then(|paths| paths.back.as_mut()) {
            back.hold(now);
        }
    }

    /// Resumes sending, unless the other end still keeps the sender frozen. Timers do not advance
    /// during the pause.
    pub fn thaw(&mut self, now: Time, by: FrozenBy) {
        let Some(frozen) = &mut self.frozen else { return };
        frozen.set(by, false);
        if by == FrozenBy::Peer {
            frozen.persist.stop();
        }
        if frozen.by_host || frozen.by_peer {
            return;
        }
        let timer_left = frozen.timer_left;
        self.frozen = None;
        if let Some(back) = self.paths.as_mut().and_then(|paths| paths.back.as_mut()) {
            back.resume(now);
        }
        if !self.conn.board.is_empty() && self.conn.timed {
            // Restarted in full, but only once for the same packets. If pauses came faster than the
            // timer expires, lost packets would otherwise never be resent.
            let since = Some(Box::new((self.conn.board.una(), self.conn.counts.timeouts)));
            let again = self.thawed == since;
            self.thawed = since;
            self.conn.path.rto_due =
                now.saturating_add(if again { timer_left } else { self.conn.path.rtt.rto() });
        }
        self.conn.stop_timing();
        self.strategy.after_pause(&mut self.conn, now);
    }

    /// True while frozen.
    pub fn is_frozen(&self) -> bool {
        self.frozen.is_some()
    }

    /// True if a window probe is due. It carries no data, because losing data in the interruption
    /// would trigger a reaction to loss.
    pub(super) fn ask(&mut self) -> bool {
        self.frozen.as_mut().is_some_and(|frozen| frozen.persist.ask())
    }
}

#[cfg(test)]
mod tests {
    use atl_core::path::{PathId, PathSignal};
    use atl_core::window::Start;

    use crate::app::Source;

    use super::*;
    use crate::handoff::Notice;
    use crate::options::{SackBlock, SackBlocks};
    use crate::tcp::testing::{self, send};
    use crate::tcp::{AckInfo, Outgoing, Recovery};
    use atl_core::roaming::{NewPath, Probe};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    /// A greedy sender that sent ten packets at 0.
    fn sender(recovery: Recovery) -> Sender {
        let mut sender = testing::sender(&testing::reno(), recovery, 10.0, &Source::Greedy);
        assert_eq!(send(&mut sender, ms(0)), (0..10).collect::<Vec<_>>());
        sender
    }

    /// An ACK that answers the transmission `echo`, sent at 0. Its SACK block covers `len`
    /// segments, `first` above the cumulative ACK.
    fn ack(sender: &mut Sender, now: Time, ack: u64, echo: u32, first: u32, len: u32) {
        let mut sack = SackBlocks::default();
        sack[0] = SackBlock { offset: first, len };
        let (echo_tx, echo_sent_at) = (echo, ms(0));
        sender.on_ack(now, &AckInfo { ack, echo_tx, echo_sent_at, ecn_flags: 0, sack });
    }

    #[test]
    fn each_end_thaws_only_its_own_freeze() {
        use FrozenBy::{Host, Peer};
        // The receiver's ACKs say that its window is open, but the sender's own link is still down.
        let mut s = sender(Recovery::NewReno);
        s.freeze(ms(50), Host);
        s.thaw(ms(60), Peer);
        assert!(s.is_frozen());
        // The receiver freezes too. The end that returns first does not speak for the other.
        s.freeze(ms(70), Peer);
        s.thaw(ms(80), Host);
        assert!(s.is_frozen());
        assert!(s.next_timer(ms(80)) < Time::MAX, "the sender probes the window of the receiver");
        s.thaw(ms(90), Peer);
        assert!(!s.is_frozen());
    }

    #[test]
    fn frequent_pauses_do_not_keep_the_timer_from_expiring() {
        let mut s = sender(Recovery::NewReno);
        // The timeout is 1 s before the first sample. Nothing of the first flight arrives.
        for k in 0..3 {
            s.freeze(ms(400 + 1000 * k), FrozenBy::Host);
            s.thaw(ms(900 + 1000 * k), FrozenBy::Host);
        }
        // Restarted in full at 0.9 s; at 1.4 s 0.5 s remain, which run from 1.9 s; expired at 2.4
        // s. The last pause ends at 2.9 s.
        assert_eq!(s.next_timer(ms(2900)), ms(2900));
        s.on_timer(ms(2900));
        assert_eq!((s.counts().timeouts, send(&mut s, ms(2900))), (1, vec![0]));
    }

    #[test]
    fn rack_timers_restart_after_the_pause() {
        let mut s = sender(Recovery::Rack);
        // 0 has not arrived, 1 has: 0 is suspect for a quarter of the RTT.
        ack(&mut s, ms(100), 0, 1, 1, 1);
        assert_eq!(s.next_timer(ms(100)), ms(125));
        s.freeze(ms(110), FrozenBy::Host);
        assert_eq!(s.next_timer(ms(110)), Time::MAX);
        s.thaw(ms(5000), FrozenBy::Host);
        // The pause is no sign of a loss, and no event lies in the past.
        assert_eq!(s.next_timer(ms(5000)), ms(5125));
        s.on_timer(ms(5000));
        assert_eq!(s.counts().recoveries, 0);
        s.on_timer(ms(5125));
        assert_eq!(s.counts().recoveries, 1);
    }

    /// Steps through a sender's timers; panics if one stays due.
    fn advance(sender: &mut Sender, until: Time, mut each: impl FnMut(Time, Outgoing)) {
        let mut now = ms(0);
        while now <= until {
            sender.on_timer(now);
            while let Some(out) = sender.poll_send(now) {
                each(now, out);
            }
            let next = sender.next_timer(now);
            assert!(next > now, "a timer that is due must do something: {now:?}");
            now = next;
        }
    }

    fn probing() -> Sender {
        let controller = testing::reno();
        testing::sender(&controller, Recovery::NewReno, 10.0, &Source::Greedy).with_new_path(
            NewPath::Probe(Probe::default()),
            controller,
            Start::default(),
        )
    }

    #[test]
    fn a_frozen_sender_surveys_the_path_that_it_is_about_to_take() {
        let mut s = probing();
        send(&mut s, ms(0));
        s.freeze(ms(0), FrozenBy::Host);
        s.on_path_signal(ms(0), PathSignal::Gone(PathId::FIRST));
        s.on_path_signal(ms(0), PathSignal::Imminent(PathId::new(1)));
        let mut sent = Vec::new();
        advance(&mut s, ms(2000), |now, out| sent.push((now, out)));
        let challenge = |out: &Outgoing| matches!(out, Outgoing::Challenge { path, .. } if *path == PathId::new(1));
        assert_eq!(sent.iter().map(|(now, _)| *now).collect::<Vec<_>>(), [0, 1000].map(ms));
        assert!(sent.iter().all(|(_, out)| challenge(out)), "no data: {sent:?}");
    }

    #[test]
    fn a_frozen_sender_does_not_challenge_the_path_that_it_rests_on() {
        let mut s = probing();
        let notice = Notice { sequence: 1, signal: PathSignal::Done(PathId::new(1)), tag: 0 };
        s.on_notice(ms(0), &notice, PathId::new(1), 1000);
        s.freeze(ms(0), FrozenBy::Host);
        advance(&mut s, ms(5000), |now, out| panic!("{now:?}: {out:?}"));
        s.thaw(ms(5000), FrozenBy::Host);
        let mut challenged = false;
        advance(&mut s, ms(9000), |_, out| challenged |= matches!(out, Outgoing::Challenge { .. }));
        assert!(challenged);
    }

    #[test]
    fn the_tail_loss_probe_waits_two_round_trips_after_the_pause() {
        let mut s = sender(Recovery::Rack);
        ack(&mut s, ms(100), 1, 0, 0, 0);
        s.freeze(ms(110), FrozenBy::Peer);
        s.thaw(ms(5000), FrozenBy::Peer);
        assert_eq!(s.next_timer(ms(5000)), ms(5200));
    }
}
