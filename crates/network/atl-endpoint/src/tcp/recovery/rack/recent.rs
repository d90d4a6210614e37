//! RACK: transmissions sent well before the most recently sent packet that arrived are lost (RFC
//! 8985, sec. 6).

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::tcp::scoreboard::{DUP_THRESH, LostTx, Newly, Scoreboard};

/// Recoveries without a D-SACK until the reordering window shrinks to its initial size (sec. 6.2,
/// step 4).
const PERSIST: u32 = 16;

/// RACK's view of the transmissions.
#[derive(Debug)]
pub(super) struct Recent {
    /// The most recently sent transmission that arrived, and when it was sent (RACK.segment,
    /// RACK.xmit_ts).
    newest: Option<(u64, Time)>,
    /// RTT of the transmission that arrived last (RACK.rtt).
    rtt: Span,
    /// One past the highest segment that arrived (RACK.fack).
    fack: u64,
    reordering_seen: bool,
    /// End of the round for which a D-SACK was already counted (RACK.dsack_round).
    dsack_round: Option<u64>,
    /// Size of the reordering window in quarters of the minimum RTT (RACK.reo_wnd_mult).
    quarters: u32,
    /// Recoveries until `quarters` is 1 again (RACK.reo_wnd_persist).
    persist: u32,
    /// The segment of each transmission from number `from` on. Transmissions no longer in flight
    /// are dropped from the front.
    sent: VecDeque<u64>,
    from: u64,
    /// Time at which the oldest suspect will be lost: the reordering timer.
    pub(super) due: Time,
}

/// The evidence of one ACK, while it is processed.
#[derive(Debug)]
pub(super) struct Reading {
    now: Time,
    echo: (u64, Time),
    least_rtt: Span,
    fack_before: u64,
    fack: u64,
    newest: Option<(u64, Time)>,
    reordered: bool,
}

impl Reading {
    /// A segment that the ACK newly shows to have arrived (sec. 6.2, steps 2 and 3).
    pub(super) fn take(&mut self, newly: Newly) {
        self.fack = self.fack.max(newly.seq + 1);
        if newly.repeated {
            // Which transmission arrived? Not the latest if the ACK answers an earlier one, or if
            // it comes sooner than the minimum RTT.
            let early = self.echo.0 < newly.tx || self.now.since(newly.sent_at) < self.least_rtt;
            if early {
                return;
            }
        } else if newly.seq < self.fack_before {
            self.reordered = true;
        }
        self.offer((newly.tx, newly.sent_at));
    }

    fn offer(&mut self, transmission: (u64, Time)) {
        if self.newest.is_none_or(|newest| newest.0 < transmission.0) {
            self.newest = Some(transmission);
        }
    }
}

impl Recent {
    pub(super) fn new() -> Self {
        Recent {
            newest: None,
            rtt: Span::ZERO,
            fack: 0,
            reordering_seen: false,
            dsack_round: None,
            quarters: 1,
            persist: 0,
            sent: VecDeque::new(),
            from: 0,
            due: Time::MAX,
        }
    }

    /// Transmission `tx`, of segment `seq`, was sent.
    pub(super) fn on_sent(&mut self, seq: u64, tx: u64) {
        debug_assert_eq!(tx, self.from + self.sent.len() as u64, "transmissions have no gaps");
        self.sent.push_back(seq);
    }

    /// An ACK that answers the transmission `echo` is about to be processed.
    pub(super) fn begin(&self, now: Time, echo: (u64, Time), least_rtt: Span) -> Reading {
        let fack = self.fack;
        let (fack_before, newest, reordered) = (fack, None, false);
        Reading { now, echo, least_rtt, fack_before, fack, newest, reordered }
    }

    /// The ACK was processed and acknowledged something new.
    pub(super) fn finish(&mut self, mut reading: Reading) {
        // The echo names a transmission that certainly arrived, even if the segment was resent.
        reading.offer(reading.echo);
        self.fack = reading.fack;
        self.reordering_seen |= reading.reordered;
        if let Some(newest) = reading.newest {
            self.rtt = reading.now.since(newest.1);
            if self.newest.is_none_or(|known| known.0 < newest.0) {
                self.newest = Some(newest);
            }
        }
    }

    /// An ACK advanced the cumulative point to `una`, or reported a duplicate (sec. 6.2, step 4). A
    /// duplicate means that a packet was only late, so the window grows by a quarter of the minimum
    /// RTT, at most once per round.
    pub(super) fn on_duplicates(&mut self, una: u64, next: u64, dsack: bool) {
        if self.dsack_round.is_some_and(|end| una >= end) {
            self.dsack_round = None;
        }
        if dsack && self.dsack_round.is_none() {
            self.dsack_round = Some(next);
            self.quarters += 1;
            self.persist = PERSIST;
        }
    }

    /// Notes the end of a recovery.
    pub(super) fn on_recovery_end(&mut self) {
        self.persist = self.persist.saturating_sub(1);
        if self.persist == 0 {
            self.quarters = 1;
        }
    }

    /// The reordering window (sec. 6.2, step 4). It is zero if no reordering was ever observed and
    /// either three packets arrived above a hole or losses are being repaired.
    pub(super) fn window(&self, repairing: bool, sacked: u32, least_rtt: Span, srtt: Span) -> Span {
        if !self.reordering_seen && (repairing || sacked >= DUP_THRESH) {
            return Span::ZERO;
        }
        (least_rtt * u64::from(self.quarters) / 4).min(srtt)
    }

    /// A packet sent this long ago is lost when the timer expires (sec. 6.3).
    pub(super) fn loss_delay(&self, window: Span) -> Span {
        self.rtt + window
    }

    /// Calls `found` for each transmission that is lost by now, and whether it was a retransmission
    /// (sec. 6.2, step 5). Sets the timer to when the next one will be lost.
    ///
    /// Transmissions are examined in the order of sending, and the first one that is not lost ends
    /// the search, so the cost per transmission does not depend on the window.
    pub(super) fn find_lost(
        &mut self,
        board: &mut Scoreboard,
        now: Time,
        window: Span,
        mut found: impl FnMut(LostTx, bool),
    ) {
        self.due = Time::MAX;
        let Some((newest, _)) = self.newest else {
            return;
        };
        while let Some(&seq) = self.sent.front() {
            if let Some(sent_at) = board.out_since(seq, self.from) {
                if self.from >= newest {
                    return;
                }
                let deadline = sent_at + self.loss_delay(window);
                if deadline > now {
                    self.due = deadline;
                    return;
                }
                if let Some((lost, again)) = board.lose(seq) {
                    found(lost, again);
                }
            }
            self.sent.pop_front();
            self.from += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::options::{SackBlock, SackBlocks};

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    fn span(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    const RTT: u64 = 100;

    /// The scoreboard and RACK state of a sender, on a path with an RTT of 100 ms.
    struct Pair {
        board: Scoreboard,
        recent: Recent,
        tx: u64,
        sent_at: Vec<Time>,
    }

    impl Pair {
        fn new() -> Self {
            let (board, recent) = (Scoreboard::default(), Recent::new());
            Pair { board, recent, tx: 0, sent_at: Vec::new() }
        }

        fn note(&mut self, seq: u64, at: u64) {
            self.recent.on_sent(seq, self.tx);
            self.sent_at.push(ms(at));
            self.tx += 1;
        }

        fn send(&mut self, at: u64) {
            let seq = self.board.next();
            self.board.push(ms(at), self.tx, 1000);
            self.note(seq, at);
        }

        fn resend(&mut self, seq: u64, at: u64) {
            self.board.resend(seq, ms(at), self.tx);
            self.note(seq, at);
        }

        /// An ACK at this time that answers transmission `echo`; `blocks` are (first, length).
        fn ack(&mut self, at: u64, echo: u64, ack: u64, blocks: &[(u64, u32)]) {
            let mut sack = SackBlocks::default();
            for (block, &(first, len)) in sack.iter_mut().zip(blocks) {
                *block = SackBlock { offset: (first - ack) as u32, len };
            }
            let echo = (echo, self.sent_at[echo as usize]);
            let mut reading = self.recent.begin(ms(at), echo, span(RTT));
            self.board.each_below(ack, |n| reading.take(n));
            let mut news = self.board.acknowledge(ack);
            news += self.board.select_each(ack, &sack, |n| reading.take(n));
            if news > 0 {
                self.recent.finish(reading);
            }
        }

        fn lost(&mut self, at: u64, repairing: bool) -> Vec<(u64, bool)> {
            let window =
                self.recent.window(repairing, self.board.sacked(), span(RTT), span(RTT + 20));
            let mut lost = Vec::new();
            self.recent.find_lost(&mut self.board, ms(at), window, |l, again| {
                lost.push((l.seq, again));
            });
            self.board.check();
            lost
        }
    }

    /// RFC 8985, sec. 3.4: of three packets P1 and P3 are lost, and so is R1, the retransmission of
    /// P1.
    #[test]
    fn the_example_of_the_rfc_finds_a_lost_tail_and_a_lost_retransmission() {
        let mut p = Pair::new();
        for at in [0, 1, 2] {
            p.send(at);
        }
        // P2 arrives. P1 is suspect for a quarter of the RTT. P3 was sent later, so P2 says nothing
        // about it.
        p.ack(101, 1, 0, &[(1, 1)]);
        assert_eq!((p.lost(101, false), p.recent.due), (vec![], ms(125)));
        assert_eq!((p.lost(124, false), p.recent.due), (vec![], ms(125)));
        assert_eq!((p.lost(125, false), p.recent.due), (vec![(0, false)], Time::MAX));
        // R1 is sent at 125 and lost. The tail loss probe R3, sent at 226, arrives. It was sent
        // after R1.
        p.resend(0, 125);
        p.resend(2, 226);
        p.ack(326, 4, 0, &[(1, 2)]);
        assert_eq!((p.lost(326, true), p.board.waiting()), (vec![(0, true)], 1));
    }

    #[test]
    fn without_reordering_three_arrivals_suffice_without_a_window() {
        let mut p = Pair::new();
        for at in 0..5 {
            p.send(at);
        }
        p.ack(101, 1, 0, &[(1, 1)]);
        p.ack(102, 2, 0, &[(1, 2)]);
        assert_eq!(p.lost(102, false), []);
        p.ack(103, 3, 0, &[(1, 3)]);
        assert_eq!(p.lost(103, false), [(0, false)]);
        assert_eq!(p.recent.window(true, 0, span(RTT), span(RTT)), Span::ZERO);
    }

    #[test]
    fn after_reordering_three_arrivals_are_not_enough() {
        let mut p = Pair::new();
        for at in 0..9 {
            p.send(at);
        }
        p.ack(101, 1, 0, &[(1, 1)]);
        assert!(!p.recent.reordering_seen);
        // Segment 0, sent once, arrives after 1.
        p.ack(103, 0, 2, &[]);
        assert!(p.recent.reordering_seen);
        for last in 3..=6 {
            p.ack(101 + last, last, 2, &[(3, last as u32 - 2)]);
        }
        // RACK.rtt is 101 ms, plus a quarter of the minimum RTT: 2 + 101 + 25.
        assert_eq!((p.lost(107, false), p.recent.due), (vec![], ms(128)));
        assert_eq!(p.lost(128, false), [(2, false)]);
    }

    #[test]
    fn an_ack_that_may_answer_the_first_transmission_does_not_count_for_the_second() {
        let mut p = Pair::new();
        for at in 0..3 {
            p.send(at);
        }
        p.resend(0, 90);
        p.send(95);
        // The ACK of the first transmission of 0 arrives at last. It makes no transmission until 90
        // suspect.
        p.ack(104, 0, 1, &[]);
        assert_eq!(p.recent.newest, Some((0, ms(0))));
        assert_eq!((p.lost(104, false), p.recent.due), (vec![], Time::MAX));
        // A covering ACK that answers a later transmission, but comes too soon to be meant for the
        // retransmission.
        let mut p = Pair::new();
        for at in 0..3 {
            p.send(at);
        }
        p.resend(0, 90);
        p.send(95);
        p.ack(195, 4, 1, &[(3, 1)]);
        assert_eq!(p.recent.newest, Some((4, ms(95))));
    }

    #[test]
    fn the_window_grows_by_a_quarter_per_round_with_a_duplicate_and_shrinks_again() {
        let mut recent = Recent::new();
        recent.reordering_seen = true;
        let window = |r: &Recent| r.window(true, 9, span(100), span(180));
        assert_eq!(window(&recent), span(25));
        recent.on_duplicates(10, 20, true);
        recent.on_duplicates(15, 25, true);
        assert_eq!(window(&recent), span(50), "at most once per round");
        recent.on_duplicates(20, 30, true);
        assert_eq!(window(&recent), span(75));
        for round in 3..40 {
            recent.on_duplicates(10 * round, 10 * round + 10, true);
        }
        assert_eq!(window(&recent), span(180), "never above SRTT");
        for _ in 0..PERSIST - 1 {
            recent.on_recovery_end();
        }
        assert_eq!(window(&recent), span(180));
        recent.on_recovery_end();
        assert_eq!(window(&recent), span(25));
    }

    #[test]
    fn transmissions_no_longer_in_flight_take_no_memory() {
        let mut p = Pair::new();
        for k in 0..1000u64 {
            p.send(k);
            if k >= 10 {
                p.ack(k + 90, k - 10, k - 9, &[]);
                p.lost(k + 90, false);
            }
        }
        assert!(p.recent.sent.len() <= 11, "{}", p.recent.sent.len());
    }
}
