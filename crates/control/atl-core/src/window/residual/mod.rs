//! Residual: a model-based sender that judges loss and delay by what remains of them without the
//! wireless links' own.
//!
//! docs/protocols/residual.md has the equations, their derivation and what was measured. Sources:
//! FAST TCP (Wei, Jin, Low, Hegde, ToN 2006) for the window while alone; RFC 9438 (CUBIC) for the
//! window beside others; Copa (Arun, Balakrishnan, NSDI 2018) and Nimbus (Goyal et al., SIGCOMM
//! 2022) for two modes; BBR (draft-ietf-ccwg-bbr) for the drain; RFC 9406 for the end of the start.
//!
//! - **Alone** (`alone.rs`) the window is what the path holds at its least round-trip time, and a
//!   few packets. Losses do not reduce it unless they are more than the links' own.
//! - **Beside** senders that fill the queue (`beside.rs`) it is CUBIC's.
//! - **Dips** (`dips.rs`) are short looks for the end of the queue, and for losses that jitter
//!   hides (`hidden.rs`).
//! - **A drain** (`drain.rs`) says which: half a window for a round trip. If the queue goes, it was
//!   the sender's own.
//! - **A longer path** (`longer.rs`) shows by a delay that does not follow what is in flight: the
//!   start begins anew, as after a handoff.
//! - **p_w** (`link.rs`): the own link's report is believed, a peer's is bounded by what the sender
//!   infers itself; marks of the own MAC take losses out of the judgement (`judge.rs`).
//! - **A handoff** of the own end is believed, a receiver's is a claim (`handoff.rs`).
//! - **A lie** can make it ignore losses. What is in flight stays within what was delivered
//!   (`alone.rs`), and a long queue still cuts the window (`beside.rs`).

mod alone;
mod beside;
mod claims;
mod climb;
mod config;
mod curve;
mod dips;
mod drain;
mod handoff;
mod hidden;
mod jitter;
mod judge;
mod link;
mod longer;
mod reach;
mod rounds;
mod sample;
mod start;
mod state;
#[cfg(test)]
mod tests;
mod train;

pub use config::Config;

use core::num::NonZeroU32;

use self::claims::Claims;
use self::hidden::Hidden;
use self::jitter::{Falls, Jitter};
use self::judge::Judge;
use self::link::Links;
use self::reach::Reach;
use self::rounds::{Base, Round, Rounds};
use self::state::{Alone, Beside, Drain, Search};
use self::train::Train;
use crate::path::{End, LinkReport};
use crate::time::{Span, Time};
use crate::units::Rate;
use crate::window::pace::Pace;
use crate::window::{
    Ack, Detection, Handoff, Loss, Marked, Quench, Sent, Start, Timeout, WindowController,
};

/// Limit on the window in packets.
const LARGEST_WINDOW: f64 = 1e7;
/// Packets that an ACK opens the window for at most: those of a slow start with delayed ACKs.
const MOST_GROWTH: NonZeroU32 = NonZeroU32::MIN.saturating_add(1);
/// The window after a timeout.
const AFTER_TIMEOUT: f64 = 1.0;
/// The mean jitter, times this, is what a queue has to exceed to be told from it. Of jitter that is
/// spread evenly the mean excess over the least is some three of the mean steps that [`Jitter`]
/// counts, and as much again is kept in the queue.
const JITTERS: f64 = 6.25;
/// Least round-trip times that jitter counts for at most. Beyond it delays say nothing.
const MOST_JITTER: f64 = 2.0;
/// The mean fall within a round, times this, is what a queue has to exceed to be told from jitter.
/// Of even jitter in both directions the delay of a fast flow is some twice the fall above the
/// least.
const FALLS: f64 = 2.5;
/// Packets that mean falls have to be to count. Any queue of a few packets falls by some of them.
const HAZE_PACKETS: f64 = 8.0;
/// The same of falls by this share of the least round-trip time, on a slow path: a late packet
/// holds up few others there.
const FEW_HAZE_PACKETS: f64 = 3.0;
const FEW_HAZE_SHARE: f64 = 0.25;
/// Seconds up to which differences always say nothing. Jitter that is longer shows by itself.
const LEAST_SECS: f64 = 0.001;
/// The same where one loss is judged. While the queue shows no better than that, at most
/// [`Config::loss_threshold`] of loss is inferred, and no peer is believed: an error then costs
/// others no more than a sender does that tolerates as much.
const LEAST_SECS_OF_LOSS: f64 = 0.000_25;
/// The share of the least round-trip time up to which a rise is no queue that stands, and falls are
/// no jitter.
const LEAST_SHARE: f64 = 0.02;
/// Packets more or less that others may send in a round.
const OTHERS_PACKETS: f64 = 2.0;
/// Rounds after which the least round-trip time is that of rounds, not of single packets.
const FIRST_ROUNDS: u64 = 2;

/// A window that follows a model of the path, less what the wireless links own up to.
#[derive(Clone, Debug)]
pub struct Residual {
    config: Config,
    packet_bytes: u32,
    /// Rate of the access link in packets per second, if it is known.
    access: Option<f64>,
    /// The window that the mode wants.
    cwnd: f64,
    /// The window in force: it falls to the wanted one at once, and rises to it with what arrives.
    open: f64,
    rounds: Rounds,
    jitter: Jitter,
    /// The same over all rounds since the start, without what changes of its own window explain.
    unrest: Jitter,
    falls: Falls,
    hidden: Hidden,
    /// The window at the end of the last round.
    last_window: f64,
    /// Rounds so far, and those before the path in use.
    round: u64,
    earlier: u64,
    base: Base,
    reach: Reach,
    links: Links,
    judge: Judge,
    pace: Pace,
    /// p_w as of the last round.
    loss: f64,
    /// The rates of the last rounds, in packets per second.
    rates: [f64; 4],
    /// The rate and the window when no queue was last held against the sender.
    calm_rate: f64,
    calm_window: f64,
    srtt: f64,
    /// The last round's least round-trip time in seconds; infinite before.
    low: f64,
    last_rtt: f64,
    in_flight: f64,
    /// The search for the path's rate at the start.
    search: Option<Search>,
    /// The first window of a connection.
    train: Option<Train>,
    alone: Alone,
    beside: Option<Beside>,
    /// When it last left the mode beside others, and the window there.
    left_beside: Option<(Time, f64)>,
    /// When the queue was last seen empty without a drain, and if a drain has looked since.
    emptied_at: Time,
    searched: bool,
    /// Seconds from one test for being alone to the next.
    check: f64,
    drain: Option<Drain>,
    /// First transmission on the path in use, and the first after its start.
    first: u64,
    after_start: u64,
    marked_tx: u64,
    claims: Claims,
    /// The sender as it was before a claimed handoff that is not judged yet.
    before: Option<Box<Residual>>,
}

impl Residual {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let rate = start.access_rate.filter(|_| config.use_rate);
        let access = rate.map(|rate| rate.packets_per_sec(start.packet_bytes.max(1)));
        let window = 1.0f64.max(start.initial_window).min(LARGEST_WINDOW);
        Residual {
            config: config.clone(),
            packet_bytes: start.packet_bytes,
            access: access.filter(|rate| *rate > 0.0 && rate.is_finite()),
            cwnd: window,
            open: window,
            rounds: Rounds::new(),
            jitter: Jitter::new(),
            unrest: Jitter::new(),
            falls: Falls::new(),
            hidden: Hidden::new(),
            last_window: 0.0,
            round: 0,
            earlier: 0,
            base: Base::new(),
            reach: Reach::new(),
            links: Links::new(config.trust()),
            judge: Judge::new(),
            pace: Pace::new(Span::ZERO),
            loss: 0.0,
            rates: [0.0; 4],
            calm_rate: 0.0,
            calm_window: 0.0,
            srtt: 0.0,
            low: f64::INFINITY,
            last_rtt: 0.0,
            in_flight: 0.0,
            search: Some(Search::new()),
            train: Some(Train::new(window as u64)),
            alone: Alone::new(0),
            beside: None,
            left_beside: None,
            emptied_at: Time::ZERO,
            searched: false,
            check: config.drain_every,
            drain: None,
            first: 0,
            after_start: 0,
            marked_tx: 0,
            claims: Claims::new(),
            before: None,
        }
    }

    /// The access link's rate, as a bound: only where that link also tells what it loses. A sender
    /// that stays below its own link's rate never sees a queue, and without one nothing tells the
    /// link's losses from congestion.
    fn access_limit(&self) -> Option<f64> {
        self.access.filter(|_| self.links.tells_losses())
    }

    /// The largest rate of the last rounds.
    fn best_rate(&self) -> f64 {
        self.rates.iter().copied().fold(0.0, f64::max)
    }

    /// The longest queue in seconds that counts as empty at `rate`: half of what the sender keeps
    /// there itself, or what jitter alone looks like.
    fn near(&self, rate: f64) -> f64 {
        let own = if rate > 0.0 { 0.5 * self.backlog(rate) / rate + 0.000_3 } else { 0.001 };
        own.max(self.haze())
    }

    /// Jitter of the path in seconds, of which twice the least round-trip time counts at most.
    fn swing(&self) -> f64 {
        let most = MOST_JITTER * self.base.secs().unwrap_or(0.0);
        (JITTERS * self.jitter.secs()).min(most)
    }

    /// Rises of the round-trip time in seconds that jitter within a round explains. On a link that
    /// keeps the order they last: a fast flow's packets all wait for a late one.
    fn haze(&self) -> f64 {
        let falls = self.falls.secs();
        let base = self.base.secs().unwrap_or(0.0);
        let packets = falls * self.reach.rate().max(self.best_rate());
        let deep = falls >= FEW_HAZE_SHARE * base;
        let least = if deep { FEW_HAZE_PACKETS } else { HAZE_PACKETS };
        if falls < LEAST_SECS.max(LEAST_SHARE * base) || packets < least {
            return 0.0;
        }
        (FALLS * falls).min(MOST_JITTER * base)
    }

    /// True if the round-trip time varies by so much, whatever the window does, that a delay tells
    /// nothing of a queue.
    fn is_blind(&self, base: f64) -> bool {
        JITTERS * self.unrest.secs() > MOST_JITTER * base
            || self.haze() > 0.0 && FALLS * self.falls.secs() > MOST_JITTER * base
    }

    /// True if no dip and no other change of its own still shows, while alone.
    fn is_undisturbed(&self) -> bool {
        self.alone.dip.is_none() && self.alone.wait == 0
    }

    /// A round has had this least round-trip time in seconds.
    fn note_jitter(&mut self, low: f64) {
        let window = self.cwnd.max(self.open);
        let change = (window - self.last_window).abs() + OTHERS_PACKETS;
        self.last_window = window;
        if self.search.is_some() || self.drain.is_some() {
            self.unrest.skip();
            self.jitter.skip();
            return;
        }
        self.unrest.on_low(low, change / self.reach.rate().max(self.best_rate()).max(1.0));
        if self.is_undisturbed() {
            self.jitter.on_low(low, 0.0);
        } else {
            self.jitter.skip();
        }
    }

    /// A round has had this fall of the round-trip time in seconds.
    fn note_falls(&mut self, fall: f64) {
        let settled = self.search.is_some() || self.is_undisturbed();
        if self.drain.is_none() && settled && self.rounds_here() > FIRST_ROUNDS - 1 {
            self.falls.on_round(fall);
        } else {
            self.falls.skip();
        }
    }

    /// Differences of round-trip times in seconds that say nothing of how long a queue is: `least`,
    /// a packet more or less ahead, and jitter.
    fn noise(&self, least: f64) -> f64 {
        let rate = self.best_rate().max(self.reach.rate());
        let packet = if rate > 0.0 { 1.0 / rate } else { 0.0 };
        packet.max(least).max(self.swing()).max(self.haze())
    }

    /// The most that may be left of a queue that is gone, in seconds: a little more on a long path.
    fn trace(&self, base: f64) -> f64 {
        self.noise(LEAST_SECS).max(LEAST_SHARE * base)
    }

    /// The queue that the last packet found, in seconds.
    fn queue(&self) -> f64 {
        let rise = (self.last_rtt - self.base.secs().unwrap_or(self.last_rtt)).max(0.0);
        rise - self.links.excess(rise)
    }

    /// True if a queue of `queue` seconds is far from full, as far as delay can tell, or jitter
    /// hides it: then losses are taken for the link's, up to [`Config::loss_threshold`].
    fn is_short(&self, queue: f64) -> bool {
        let haze = self.haze();
        self.reach.is_short(queue, self.noise(LEAST_SECS_OF_LOSS))
            || haze > 0.0 && !self.hidden.held && queue <= haze
    }

    /// True if the queue is far from full, as the last packets found it: one that is lost now was
    /// sent before some of them.
    fn is_short_now(&self) -> bool {
        self.base.secs().is_some() && self.is_short(self.reach.recent())
    }

    fn send_rate(&self) -> Option<f64> {
        if self.srtt <= 0.0 {
            return None;
        }
        // A short queue holds no bursts.
        let (gain, rtt) = match (&self.search, &self.beside) {
            (Some(_), _) => (2.0, self.srtt),
            (None, Some(_)) => (1.2, self.srtt),
            (None, None) => (1.05, self.srtt.min(self.low)),
        };
        Some((gain * self.window() / rtt).max(1e-3))
    }

    fn on_round(&mut self, now: Time, round: &Round) {
        self.round += 1;
        if let Some(base) = self.base.secs()
            && round.low.is_finite()
        {
            self.note_low(now, round.low, self.trace(base));
        }
        let Some(base) = self.base.secs() else { return };
        self.links.witnessed = self.reach.is_witness(self.noise(LEAST_SECS));
        self.loss = self.links.loss();
        self.low = round.low;
        let rise = if round.low.is_finite() { (round.low - base).max(0.0) } else { 0.0 };
        self.claims.on_round();
        let queue = rise - self.links.excess(rise);
        if round.low.is_finite() && queue <= self.trace(base) {
            self.note_empty(now);
        }
        let short = self.is_short(queue);
        self.links.unseen = !self.reach.is_visible(self.noise(LEAST_SECS));
        let calm = short || self.search.is_some();
        let blank = self.links.is_blank() && calm && queue < (0.1 * base).max(0.005);
        let quiet = self.beside.is_none() && calm && queue <= self.near(self.best_rate());
        self.note_falls(round.fall);
        self.note_jitter(round.low);
        let limits = (self.config.loss_threshold, self.config.sigmas);
        let told = (self.loss, self.links.burst());
        // A burst on the link must not end the search for the path's rate.
        let judged = if self.spares_runs() { round.of_runs() } else { *round };
        let bad = self.judge.on_round(&judged, told, blank, quiet, limits);
        if self.drain.is_some() {
            return;
        }
        if self.alone.dip.is_none() {
            self.reach.on_low(queue);
        }
        self.rates.rotate_left(1);
        self.rates[3] = round.rate(self.loss);
        self.reach.on_rate(self.rates[3]);
        if self.search.is_some() {
            self.on_round_starting(now, round, bad);
        } else if self.beside.is_some() {
            self.on_round_beside(now, round, queue, bad);
        } else {
            self.on_round_alone(now, round, queue, bad);
        }
    }

    /// Rounds on the path in use.
    fn rounds_here(&self) -> u64 {
        self.round - self.earlier
    }

    /// The queue is empty as far as it goes, and a round-trip time of `low` seconds its least.
    fn rebase(&mut self, now: Time, low: f64) {
        self.base.replace(now, low);
        self.links.rebase();
    }

    /// Takes in a low round-trip time; one up to `near` above the least says that no queue stands.
    fn note_low(&mut self, now: Time, rtt: f64, near: f64) {
        self.base.on_rtt(now, rtt, near);
        if self.base.at == now {
            self.note_empty(now);
        }
    }

    /// No queue stands, and no drain has made it go.
    fn note_empty(&mut self, now: Time) {
        if self.drain.is_none() {
            self.emptied_at = now;
            self.searched = false;
        }
    }

    /// Takes in what an ACK tells.
    fn learn(&mut self, ack: &Ack) {
        let newest = ack.newest.map(|(tx, _)| tx);
        let rtt = ack.rtt.and_then(rounds::secs);
        if let Some(rtt) = rtt {
            self.claims.on_rtt(ack.now, rtt, self.step_memory());
        }
        if newest.is_none_or(|tx| tx < self.first) {
            return;
        }
        let newest = newest.unwrap_or(0);
        self.in_flight = f64::from(ack.in_flight);
        if let Some(rtt) = rtt {
            let srtt = rounds::secs(ack.srtt).unwrap_or(rtt);
            self.srtt = srtt;
            self.last_rtt = rtt;
            if self.rounds_here() < FIRST_ROUNDS {
                let near = self.base.secs().map_or(0.0, |base| self.trace(base));
                self.note_low(ack.now, rtt, near);
            }
            self.reach.on_queue(ack.now, self.queue(), srtt);
        }
        let short = self.is_short_now();
        if short && rtt.is_some() {
            self.links.on_short_queue(0.0, f64::from(ack.delivered), self.cwnd);
        }
        if let Some(round) = self.rounds.on_ack(ack, rtt, short) {
            self.on_round(ack.now, &round);
        }
        if self.drain.is_some() {
            if let Some(rtt) = rtt {
                self.on_ack_draining(ack.now, newest, rtt, ack.in_flight);
            }
        } else if self.search.is_some() {
            if rtt.is_some() && ack.window_limited {
                self.on_ack_of_train(ack.now, newest, ack.delivered);
            }
            self.on_ack_starting(ack.now, ack.delivered, rtt, ack.window_limited);
        } else if self.beside.is_some() && ack.window_limited && ack.delivered > 0 {
            self.grow_beside(ack, newest);
        }
    }

    /// Moves the window in force to the wanted one: down at once, up by `packets` at most.
    fn follow(&mut self, packets: u32) {
        self.cwnd = self.cwnd.clamp(1.0, LARGEST_WINDOW);
        let want = self.drain.map_or(self.cwnd, |drain| drain.window.min(self.cwnd));
        self.open = (self.open + f64::from(packets)).min(want).max(1.0);
    }

    /// The path is another one, as far as the sender can tell.
    fn forget_path(&mut self, now: Time) {
        self.first = self.rounds.next();
        self.earlier = self.round;
        self.rounds.restart(now);
        self.base = Base::new();
        self.reach = Reach::new();
        self.links.restart();
        self.jitter = Jitter::new();
        self.unrest = Jitter::new();
        self.falls = Falls::new();
        self.hidden = Hidden::new();
        self.judge = Judge::new();
        self.drain = None;
        self.beside = None;
        self.alone = Alone::new(0);
        self.search = Some(Search::new());
    }
}

impl WindowController for Residual {
    fn on_sent(&mut self, sent: &Sent) {
        self.rounds.on_sent(sent.tx, sent.now);
        let rate = match (self.send_rate(), self.access_limit()) {
            (Some(rate), Some(limit)) => Some(rate.min(limit)),
            // Before the first round trip only the access link spreads packets.
            (rate, _) => rate.or(self.access),
        };
        self.pace.on_sent(sent.now, rate);
    }

    fn on_ack(&mut self, ack: &Ack) {
        self.learn(ack);
        self.follow(if ack.window_limited { ack.delivered.min(MOST_GROWTH.get()) } else { 0 });
    }

    fn on_loss(&mut self, loss: &Loss) {
        if loss.tx < self.first {
            return;
        }
        if loss.link_failures > 0 && self.config.use_marks {
            self.links.on_marks();
        }
        let spared = if self.config.use_marks { loss.link_failures } else { 0 };
        let by_acks = loss.detection == Detection::Acks;
        let explained = by_acks && self.is_short_now();
        if explained {
            let lost = f64::from(loss.packets.saturating_sub(spared));
            self.links.on_short_queue(lost, 0.0, self.cwnd);
        }
        // The start's end has answered those that it lost itself.
        if self.search.is_some() || loss.tx >= self.after_start {
            self.rounds.on_loss(&loss.link_failures(spared), explained);
        }
        self.on_loss_starting(loss.now);
        if by_acks && loss.packets > spared && self.drain.is_none() {
            self.on_loss_beside(loss);
        }
        self.follow(0);
    }

    fn on_marked(&mut self, marked: &Marked) {
        if marked.tx < self.marked_tx.max(self.first) {
            return;
        }
        self.marked_tx = self.rounds.next();
        self.refuses_claim(marked.now);
        if self.beside.is_some() {
            self.on_mark_beside(marked.now, marked.tx);
        } else {
            self.search = None;
            self.cwnd = (0.85 * self.cwnd).max(1.0);
            self.alone.wait = 2;
        }
        self.follow(0);
    }

    fn on_timeout(&mut self, _timeout: &Timeout) {
        self.open = AFTER_TIMEOUT;
        self.drain = None;
    }

    fn on_quench(&mut self, quench: &Quench) {
        self.refuses_claim(quench.now);
        self.open = AFTER_TIMEOUT;
        self.search = None;
        self.cwnd = (self.config.beta * self.cwnd).max(1.0);
    }

    fn on_link_report(&mut self, _now: Time, report: &LinkReport) {
        self.links.on_own(report);
    }

    fn on_peer_report(&mut self, _now: Time, report: &LinkReport) {
        self.links.on_peer(report);
    }

    fn listens(&self) -> bool {
        true
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        match handoff.end {
            End::Own => {
                (self.claims, self.before) = (Claims::since(handoff.now), None);
                self.forget_path(handoff.now);
            }
            End::Peer => self.on_claimed_handoff(handoff.now),
        }
    }

    fn window(&self) -> f64 {
        self.open
    }

    fn ack_limit(&self) -> Option<NonZeroU32> {
        Some(MOST_GROWTH)
    }

    fn release_at(&self) -> Option<Time> {
        Some(self.pace.next())
    }

    fn pacing_rate(&self) -> Option<Rate> {
        self.send_rate().map(|rate| Rate::from_bytes_per_sec(rate * f64::from(self.packet_bytes)))
    }
}
