//! RACK-TLP: time-based loss detection (RFC 8985).
//!
//! Each transmission carries its sending time, and an ACK echoes that of the transmission it
//! answers. A transmission is lost if it was sent more than a reordering window before the most
//! recently sent packet that arrived, whether it was a first transmission or a retransmission
//! ([`recent`]). If no later packet is in flight that could reveal a loss, a probe is sent after
//! two round trips ([`tail`]).
//!
//! Choices that the source leaves open, and simplifications:
//! - The order of sending is that of transmission numbers, which never tie; the RFC compares (time,
//!   sequence).
//! - The reordering timer expires when the *oldest* suspect is lost; the RFC sets one timer for
//!   all, for the last.
//! - RACK.min_RTT is that of the connection (the RFC allows a "simple global minimum" or a windowed
//!   one).
//! - The receiver reports duplicates (D-SACK, RFC 2883), which widens the reordering window (sec.
//!   6.2, step 4).
//! - TLP.max_ack_delay is the flow's own ACK delay, which the sender knows.
//! - An ACK that answers the probe, acknowledges something new and reports no duplicate shows at
//!   once that the tail was lost; the RFC (sec. 7.4.2) waits for an ACK of later data, which may
//!   never come.
//!
//! Reports to the controller (sec. 9.3):
//! - The first loss of an episode starts a new episode, as with SACK.
//! - A lost retransmission also starts a new episode: RFC 5681, sec. 4.3, treats it as a second
//!   indication of congestion, and sec. 9.3 demands this reaction of senders without proportional
//!   rate reduction, like this one. This happens at most once per window: only if the
//!   retransmission was sent after the last reaction. (Linux, which has proportional rate
//!   reduction, leaves ssthresh unchanged here, except for a retransmission lost after a timeout.)
//! - A loss that only the probe reveals, and repairs, is an episode that ends at once.

mod recent;
mod tail;

use atl_core::time::{Span, Time};
use atl_core::window::{Detection, WindowController};

use super::loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
use super::selective::begin_next_episode;
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::path::loss;

use recent::{Reading, Recent};
use tail::{Seen, Tail};

/// State of RACK-TLP beside the scoreboard.
#[derive(Debug)]
pub(in crate::tcp) struct Rack {
    recent: Recent,
    tail: Tail,
    /// The evidence of the ACK being processed.
    reading: Option<Reading>,
}

impl Rack {
    /// The initial state. The receiver delays ACKs by at most `ack_delay`.
    pub(super) fn new(ack_delay: Option<Span>) -> Self {
        let tail = Tail::new(ack_delay.unwrap_or(Span::ZERO));
        Rack { recent: Recent::new(), tail, reading: None }
    }

    fn reordering_window(&self, c: &Connection) -> Span {
        let least = c.path.rtt.min().unwrap_or_default();
        let srtt = c.path.rtt.srtt().unwrap_or_default();
        self.recent.window(c.phase != Phase::Open, c.board.sacked(), least, srtt)
    }

    fn find_lost(&mut self, c: &mut Connection, now: Time) {
        let window = self.reordering_window(c);
        let (in_flight, base, reduced) = (c.in_flight(), c.path.base, c.path.reduced);
        let (open, reacted) = (c.phase == Phase::Open, c.path.reacted);
        let controller = &mut c.path.controller;
        let mut begins = false;
        self.recent.find_lost(&mut c.board, now, window, |lost, again| {
            let first = !begins && (open || again && lost.tx >= reacted);
            begins |= first;
            let shrinks = first && lost.tx >= reduced;
            controller.on_loss(&loss(now, lost, shrinks, Detection::Acks, in_flight, base));
        });
        if begins {
            self.end_probe(c, now);
            c.begin_recovery();
            c.arm_timer(now);
        }
    }

    /// Other losses are being repaired; a loss that the probe repaired is one of them.
    fn end_probe(&mut self, c: &mut Connection, now: Time) {
        if let Some(lost) = self.tail.reset() {
            c.notify_loss(now, lost, false, c.in_flight());
        }
    }

    /// Sets the probe timer if a probe is useful: no loss is known, and nothing arrived out of
    /// order.
    fn schedule_probe(&mut self, c: &Connection, now: Time) {
        let board = &c.board;
        let quiet =
            c.phase == Phase::Open && !board.is_empty() && board.sacked() == 0 && board.lost() == 0;
        let tail = &mut self.tail;
        tail.due = if quiet && tail.may_probe() {
            now.saturating_add(tail.timeout(c.path.rtt.srtt(), board.outstanding()))
                .min(c.path.rto_due)
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
            c.path.forced |= last.is_some();
            // Sec. 7.3: from here on the retransmission timer runs.
            c.arm_timer(now);
        }
    }

    /// Packets could not arrive during the pause, so the timers restart.
    fn after_pause(&mut self, c: &mut Connection, now: Time) {
        if self.recent.due <= now {
            let window = self.reordering_window(c);
            self.recent.due = now.saturating_add(self.recent.loss_delay(window));
        }
        self.schedule_probe(c, now);
    }

    /// Records what the cumulative part of the ACK newly shows to have arrived.
    #[inline(never)]
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool) {
        // The ACK of a low-priority probe, or of nothing, does not show when data arrived.
        self.reading = measures.then(|| {
            let echo = (c.board.full_tx(info.echo_tx), info.echo_sent_at);
            let mut reading = self.recent.begin(now, echo, c.path.rtt.min().unwrap_or_default());
            c.board.each_below(info.ack, |newly| reading.take(newly));
            reading
        });
    }

    #[inline(never)]
    fn process_ack(
        &mut self,
        c: &mut Connection,
        info: &AckInfo,
        cumulative: u32,
        acknowledged: u32,
        _: bool,
    ) -> Delivery {
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
        Delivery { delivered, duplicate: cumulative == 0 && delivered > 0 }
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

    /// Finds losses, evaluates the probe and schedules the next one.
    #[inline(never)]
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
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
            // Everything else has arrived: the episode ends as soon as the controller has reacted.
            c.counts.recoveries += 1;
            c.notify_loss(now, lost, true, c.in_flight());
            c.path.controller.on_recovered(now);
            c.react();
        }
        self.schedule_probe(c, now);
    }

    /// RFC 8985, sec. 6.3.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        self.end_probe(c, now);
        c.react();
        self.recent.due = Time::MAX;
        now - self.recent.loss_delay(self.reordering_window(c))
    }

    /// The segment to resend as a probe.
    fn next_unproven(&mut self, _: &mut Connection) -> Option<u64> {
        self.tail.probing.map(|last| last.seq)
    }

    /// True, as with SACK.
    fn rearms_on_retransmission(&self) -> bool {
        true
    }

    /// A probe of the tail was meant for a path of its own.
    fn on_split(&mut self) {
        self.tail.reset();
        self.recent.due = Time::MAX;
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
