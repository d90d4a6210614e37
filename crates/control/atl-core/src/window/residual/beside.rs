//! The window beside senders that fill the queue: CUBIC's, but for what counts as congestion.
//!
//! - A loss without known p_w counts if the queue is near its longest.
//! - Where delays tell nothing, it stays in this mode, whoever is there.
//! - With p_w told, single losses say nothing. The window is cut when the queue falls from its
//!   longest without a cut of its own (another sender has met the loss that both caused), when it
//!   stays there, or when residual loss shows.

use super::climb::Climb;
use super::curve::Curve;
use super::judge::CLEAN;
use super::rounds::Round;
use super::state::Beside;
use super::{LEAST_SECS, Residual};
use crate::time::{Span, Time};
use crate::window::{Ack, Loss};

/// Rounds over which the longest queue is remembered.
const ROUNDS: usize = 60;
/// A queue of this share of the longest is near it.
const LONG: f64 = 0.9;
/// A fall by this share of it is somebody's cut.
const FALL: f64 = 0.1;
/// Rounds with losses near the longest queue after which somebody has to give way.
const STAY: u32 = 8;
/// The longest time between two tests for being alone, in those of the first.
const LONGEST_CHECK: f64 = 12.0;
/// Round trips from one test to the next, at least: each costs some.
const CHECK_ROUNDS: f64 = 20.0;
/// A return so soon after leaving says that the test was wrong.
const SOON: f64 = 4.0;
/// Rounds that still show losses of before a cut within one: that one, and the next.
const IN_A_ROUND: u64 = 2;
/// The window, over what is in flight, up to which it grows: at the access link's rate packets
/// leave one by one, however large the window is.
const MOST_UNUSED: f64 = 2.0;

impl Residual {
    pub(super) fn enter_beside(&mut self, now: Time, cut: bool) {
        let soon = self.left_beside.filter(|(at, _)| now.since(*at).secs() < SOON);
        // It gave way in error: the window of before comes back, as after one reduction.
        let before = soon.map_or(self.calm_window, |(_, window)| window);
        let window = (self.config.beta * before).max(if cut { 0.0 } else { self.cwnd });
        let top = before.max(window);
        let window = if soon.is_some() { top } else { window };
        let first = (3.0 * self.config.drain_every).max(CHECK_ROUNDS * self.srtt);
        self.check = if soon.is_some() { self.later() } else { first };
        self.beside = Some(Beside {
            curve: Curve::new(now, window, top, self.config.cubic),
            queues: Default::default(),
            cut_tx: self.rounds.next(),
            cut_round: self.round + 1,
            peak: 0.0,
            stay: 0,
            climb: (!cut && soon.is_none()).then(|| Climb::new(self.in_flight, self.last_rtt)),
            floor: None,
            test_at: now.saturating_add(Span::from_secs_f64(self.check)),
        });
        self.cwnd = window;
    }

    /// It is alone again.
    pub(super) fn leave_beside(&mut self, now: Time) {
        let window = self.beside.take().map_or(self.cwnd, |beside| beside.curve.window);
        self.left_beside = Some((now, window));
    }

    fn later(&self) -> f64 {
        let longest = LONGEST_CHECK * self.config.drain_every;
        (2.0 * self.check).min(longest.max(CHECK_ROUNDS * self.srtt))
    }

    /// The next test for being alone is a while off. After one the window comes back by a climb.
    pub(super) fn put_off_test(&mut self, now: Time, climb: Option<Climb>) {
        let check = self.later();
        self.check = check;
        if let Some(beside) = self.beside.as_mut() {
            beside.climb = climb;
            beside.test_at = now.saturating_add(Span::from_secs_f64(check));
            self.cwnd = beside.curve.window;
        }
    }

    /// Gives way; `rounds` more show losses of before, which cost one reduction.
    fn cut(&mut self, now: Time, beta: f64, rounds: u64) {
        let (next, round) = (self.rounds.next(), self.round + rounds);
        if let Some(beside) = self.beside.as_mut() {
            beside.curve.cut(now, beta, self.config.cubic);
            beside.cut_tx = next;
            beside.cut_round = round;
            beside.peak = 0.0;
            beside.stay = 0;
            beside.climb = None;
            self.cwnd = beside.curve.window;
        }
    }

    /// Marks of routers (ECN): congestion for certain, at most once a round. RFC 8511 keeps 0.85.
    pub(super) fn on_mark_beside(&mut self, now: Time, tx: u64) {
        if self.beside.as_ref().is_some_and(|beside| tx >= beside.cut_tx) {
            self.cut(now, 0.85, IN_A_ROUND);
        }
    }

    pub(super) fn grow_beside(&mut self, ack: &Ack, newest: u64) {
        let now = ack.now;
        let base = self.base.secs().unwrap_or(0.1);
        let config = &self.config;
        // Half of what the path has carried is what one other leaves.
        let fair = 0.5 * self.reach.rate() * self.last_rtt;
        if let Some(beside) = self.beside.as_mut()
            && newest >= beside.cut_tx
            && beside.curve.window <= MOST_UNUSED * f64::from(ack.in_flight + ack.delivered)
        {
            let packets = f64::from(ack.delivered);
            let window = beside.curve.window;
            let next = self.open + packets;
            let share = beside.climb.map_or(0.0, |climb| climb.others.unwrap_or(0.0).max(fair));
            if window < share {
                beside.curve.begin(now, next.min(share).max(window), config.cubic);
            } else {
                // It ends where it would begin to tell: at a window that is in force.
                beside.climb.take_if(|climb| climb.others.is_some() && next >= window);
                beside.curve.grow(now, packets, base, config.cubic, config.beta);
            }
            self.cwnd = beside.curve.window;
        }
    }

    pub(super) fn on_loss_beside(&mut self, loss: &Loss) {
        let Some(beside) = &self.beside else { return };
        let base = self.base.secs().unwrap_or(0.1);
        let top = beside.top();
        let visible = top > (0.03 * base).max(0.002);
        // A path that loses none itself, and a queue too short to see, leave congestion.
        let long = if self.loss <= CLEAN || !visible {
            !self.is_short_now()
        } else {
            self.last_rtt - base >= LONG * top
        };
        let trusted = self.links.told() > CLEAN;
        if loss.tx >= beside.cut_tx && long && !trusted {
            self.cut(loss.now, self.config.beta, IN_A_ROUND);
        }
    }

    pub(super) fn on_round_beside(&mut self, now: Time, round: &Round, queue: f64, bad: bool) {
        let base = self.base.secs().unwrap_or(0.1);
        let trusted = self.links.told() > CLEAN;
        let this = self.round;
        let jitter = self.swing().max(self.haze());
        let (noise, in_flight, last_rtt) = (self.noise(LEAST_SECS), self.in_flight, self.last_rtt);
        let same = self.same(base);
        let Some(beside) = self.beside.as_mut() else { return };
        if let Some(climb) = beside.climb.as_mut() {
            climb.on_round(in_flight, last_rtt, noise);
        }
        beside.floor.take_if(|floor| round.low < *floor - same);
        let high = (round.high - base).max(queue);
        beside.queues.push_back(high);
        if beside.queues.len() > ROUNDS {
            beside.queues.pop_front();
        }
        let top = beside.top();
        let mut cut = bad && this > beside.cut_round;
        if trusted && this > beside.cut_round && top > (0.03 * base).max(0.002) {
            beside.peak = beside.peak.max(high);
            if high >= LONG * top && round.lost > 0.0 {
                beside.stay += 1;
            }
            let fell = beside.peak >= LONG * top && beside.peak - high >= jitter.max(FALL * top);
            cut |= fell || beside.stay >= STAY;
        }
        let due = now >= beside.test_at;
        if cut {
            self.cut(now, self.config.beta, 1);
        }
        if due && self.is_blind(base) {
            self.put_off_test(now, None);
        } else if due {
            self.begin_drain(now, queue);
        }
    }
}
