//! RACK-TLP: losses judged by time (RFC 8985).
//!
//! Each transmission carries the time at which it was sent, and an ACK echoes that of the transmission that it
//! answers. What was sent before the most recently sent packet that arrived, by more than a reordering window, is
//! lost, whether it was a first transmission or a retransmission ([`recent`]). Where no later packet is out that
//! could show a loss, a probe is sent after two round trips ([`tail`]).
//!
//! What the source leaves open, or what is simpler here:
//! - Order of sending: by the number of the transmission, which never ties; the RFC compares (time, sequence).
//! - The reordering timer runs until the *oldest* suspect is lost; the RFC sets one timer for all, to the last.
//! - RACK.min_RTT is the connection's (the RFC: "simple global minimum" or a windowed one).
//! - The receiver reports duplicates (D-SACK, RFC 2883), which widens the reordering window (sec. 6.2, step 4).
//! - TLP.max_ack_delay is the flow's own delay of ACKs: the sender knows it.
//! - An ACK that answers the probe itself with news, and no duplicate, shows at once that the tail was lost; the
//!   RFC (sec. 7.4.2) waits for an ACK of later data, which may never come.
//!
//! How the controller is told (sec. 9.3):
//! - The first loss of an episode is a new episode, as with SACK.
//! - A lost retransmission is a new episode as well: RFC 5681, sec. 4.3, takes it for a second indication of
//!   congestion, and sec. 9.3 demands the reaction of senders without proportional rate reduction, as this one is.
//!   Once per window: only if the retransmission was sent after the last reaction. (Linux, which has that
//!   reduction, leaves ssthresh alone there, but for a retransmission lost after a timeout.)
//! - A loss that only the probe shows, being repaired by it, is an episode that is over at once.

mod recent;
mod tail;

use atl_core::time::{Span, Time};
use atl_core::window::{Detection, WindowController};

use super::receiver::AckInfo;
use super::scoreboard::LostTx;
use super::sender::{Phase, Sender, loss};

use recent::{Reading, Recent};
use tail::{Seen, Tail};

/// What a sender with RACK-TLP keeps beside the scoreboard.
#[derive(Debug)]
pub(super) struct Rack {
    recent: Recent,
    tail: Tail,
    /// Of the ACK that is being taken in.
    reading: Option<Reading>,
    /// Transmissions from this number on were sent after the last reaction to a loss.
    reacted: u64,
}

impl Rack {
    pub(super) fn new(ack_delay: Option<Span>) -> Self {
        let tail = Tail::new(ack_delay.unwrap_or(Span::ZERO));
        Rack { recent: Recent::new(), tail, reading: None, reacted: 0 }
    }

    /// When one of its timers is due.
    pub(super) fn due(&self) -> Time {
        self.recent.due.min(self.tail.due)
    }

    /// Fast recovery, or the slow start after a timeout, is over.
    pub(super) fn on_recovery_end(&mut self) {
        self.recent.on_recovery_end();
    }

    /// The segment to repeat as a probe.
    pub(super) fn tail_to_probe(&self) -> Option<u64> {
        self.tail.probing.map(|last| last.seq)
    }
}

impl Sender {
    /// An ACK is about to be taken in: notes what its cumulative part newly shows.
    #[inline(never)]
    pub(super) fn read_by_time(&mut self, now: Time, info: &AckInfo, measures: bool) {
        let Some(rack) = self.rack.as_deref_mut() else {
            return;
        };
        // An answer to a low-priority probe, or to nothing, says nothing of when data arrived.
        rack.reading = measures.then(|| {
            let echo = (self.board.full_tx(info.echo_tx), info.echo_sent_at);
            let mut reading = rack.recent.begin(now, echo, self.rtt.min().unwrap_or_default());
            self.board.each_below(info.ack, |newly| reading.take(newly));
            reading
        });
    }

    /// Takes in its selective part, after the cumulative one, which newly showed so many packets. Returns how many
    /// the selective one newly shows.
    #[inline(never)]
    pub(super) fn select_by_time(&mut self, info: &AckInfo, acknowledged: u32) -> u32 {
        let Some(rack) = self.rack.as_deref_mut() else {
            return 0;
        };
        let board = &mut self.board;
        let Some(mut reading) = rack.reading.take() else {
            return board.select(info.ack, &info.sack);
        };
        let selected = board.select_each(info.ack, &info.sack, |newly| reading.take(newly));
        if acknowledged + selected > 0 {
            rack.recent.finish(reading);
            rack.tail.on_sample();
        }
        rack.recent.on_duplicates(board.una(), board.next(), info.duplicate().is_some());
        selected
    }

    /// After an ACK whose news were taken in: what is lost now, what the probe has shown, when to probe next.
    #[inline(never)]
    pub(super) fn judge_by_time(&mut self, now: Time, info: &AckInfo, seen: (u64, u32, bool)) {
        self.find_lost_by_time(now);
        let (una_before, delivered, measures) = seen;
        let echo = measures.then(|| self.board.full_tx(info.echo_tx));
        let Some(rack) = self.rack.as_deref_mut() else {
            return;
        };
        let repaired = rack.tail.on_ack(&Seen {
            ack: info.ack,
            echo,
            news: delivered > 0,
            advanced: info.ack > una_before,
            blocks: info.sack[0].len != 0,
            duplicate: info.duplicate(),
        });
        if let Some(lost) = repaired {
            // All else has arrived: reacted to and over at once.
            self.counts.recoveries += 1;
            self.tell(now, lost, true);
            self.controller.on_recovered(now);
            self.react();
        }
        self.schedule_probe(now);
    }

    fn tell(&mut self, now: Time, lost: LostTx, new_episode: bool) {
        let (in_flight, bytes) = (self.in_flight(), self.packet_bytes);
        self.controller.on_loss(&loss(now, lost, new_episode, Detection::Acks, in_flight, bytes));
    }

    /// What is sent from now on is sent after a reaction to a loss.
    pub(super) fn react(&mut self) {
        let next_tx = self.next_tx();
        if let Some(rack) = self.rack.as_deref_mut() {
            rack.reacted = next_tx;
        }
    }

    fn reordering_window(&self, rack: &Rack) -> Span {
        let least = self.rtt.min().unwrap_or_default();
        let srtt = self.rtt.srtt().unwrap_or_default();
        rack.recent.window(self.phase != Phase::Open, self.board.sacked(), least, srtt)
    }

    fn find_lost_by_time(&mut self, now: Time) {
        let Some(mut rack) = self.rack.take() else {
            return;
        };
        let window = self.reordering_window(&rack);
        let (in_flight, bytes) = (self.in_flight(), self.packet_bytes);
        let (open, reacted) = (self.phase == Phase::Open, rack.reacted);
        let controller = &mut self.controller;
        let mut begins = false;
        rack.recent.find_lost(&mut self.board, now, window, |lost, again| {
            let first = !begins && (open || again && lost.tx >= reacted);
            begins |= first;
            controller.on_loss(&loss(now, lost, first, Detection::Acks, in_flight, bytes));
        });
        self.rack = Some(rack);
        if begins {
            self.end_probe(now);
            self.begin_recovery();
            self.arm_timer(now);
        }
    }

    /// Losses are being repaired otherwise: what a probe has repaired is one of them.
    fn end_probe(&mut self, now: Time) {
        if let Some(lost) = self.rack.as_deref_mut().and_then(|rack| rack.tail.reset()) {
            self.tell(now, lost, false);
        }
    }

    /// When the retransmission timer expires: what was sent until the returned time is lost (sec. 6.3).
    pub(super) fn expire_by_time(&mut self, now: Time) -> Option<Time> {
        self.end_probe(now);
        self.react();
        let rack = self.rack.as_deref_mut()?;
        rack.recent.due = Time::MAX;
        let rack = self.rack.as_deref()?;
        Some(now - rack.recent.patience(self.reordering_window(rack)))
    }

    /// A transmission went out; `again`: a retransmission.
    #[inline(never)]
    pub(super) fn note_sent(&mut self, now: Time, seq: u64, tx: u64, again: bool) {
        let end = self.board.next();
        if let Some(rack) = self.rack.as_deref_mut() {
            rack.recent.on_sent(seq, tx);
            rack.tail.on_sent(tx, end, again);
        }
        if !again {
            self.schedule_probe(now);
        }
    }

    /// Sets the probe timer where a probe makes sense: no loss is known, and nothing arrived out of order.
    fn schedule_probe(&mut self, now: Time) {
        let board = &self.board;
        let quiet = self.phase == Phase::Open
            && !board.is_empty()
            && board.sacked() == 0
            && board.lost() == 0;
        let (srtt, rto_due, outstanding) = (self.rtt.srtt(), self.rto_due, board.outstanding());
        if let Some(rack) = self.rack.as_deref_mut() {
            let tail = &mut rack.tail;
            tail.due = if quiet && tail.may_probe() {
                now.saturating_add(tail.timeout(srtt, outstanding)).min(rto_due)
            } else {
                Time::MAX
            };
        }
    }

    /// A pause is over: timers that ran out in it begin anew, for what they wait for had no way to come.
    pub(super) fn restart_rack_timers(&mut self, now: Time) {
        let window = self.rack.as_deref().map(|rack| self.reordering_window(rack));
        if let (Some(rack), Some(window)) = (self.rack.as_deref_mut(), window)
            && rack.recent.due <= now
        {
            rack.recent.due = now.saturating_add(rack.recent.patience(window));
        }
        self.schedule_probe(now);
    }

    /// One of RACK's timers may be due.
    pub(super) fn on_rack_timer(&mut self, now: Time) {
        let Some(rack) = self.rack.as_deref() else {
            return;
        };
        if rack.recent.due <= now {
            self.find_lost_by_time(now);
        }
        let last = self.board.next().checked_sub(1).and_then(|seq| self.board.latest(seq));
        if let Some(rack) = self.rack.as_deref_mut()
            && rack.tail.due <= now
        {
            rack.tail.due = Time::MAX;
            rack.tail.probing = last;
            self.forced |= last.is_some();
            // Sec. 7.3: from here on it is the retransmission timer that runs.
            self.arm_timer(now);
        }
    }
}
