//! What an ACK does to a sender: RFC 5681 (Reno), RFC 6582 (NewReno), RFC 6675 (SACK). Losses by time (RFC 8985)
//! are found in `rack`; what go-back-N makes of a duplicate is in `go_back_n`.

use super::recovery::Recovery;
use atl_core::time::{Span, Time};
use atl_core::window::{Ack, Detection, Loss, WindowController};

use super::receiver::AckInfo;
use super::scoreboard::DUP_THRESH;
use super::sender::{Phase, Sender, loss};

impl Sender {
    /// The answer to the connection request arrived.
    pub fn on_syn_ack(&mut self, now: Time, sent_at: Time) {
        if self.phase == Phase::Connecting {
            self.rtt.on_sample(now.since(sent_at));
            self.phase = Phase::Open;
            self.rto_due = Time::MAX;
        }
    }

    /// An ACK arrived. Returns the RTT sample that it gave, if it gave one. Ask for packets afterwards.
    #[inline]
    pub fn on_ack(&mut self, now: Time, info: &AckInfo) -> Option<Span> {
        self.acknowledge(now, info, true)
    }

    /// The same for an ACK that answers data (`measures` the path) or a probe (does not, and is no duplicate).
    #[inline]
    pub(super) fn acknowledge(
        &mut self,
        now: Time,
        info: &AckInfo,
        measures: bool,
    ) -> Option<Span> {
        let una = self.board.una();
        // Each ACK is a sample of the RTT, and this is how many of them an RTT gives: half the packets in
        // flight (RFC 7323, appendix G; it allows for delayed ACKs).
        let samples = self.in_flight().div_ceil(2);
        if info.ack < una || info.ack > self.board.next() || self.phase == Phase::Connecting {
            return None;
        }
        let cumulative = (info.ack - una) as u32;
        if self.rack.is_some() {
            self.read_by_time(now, info, measures);
        }
        let mut delivered = self.board.acknowledge(info.ack);
        let duplicate = if self.recovery.selective() {
            if self.rack.is_some() {
                delivered += self.select_by_time(info, delivered);
            } else if info.sack[0].len != 0 || self.board.sacked() != 0 {
                delivered += self.board.select(info.ack, &info.sack);
            }
            cumulative == 0 && delivered > 0
        } else {
            let duplicate = measures && cumulative == 0 && !self.board.is_empty();
            // Without error control a duplicate means nothing.
            let duplicate = duplicate && self.recovery != Recovery::None;
            delivered = self.count_without_sack(cumulative, duplicate);
            duplicate
        };
        // The echo names the transmission that arrived, so that a sample is never ambiguous; an ACK that
        // shows nothing new measures nothing (RFC 7323, sec. 4.1).
        let sample = (measures && delivered > 0).then(|| now.since(info.echo_sent_at));
        if let Some(rtt) = sample {
            self.rtt.on_one_sample_of(rtt, samples);
        }
        if cumulative > 0 {
            self.consecutive_timeouts = 0;
            self.rearm(now);
        }
        let in_recovery = self.phase == Phase::Recovery;
        self.controller.on_ack(
            &Ack::new(now)
                .delivered(delivered)
                .cumulative(cumulative)
                .duplicate(duplicate)
                .newest(
                    (measures && delivered > 0)
                        .then(|| (self.board.full_tx(info.echo_tx), info.echo_sent_at)),
                )
                .rtt(sample)
                .srtt(self.rtt.srtt().unwrap_or_default())
                .rtt_min(self.rtt.min().unwrap_or_default())
                .in_flight(self.in_flight())
                .in_recovery(in_recovery)
                .window_limited(self.window_limited),
        );
        self.window_limited = false;
        if cumulative > 0 {
            self.advance(now);
            self.check_finished(now);
        }
        if self.rack.is_some() {
            self.judge_by_time(now, info, (una, delivered, measures));
        } else if self.recovery == Recovery::GoBackN {
            if duplicate {
                self.on_nak(now, info.echo_tx);
            }
        } else {
            self.look_for_losses(now, duplicate);
        }
        sample
    }

    /// Without SACK, a duplicate ACK shows that some packet above the hole arrived; a cumulative ACK then
    /// tells which were meant (RFC 5681, sec. 3.2 inflates the window to the same effect).
    fn count_without_sack(&mut self, cumulative: u32, duplicate: bool) -> u32 {
        if duplicate {
            match self.recovery {
                Recovery::Tahoe if !self.duplicate_releases() => return 0,
                // Its receiver keeps nothing that is out of order.
                Recovery::GoBackN => return 0,
                _ => {}
            }
            // At least the hole itself has not arrived.
            let room = self.board.pipe().saturating_sub(self.reno_arrived + 1);
            let news = room.min(1);
            self.reno_arrived += news;
            return news;
        }
        // Of what the ACK covers all but the hole may have been counted before.
        let counted = self.reno_arrived.min(cumulative.saturating_sub(1));
        self.reno_arrived -= counted;
        cumulative - counted
    }

    /// RFC 6298, rules 5.2 and 5.3.
    #[inline]
    fn rearm(&mut self, now: Time) {
        if self.board.is_empty() {
            self.rto_due = Time::MAX;
            return;
        }
        // RFC 6582, sec. 3.2, step 3: only the first partial ACK resets the timer.
        let keeps = self.phase == Phase::Recovery
            && self.recovery == Recovery::NewReno
            && self.partial_acks > 0
            && self.board.una() < self.recover;
        if !keeps {
            self.arm_timer(now);
        }
    }

    /// The cumulative point moved.
    fn advance(&mut self, now: Time) {
        self.duplicates = 0;
        match self.phase {
            Phase::Open | Phase::Connecting => self.reno_arrived = 0,
            Phase::Expired => {
                self.reno_arrived = 0;
                if self.board.una() >= self.recover {
                    self.end_episode(now);
                }
            }
            Phase::Recovery => {
                if self.board.una() >= self.recover || self.recovery == Recovery::Reno {
                    self.reno_arrived = 0;
                    self.controller.on_recovered(now);
                    self.end_episode(now);
                } else if self.recovery == Recovery::NewReno {
                    self.partial_acks += 1;
                    self.lose_first(now, false);
                    self.forced = self.board.waiting() > 0;
                }
            }
        }
    }

    /// Everything that was outstanding when the episode began is acknowledged. What was sent since and is
    /// known to be lost begins the next one: its losses were told when they were found.
    fn end_episode(&mut self, now: Time) {
        self.phase = Phase::Open;
        if let Some(rack) = self.rack.as_deref_mut() {
            rack.on_recovery_end();
        }
        if self.board.lost() > 0 && self.recovery.selective() {
            self.controller
                .on_loss(&Loss::new(now, self.board.newest_tx(), 0, self.in_flight()).packets(0));
            self.begin_recovery();
        }
    }

    fn look_for_losses(&mut self, now: Time, duplicate: bool) {
        self.duplicates += u32::from(duplicate);
        let may_begin = self.phase == Phase::Open;
        if !self.recovery.selective() {
            // RFC 6582, sec. 3.2, step 2: not for duplicates of what was sent twice after a timeout.
            let fresh = self.board.una() > self.recover || !self.after_timeout;
            if may_begin && duplicate && self.duplicates == DUP_THRESH && fresh {
                if self.recovery == Recovery::Tahoe {
                    self.go_back(now);
                    return;
                }
                self.lose_first(now, true);
                self.begin_recovery();
                self.arm_timer(now);
            }
            return;
        }
        if self.board.sacked() == 0 {
            return;
        }
        let in_flight = self.in_flight();
        let bytes = self.packet_bytes;
        let controller = &mut self.controller;
        let mut begins = may_begin;
        let mut any = false;
        self.board.find_lost(|lost| {
            controller.on_loss(&loss(now, lost, begins, Detection::Acks, in_flight, bytes));
            begins = false;
            any = true;
        });
        if may_begin && any {
            self.begin_recovery();
            self.arm_timer(now);
        }
    }

    /// The first outstanding segment is lost.
    fn lose_first(&mut self, now: Time, new_episode: bool) {
        let in_flight = self.in_flight();
        if let Some(lost) = self.board.mark_lost(self.board.una()) {
            let (bytes, how) = (self.packet_bytes, Detection::Acks);
            self.controller.on_loss(&loss(now, lost, new_episode, how, in_flight, bytes));
        }
    }
}
