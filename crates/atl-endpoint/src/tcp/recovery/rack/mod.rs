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

use super::selective::begin_next_episode;
use super::strategy::{LossRecovery, News, Partial, Taken, Transmission};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase, loss};

use recent::{Reading, Recent};
use tail::{Seen, Tail};

/// What a sender with RACK-TLP keeps beside the scoreboard.
#[derive(Debug)]
pub(in crate::tcp) struct Rack {
    recent: Recent,
    tail: Tail,
    /// Of the ACK that is being taken in.
    reading: Option<Reading>,
}

impl Rack {
    /// The state at the start. The receiver delays ACKs by at most `ack_delay`.
    pub(super) fn new(ack_delay: Option<Span>) -> Self {
        let tail = Tail::new(ack_delay.unwrap_or(Span::ZERO));
        Rack { recent: Recent::new(), tail, reading: None }
    }

    fn reordering_window(&self, c: &Connection) -> Span {
        let least = c.rtt.min().unwrap_or_default();
        let srtt = c.rtt.srtt().unwrap_or_default();
        self.recent.window(c.phase != Phase::Open, c.board.sacked(), least, srtt)
    }

    fn find_lost(&mut self, c: &mut Connection, now: Time) {
        let window = self.reordering_window(c);
        let (in_flight, bytes) = (c.in_flight(), c.packet_bytes);
        let (open, reacted) = (c.phase == Phase::Open, c.reacted);
        let controller = &mut c.controller;
        let mut begins = false;
        self.recent.find_lost(&mut c.board, now, window, |lost, again| {
            let first = !begins && (open || again && lost.tx >= reacted);
            begins |= first;
            controller.on_loss(&loss(now, lost, first, Detection::Acks, in_flight, bytes));
        });
        if begins {
            self.end_probe(c, now);
            c.begin_recovery();
            c.arm_timer(now);
        }
    }

    /// Losses are being repaired otherwise: what a probe has repaired is one of them.
    fn end_probe(&mut self, c: &mut Connection, now: Time) {
        if let Some(lost) = self.tail.reset() {
            c.report_loss(now, lost, false, c.in_flight());
        }
    }

    /// Sets the probe timer where a probe makes sense: no loss is known, and nothing arrived out of order.
    fn schedule_probe(&mut self, c: &Connection, now: Time) {
        let board = &c.board;
        let quiet =
            c.phase == Phase::Open && !board.is_empty() && board.sacked() == 0 && board.lost() == 0;
        let tail = &mut self.tail;
        tail.due = if quiet && tail.may_probe() {
            now.saturating_add(tail.timeout(c.rtt.srtt(), board.outstanding())).min(c.rto_due)
        } else {
            Time::MAX
        };
    }
}

impl LossRecovery for Rack {
    fn due(&self) -> Time {
        self.recent.due.min(self.tail.due)
    }

    fn on_timer(&mut self, c: &mut Connection, now: Time) {
        if self.recent.due <= now {
            self.find_lost(c, now);
        }
        let last = c.board.next().checked_sub(1).and_then(|seq| c.board.latest(seq));
        if self.tail.due <= now {
            self.tail.due = Time::MAX;
            self.tail.probing = last;
            c.forced |= last.is_some();
            // Sec. 7.3: from here on it is the retransmission timer that runs.
            c.arm_timer(now);
        }
    }

    /// What the timers wait for could not arrive during the pause.
    fn after_pause(&mut self, c: &mut Connection, now: Time) {
        if self.recent.due <= now {
            let window = self.reordering_window(c);
            self.recent.due = now.saturating_add(self.recent.patience(window));
        }
        self.schedule_probe(c, now);
    }

    /// Notes what the cumulative part of the ACK newly shows.
    #[inline(never)]
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool) {
        // An answer to a low-priority probe, or to nothing, says nothing of when data arrived.
        self.reading = measures.then(|| {
            let echo = (c.board.full_tx(info.echo_tx), info.echo_sent_at);
            let mut reading = self.recent.begin(now, echo, c.rtt.min().unwrap_or_default());
            c.board.each_below(info.ack, |newly| reading.take(newly));
            reading
        });
    }

    #[inline(never)]
    fn take_in(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        _: bool,
    ) -> News {
        let board = &mut c.board;
        let selected = match self.reading.take() {
            None => board.select(info.ack, &info.sack),
            Some(mut reading) => {
                let selected = board.select_each(info.ack, &info.sack, |newly| reading.take(newly));
                if acknowledged + selected > 0 {
                    self.recent.finish(reading);
                    self.tail.on_sample();
                }
                let duplicate = info.duplicate().is_some();
                self.recent.on_duplicates(board.una(), board.next(), duplicate);
                selected
            }
        };
        let delivered = acknowledged + selected;
        News { delivered, duplicate: cumulative == 0 && delivered > 0 }
    }

    fn keeps_timer(&self, _: &Connection) -> bool {
        false
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    fn on_episode_end(&mut self, c: &mut Connection, now: Time) {
        self.recent.on_recovery_end();
        begin_next_episode(c, now);
    }

    /// What is lost now, what the probe has shown, when to probe next.
    #[inline(never)]
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &Taken<'_>) {
        self.find_lost(c, now);
        let info = ack.info;
        let repaired = self.tail.on_ack(&Seen {
            ack: info.ack,
            echo: ack.measures.then(|| c.board.full_tx(info.echo_tx)),
            news: ack.delivered > 0,
            advanced: info.ack > ack.una_before,
            blocks: info.sack[0].len != 0,
            duplicate: info.duplicate(),
        });
        if let Some(lost) = repaired {
            // Everything else has arrived: the episode is over as soon as the controller has reacted.
            c.counts.recoveries += 1;
            c.report_loss(now, lost, true, c.in_flight());
            c.controller.on_recovered(now);
            c.react();
        }
        self.schedule_probe(c, now);
    }

    /// Sec. 6.3.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        self.end_probe(c, now);
        c.react();
        self.recent.due = Time::MAX;
        now - self.recent.patience(self.reordering_window(c))
    }

    /// The segment to repeat as a probe.
    fn doubtful(&mut self, _: &mut Connection) -> Option<u64> {
        self.tail.probing.map(|last| last.seq)
    }

    /// As with SACK.
    fn rearms_on_retransmission(&self) -> bool {
        true
    }

    #[inline(never)]
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission) {
        self.recent.on_sent(sent.seq, sent.tx);
        self.tail.on_sent(sent.tx, c.board.next(), sent.again);
        if !sent.again {
            self.schedule_probe(c, now);
        }
    }
}
