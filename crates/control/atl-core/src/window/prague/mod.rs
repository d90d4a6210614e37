//! Prague, the scalable congestion control of L4S.
//!
//! Source: draft-briscoe-iccrg-prague-congestion-control-04, for the requirements of RFC 9331, sec.
//! 4.3; compared with the L4S team's udp_prague. docs/protocols/modern.md lists each rule with its
//! section, and what differs. Left open by the sources, and chosen:
//!
//! - the average of the marking fraction begins at 1 with the first mark, as in Linux: the first
//!   mark ends slow start with half of the window;
//! - RTT independence holds from the first round trip on (Linux waits some rounds);
//! - a loss is answered as Reno answers it, and counts the reduction for marks of the same round
//!   trip in: together they keep no less than the loss alone would;
//! - there is no heuristic against queues that mark ECT(1) like ECT(0) (optional in the draft, and
//!   off in Linux).

mod config;
mod reaction;

pub use config::Config;

use self::reaction::Reaction;
use super::marked_share::MarkedShare;
use super::pace::Pace;
use super::{Ack, Detection, Loss, MarkResponse, Marked, Sent, Start, Timeout, WindowController};
use crate::time::{Span, Time};
use crate::units::Rate;

/// Limit on the window in packets, which only keeps an endless run without loss finite.
const MAX_WINDOW: f64 = 1e12;
/// The least window after a mark or a loss, and the least ssthresh, in packets (the draft's
/// "minimum window").
const LEAST: f64 = 2.0;

/// A window that follows the share of marked packets.
#[derive(Clone, Debug)]
pub struct Prague {
    config: Config,
    packet_bytes: u32,
    cwnd: f64,
    ssthresh: f64,
    share: MarkedShare,
    /// The round over which the share is observed.
    round: Reaction,
    /// The last reduction for marks, and the window before it.
    marked: Option<(Reaction, f64)>,
    /// The last reduction for losses, and what it took.
    lost: Option<(Reaction, f64)>,
    srtt: Span,
    /// Packets of the last ACK for which the window grew, and by how much for each.
    grown: (f64, f64),
    pace: Pace,
    next_tx: u64,
}

impl Prague {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let config = config.usable();
        Prague {
            packet_bytes: start.packet_bytes,
            // `max` turns NaN into the bound.
            cwnd: 1.0f64.max(start.initial_window).min(MAX_WINDOW),
            ssthresh: LEAST.max(start.ssthresh),
            share: MarkedShare::new(config.gain),
            round: Reaction::new(Time::ZERO, 0),
            marked: None,
            lost: None,
            srtt: start.rtt.unwrap_or(Span::ZERO),
            grown: (0.0, 0.0),
            pace: Pace::new(Span::ZERO),
            next_tx: 0,
            config,
        }
    }

    /// alpha: the smoothed share of marked packets, from 0 to 1.
    pub fn marked_share(&self) -> f64 {
        self.share.alpha()
    }

    /// The virtual round-trip time: the smoothed one, but at least the reference.
    fn virtual_rtt(&self) -> Span {
        self.srtt.max(Span::from_secs_f64(self.config.reference_rtt_s))
    }

    /// Packets by which the window grows in a round trip: fewer than 1 where the virtual round trip
    /// is longer than the real one, so that rates grow alike.
    fn growth(&self) -> f64 {
        let (rtt, virtual_rtt) = (self.srtt.secs(), self.virtual_rtt().secs());
        let share = if rtt > 0.0 { rtt / virtual_rtt } else { 1.0 };
        share * share
    }

    /// The reaction is over once a real and a virtual round trip have passed.
    fn is_over(&self, reaction: Reaction, now: Time, newest: u64) -> bool {
        reaction.is_over(now, newest, self.virtual_rtt())
    }

    /// In packets per second; `None` before the first round-trip time is known.
    fn send_rate(&self) -> Option<f64> {
        let srtt = self.srtt.secs();
        // The draft's "pacing": a round trip holds the window, twice that while the window doubles.
        let gain = if self.cwnd < self.ssthresh { 2.0 } else { 1.0 };
        (srtt > 0.0).then(|| gain * self.cwnd / srtt)
    }

    fn shrink_to(&mut self, cwnd: f64) {
        self.cwnd = cwnd.max(LEAST).min(self.cwnd);
        self.ssthresh = self.cwnd.max(LEAST);
    }
}

impl WindowController for Prague {
    fn on_sent(&mut self, sent: &Sent) {
        self.next_tx = sent.tx.saturating_add(1);
        self.pace.on_sent(sent.now, self.send_rate());
    }

    fn on_ack(&mut self, ack: &Ack) {
        if let Some(rtt) = ack.rtt {
            self.srtt = if ack.srtt.is_zero() { rtt } else { ack.srtt };
        }
        self.share.on_delivered(ack.delivered);
        if let Some((newest, _)) = ack.newest
            && self.is_over(self.round, ack.now, newest)
        {
            self.round = Reaction::new(ack.now, self.next_tx);
            self.share.end();
        }
        self.grown = (0.0, 0.0);
        if !ack.window_limited || ack.in_recovery {
            return;
        }
        let packets = f64::from(ack.delivered.min(ack.cumulative));
        if self.cwnd < self.ssthresh {
            self.cwnd = (self.cwnd + packets).min(self.ssthresh).min(MAX_WINDOW);
        } else {
            let each = self.growth() / self.cwnd;
            self.grown = (packets, each);
            self.cwnd = (self.cwnd + packets * each).min(MAX_WINDOW);
        }
    }

    fn on_marked(&mut self, marked: &Marked) {
        self.share.on_marked(marked.packets);
        self.share.settle();
        if marked.packets == 0 {
            return;
        }
        let over = |reaction: Option<(Reaction, f64)>| {
            reaction.is_none_or(|(last, _)| self.is_over(last, marked.now, marked.tx))
        };
        let reacts = over(self.marked) && over(self.lost);
        // Only unmarked packets make the window grow; the ACK has counted these too.
        let (packets, each) = std::mem::take(&mut self.grown);
        let least = if reacts { LEAST } else { self.ssthresh };
        let grown = f64::from(marked.packets).min(packets) * each;
        self.cwnd = (self.cwnd - grown).max(least.min(self.cwnd));
        if reacts {
            self.marked = Some((Reaction::new(marked.now, self.next_tx), self.cwnd));
            self.shrink_to((1.0 - 0.5 * self.share.alpha()) * self.cwnd);
        }
    }

    fn on_loss(&mut self, loss: &Loss) {
        if !loss.new_episode || loss.detection != Detection::Acks {
            return;
        }
        let same_round = self.marked.filter(|(last, _)| !self.is_over(*last, loss.now, loss.tx));
        let whole = same_round.map_or(self.cwnd, |(_, before)| before.max(self.cwnd));
        let before = self.cwnd;
        self.shrink_to(self.config.beta * whole);
        self.lost = Some((Reaction::new(loss.now, self.next_tx), before - self.cwnd));
    }

    fn on_spurious(&mut self, _now: Time) -> bool {
        let Some((reaction, taken)) = self.lost else { return false };
        self.lost = Some((reaction, 0.0));
        self.cwnd = (self.cwnd + taken).min(MAX_WINDOW);
        self.ssthresh = self.ssthresh.min(self.cwnd);
        true
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        // The same segment is lost again at those that follow (RFC 5681, sec. 3.1).
        if timeout.consecutive <= 1 {
            self.ssthresh = (self.config.beta * self.cwnd).max(LEAST);
        }
        self.cwnd = 1.0;
        (self.marked, self.lost) = (None, None);
    }

    fn window(&self) -> f64 {
        self.cwnd
    }

    /// As in the reference: downwards a window of 2.9 would be one of 2.
    fn rounds_up(&self) -> bool {
        true
    }

    fn ssthresh(&self) -> f64 {
        self.ssthresh
    }

    fn release_at(&self) -> Option<Time> {
        Some(self.pace.next())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        let bytes = f64::from(self.packet_bytes);
        self.send_rate().map(|rate| Rate::from_bytes_per_sec(rate * bytes))
    }

    fn mark_response(&self) -> MarkResponse {
        MarkResponse::L4s
    }
}
