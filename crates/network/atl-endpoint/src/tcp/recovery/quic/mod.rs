//! QUIC's loss recovery (RFC 9002), for a TCP sender.
//!
//! A transmission is lost once a later one has arrived and either three more were sent in between
//! or it is older than 9/8 of the RTT ([`thresholds`]); it makes no difference whether it was a
//! retransmission. Where nothing in flight can reveal a loss, a probe timeout (PTO) sends two
//! packets beyond the window, and loses nothing. A *recovery period* begins with a loss and ends
//! when a packet that was sent after its beginning is acknowledged. Losses of packets sent before
//! it are part of the same congestion event. The window counts at once: what it leaves room for is
//! sent, new or lost, without proportional rate reduction.
//!
//! Choices that the source leaves open, and differences that TCP's segments and ACKs make:
//! - The controller gets an event for each packet that arrived, whatever holes are below it: an ACK
//!   of QUIC has no cumulative point.
//! - Transmission numbers are the packet numbers. ACKs are TCP's: a cumulative number and three
//!   SACK blocks in place of 32 or more ranges. Each range is named by at least three ACKs, so it
//!   takes three lost ACKs in a row to miss one. Of a segment sent more than once, only the ACK's
//!   echo tells which transmission arrived.
//! - ACKs have no field for their delay, so it is part of the sample when the receiver's timer
//!   sends the ACK (sec. 5.3 subtracts it). An ACK of two packets is measured by the later one.
//! - The smoothed RTT is the RFC's, each sample with full weight, and not TCP's (RFC 7323, appendix
//!   G).
//! - `max_ack_delay` is the flow's own ACK delay, which the sender knows.
//! - No packet goes out beyond the reduced window when a recovery begins (sec. 7.3.2 allows one).
//! - A PTO sends lost data first, then new data, then the oldest that is in flight (sec. 6.2.4). A
//!   segment sent again as a probe counts once as in flight; both transmissions can be lost.
//! - The PTO doubles up to the largest retransmission timeout (the RFC has no limit).
//! - Persistent congestion is TCP's timeout to the controller: its own least window (sec. 7.6.2: 2
//!   packets) and slow start. It is counted as a timeout; a PTO is not. Packets sent before it
//!   cause no further event.
//! - While packets are in flight over two paths, their losses are found for each path (`roaming`).

mod thresholds;

use atl_core::measure::{RttConfig, RttEstimator};
use atl_core::time::{Span, Time};
use atl_core::window::{Detection, Timeout, WindowController};

use super::loss_recovery::{Delivery, LossRecovery, Partial, ProcessedAck, Transmission};
use crate::tcp::ack::AckInfo;
use crate::tcp::connection::{Connection, Phase};
use crate::tcp::path::loss;

use thresholds::{Limits, Reading, Thresholds};

/// Timer granularity (sec. 6.1.2).
const GRANULARITY: Span = Span::from_millis(1);
/// The PTO before the first sample: 333 ms and four times half of that (sec. 6.2.2).
const INITIAL_PTO: Span = Span::from_millis(999);
/// Losses over more than this many PTOs are persistent congestion (sec. 7.6.1).
const PERSISTENT_PTOS: u64 = 3;
/// Packets that an expired PTO sends (sec. 6.2.4: one or two).
const PROBES: u8 = 2;

/// State of QUIC's recovery beside the scoreboard.
#[derive(Debug)]
pub(in crate::tcp) struct Quic {
    thresholds: Thresholds,
    rtt: RttEstimator,
    latest_rtt: Span,
    /// The receiver delays ACKs by at most this.
    ack_delay: Span,
    /// Start of the PTO: the last packet sent, or the last expiry.
    base: Time,
    /// Expired PTOs since the last ACK (pto_count).
    expiries: u32,
    /// Packets still to be sent because of an expired PTO, and the first transmission after it.
    probes: u8,
    probing_since: u64,
    /// The evidence of the ACK being processed.
    reading: Option<Reading>,
    /// Packets are in flight over two paths.
    split: bool,
}

impl Quic {
    /// The initial state. The receiver delays ACKs by at most `ack_delay`.
    pub(super) fn new(ack_delay: Option<Span>) -> Self {
        Quic {
            thresholds: Thresholds::new(),
            rtt: RttEstimator::new(RttConfig::default()),
            latest_rtt: Span::ZERO,
            ack_delay: ack_delay.unwrap_or(Span::ZERO),
            base: Time::ZERO,
            expiries: 0,
            probes: 0,
            probing_since: 0,
            reading: None,
            split: false,
        }
    }

    /// The probe timeout without back-off (sec. 6.2.1).
    fn pto(&self) -> Span {
        self.rtt.srtt().map_or(INITIAL_PTO, |srtt| {
            srtt + (self.rtt.rttvar() * 4).max(GRANULARITY) + self.ack_delay
        })
    }

    /// Sec. 6.1.2, with kTimeThreshold = 9/8.
    fn loss_delay(&self) -> Span {
        let rtt = self.rtt.srtt().unwrap_or(self.latest_rtt).max(self.latest_rtt);
        (rtt * 9 / 8).max(GRANULARITY)
    }

    /// Sets the PTO. A suspect is waited for first (sec. 6.2.1).
    fn set_timer(&mut self, c: &mut Connection, now: Time) {
        c.path.rto_due = if c.board.is_empty() || self.thresholds.due < Time::MAX {
            Time::MAX
        } else {
            let pto = self.pto();
            let longest = c.path.rtt.config().max_rto.max(pto);
            let backed_off = (pto * (1 << self.expiries.min(20))).min(longest);
            self.base.saturating_add(backed_off).max(now)
        };
    }

    fn find_lost(&mut self, c: &mut Connection, now: Time) {
        let limits =
            Limits { loss_delay: self.loss_delay(), persistent: self.pto() * PERSISTENT_PTOS };
        let (in_flight, base, reduced) = (c.in_flight(), c.path.base, c.path.reduced);
        let reacted = c.path.reacted;
        let controller = &mut c.path.controller;
        let mut begins = false;
        let persistent = self.thresholds.find_lost(&mut c.board, now, limits, |lost| {
            let first = !begins && lost.tx >= reacted;
            begins |= first;
            let shrinks = first && lost.tx >= reduced;
            controller.on_loss(&loss(now, lost, shrinks, Detection::Acks, in_flight, base));
        });
        if begins {
            c.begin_recovery();
            c.path.forced = self.probes > 0;
        }
        if persistent {
            c.counts.timeouts += 1;
            let timeout = Timeout::new(now, c.in_flight()).consecutive(1);
            c.path.controller.on_timeout(&timeout);
            // Sec. 7.6.2 ends the recovery period: slow start begins with the next ACK.
            c.phase = Phase::Open;
            c.react();
        }
    }
}

impl LossRecovery for Quic {
    fn due(&self) -> Time {
        self.thresholds.due
    }

    fn on_timer(&mut self, c: &mut Connection, now: Time) {
        if self.thresholds.due <= now {
            self.find_lost(c, now);
            self.set_timer(c, now);
        }
        if c.path.rto_due <= now && c.phase != Phase::Connecting && !c.board.is_empty() {
            self.expiries += 1;
            self.probes = PROBES;
            self.probing_since = c.next_tx;
            c.path.forced = true;
            self.base = now;
            self.set_timer(c, now);
        }
    }

    /// Packets could not arrive during the pause, so the timers restart. The PTO is as the sender
    /// left it.
    fn after_pause(&mut self, c: &mut Connection, now: Time) {
        if self.split {
            self.split = false;
            self.rtt = c.path.rtt.clone();
        }
        if self.thresholds.due <= now {
            self.thresholds.due = now.saturating_add(self.loss_delay());
        }
        if c.path.rto_due == Time::MAX {
            self.base = now;
            self.set_timer(c, now);
        }
    }

    /// Records what the cumulative part of the ACK newly shows to have arrived.
    #[inline(never)]
    fn before_ack(&mut self, c: &mut Connection, now: Time, info: &AckInfo, measures: bool) {
        // The ACK of a low-priority probe, or of nothing, does not show when data arrived.
        self.reading = measures.then(|| {
            let mut reading = Reading::new(now, (c.board.full_tx(info.echo_tx), info.echo_sent_at));
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
        let Some(mut reading) = self.reading.take() else {
            let delivered = acknowledged + c.board.select(info.ack, &info.sack);
            return Delivery { delivered, duplicate: cumulative == 0 && delivered > 0 };
        };
        let now = reading.now;
        let delivered =
            acknowledged + c.board.select_each(info.ack, &info.sack, |newly| reading.take(newly));
        if delivered > 0 {
            let (newest, rtt) = self.thresholds.finish(reading);
            if let Some(rtt) = rtt {
                self.latest_rtt = rtt;
                self.rtt.on_sample(rtt);
            }
            // Before the controller hears of this ACK: it may grow the window again (sec. 7.3.2).
            if c.phase == Phase::Recovery && newest >= c.path.reacted {
                c.phase = Phase::Open;
                c.path.controller.on_recovered(now);
            }
        }
        Delivery { delivered, duplicate: cumulative == 0 && delivered > 0 }
    }

    /// True: `find_losses` sets the timer.
    fn keeps_timer(&self, _: &Connection) -> bool {
        true
    }

    fn on_partial_ack(&mut self, _: &mut Connection, _: Time) -> Partial {
        Partial::Continues
    }

    /// The next period begins with the next loss of a packet sent by then; losses already known
    /// belong to this one.
    fn on_episode_end(&mut self, _: &mut Connection, _: Time) {}

    #[inline(never)]
    fn find_losses(&mut self, c: &mut Connection, now: Time, ack: &ProcessedAck<'_>) {
        if ack.delivered > 0 {
            self.expiries = 0;
        }
        self.find_lost(c, now);
        self.set_timer(c, now);
    }

    /// Only while packets are in flight over two paths; a PTO loses nothing.
    fn on_expiry(&mut self, c: &mut Connection, now: Time) -> Time {
        self.thresholds.forget();
        c.react();
        now - self.loss_delay()
    }

    /// An expired PTO without other data sends the oldest segment in flight.
    fn next_unproven(&mut self, c: &mut Connection) -> Option<u64> {
        if self.probes == 0 {
            return None;
        }
        let oldest = c.board.oldest_out(self.probing_since);
        match oldest {
            Some(seq) => self.thresholds.copy(&c.board, seq),
            None => {
                self.probes = 0;
                c.path.forced = false;
            }
        }
        oldest
    }

    /// Over two paths; otherwise the PTO runs from each packet.
    fn rearms_on_retransmission(&self) -> bool {
        true
    }

    /// The paths have timers of their own from now on.
    fn on_split(&mut self) {
        self.split = true;
        self.probes = 0;
        self.thresholds.forget();
    }

    #[inline(never)]
    fn on_sent(&mut self, c: &mut Connection, now: Time, sent: Transmission) {
        self.thresholds.on_sent(sent.seq, sent.tx);
        self.base = now;
        if self.split {
            return;
        }
        if self.probes > 0 {
            self.probes -= 1;
            c.path.forced = self.probes > 0;
        }
        self.set_timer(c, now);
    }
}
