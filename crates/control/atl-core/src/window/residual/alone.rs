//! The window while no other sender holds the queue: the path's own content, and a few packets.
//!
//! FAST TCP (Wei, Jin, Low and Hegde, ToN 2006): `W = W R_min/R + alpha` leaves alpha packets of
//! each sender in the queue, so that all have the same rate whatever their round trips. Here alpha
//! grows with the root of the rate, which keeps that property, and R is without what the links own
//! up to.

use super::Residual;
use super::judge::CLEAN;
use super::longer::{Behind, Looks};
use super::rounds::Round;
use super::state::Search;
use crate::time::{Span, Time};

/// Rounds with an empty queue after which the window grows by more each time.
const EMPTY_ROUNDS: u32 = 3;
/// Rounds for which such growth rests after it met losses; doubled each time.
const REST: u64 = 16;
/// Rounds with a queue at less than this share of the calm rate, after which others are suspected.
const SUSPECT_ROUNDS: u32 = 4;
const SUSPECT_RATE: f64 = 0.6;

/// Rounds with losses behind a queue, on a path that loses few itself, that betray others; what
/// is older than this many rounds is forgotten.
const HITS: f64 = 2.0;
const HIT_MEMORY: u64 = 200;
/// Standard errors above the number of such rounds that the links explain.
const CHANCE_ERRORS: f64 = 2.0;
/// Losses within so many rounds are of one event.
const HIT_SPACING: u64 = 6;
/// Weight of a round in the mean rise that jitter makes.
const RISE_WEIGHT: f64 = 0.125;

impl Residual {
    /// alpha at `rate` packets per second: no less than jitter alone looks like.
    pub(super) fn backlog(&self, rate: f64) -> f64 {
        let Self { config, alone, .. } = self;
        let least = config.least_backlog.max(rate * self.swing());
        (alone.scale * (config.backlog * rate.sqrt()).max(least)).max(0.5)
    }

    /// A round is over in which `queue` seconds were queued, and `bad`: residual loss showed.
    pub(super) fn on_round_alone(&mut self, now: Time, round: &Round, queue: f64, bad: bool) {
        let Some(base) = self.base.secs() else { return };
        if self.is_blind(base) {
            // Then nothing that has ended a start without a loss told of the path.
            if self.alone.proof.take().is_some() {
                self.search = Some(Search::blind());
            } else {
                self.enter_beside(now, false);
            }
            return;
        }
        let rate = round.rate(self.loss);
        let best = self.best_rate();
        let alpha = self.backlog(best);
        let empty = queue <= self.near(best);
        // Losses of the growth two rounds ago show now.
        let growing = self.alone.calm < 3;
        self.alone.calm = self.alone.calm.saturating_add(1);
        if bad {
            if growing {
                self.cwnd = self.cwnd.min(self.content(base, best, alpha));
                self.alone.rest = self.round + (REST << self.alone.failures.min(4));
                self.alone.failures += 1;
                self.alone.scale = (0.5 * self.alone.scale).max(0.25);
                self.alone.empty = 0;
                self.alone.wait = 2;
            } else if self.alone.scale > 0.3 {
                self.alone.scale *= 0.5;
                self.cwnd = self.cwnd.min(self.content(base, best, alpha));
                self.alone.wait = 1;
            } else {
                self.enter_beside(now, true);
            }
            return;
        }
        let expected = self.loss.max(self.links.mean_loss()) * round.exposed;
        self.alone.chance += expected.min(1.0 / HIT_SPACING as f64);
        if round.unexplained > 0.0 && self.loss <= CLEAN && self.on_hit(growing) {
            self.enter_beside(now, true);
            return;
        }
        if self.alone.wait > 0 {
            self.alone.wait -= 1;
            self.end_dip_early(now);
            return;
        }
        if self.is_longer(round, base, queue, rate) {
            self.forget_path(now);
            return;
        }
        if self.resumes_start(round, base, empty) || self.on_round_dips(now, round, queue, alpha) {
            return;
        }
        if empty {
            self.alone.standing = 0;
            self.calm_rate = rate;
            self.calm_window = self.cwnd;
            let rise = queue.min(self.haze());
            self.alone.rise += RISE_WEIGHT * (rise - self.alone.rise);
            // Jitter's part of the delay is on the path, and not in the queue.
            let delay = base + rise;
            self.grow_alone(round, delay, best, alpha);
            return;
        }
        self.alone.empty = 0;
        self.alone.failures = 0;
        self.alone.scale = (1.05 * self.alone.scale).min(1.0);
        // A rise that jitter explains is not the sender's to take away.
        let own = (queue - self.haze()).max(0.0);
        let target = self.cwnd * base / (base + own) + alpha;
        if own > 0.5 * base && target < self.cwnd {
            self.cwnd = target;
            self.alone.wait = 1;
        } else if target < self.cwnd || round.limited {
            self.cwnd = 0.5 * (self.cwnd + target);
        }
        let held = queue > 3.0 * self.near(self.calm_rate.max(self.reach.rate()));
        if held && rate < SUSPECT_RATE * self.calm_rate {
            self.alone.standing += 1;
            if self.alone.standing >= SUSPECT_ROUNDS {
                self.alone.standing = 0;
                self.emptied_at = earlier(now, self.patience(base));
                self.searched = true;
                self.begin_drain(now, queue);
            }
        } else {
            self.alone.standing = 0;
            if !held {
                self.calm_rate = rate.max(0.95 * self.calm_rate);
                self.calm_window = self.cwnd.max(0.95 * self.calm_window);
            }
        }
    }

    /// True if the path has become longer, as what a falling window leaves of the queue tells.
    fn is_longer(&mut self, round: &Round, base: f64, queue: f64, rate: f64) -> bool {
        if queue <= self.near(self.best_rate()) || !round.limited {
            self.alone.looks = Looks::new();
            return false;
        }
        let clean = round.unexplained <= 0.0;
        self.alone.looks.on_round(Behind { rtt: round.low, queue, rate, clean }, base)
    }

    /// The window that fills the path at `rate`, with a short queue, in packets.
    fn content(&self, base: f64, rate: f64, alpha: f64) -> f64 {
        (rate * (base + self.alone.rise.min(self.haze())) + 0.5 * alpha).max(2.0)
    }

    /// A round has lost packets of a path that loses few itself. True if there are two of them more
    /// than the links explain.
    fn on_hit(&mut self, growing: bool) -> bool {
        let (hits, last) = self.alone.hits;
        let since = self.round - last;
        if hits > 0 && since < HIT_SPACING {
            return false;
        }
        // A sender that halves its window at a loss meets the next after as many rounds.
        let memory = HIT_MEMORY.max(self.cwnd as u64);
        let hits = if since > memory { 1 } else { hits + 1 };
        self.alone.hits = (hits, self.round);
        if hits == 1 {
            self.alone.chance = 0.0;
        }
        self.alone.scale = (0.5 * self.alone.scale).max(0.25);
        if growing {
            self.alone.rest = self.round + (REST << self.alone.failures.min(4));
            self.alone.failures += 1;
            self.alone.empty = 0;
        }
        let least = if self.left_beside.is_some() { 1.0 } else { HITS };
        let chance = self.alone.chance;
        f64::from(hits) >= least + chance + CHANCE_ERRORS * chance.sqrt()
    }

    /// Nothing is queued: there is room.
    fn grow_alone(&mut self, round: &Round, delay: f64, best: f64, alpha: f64) {
        if !round.limited {
            return;
        }
        if self.round < self.alone.rest {
            self.cwnd = self.cwnd.min(1.15 * best * delay + 2.0 * alpha);
            return;
        }
        self.alone.empty += 1;
        self.alone.calm = 0;
        let doublings = self.alone.empty.saturating_sub(EMPTY_ROUNDS).min(16);
        let doubled = alpha * f64::from(1u32 << doublings);
        let step = doubled.min(0.25 * self.cwnd).max(alpha);
        // The delivery rate bounds the packets in flight, whatever reports say of losses.
        let most = 1.3 * best * delay + 2.0 * alpha;
        self.cwnd = self.cwnd.max((self.cwnd + step).min(most)).min(self.ceiling(delay, alpha));
    }

    /// The largest window that the access link's rate allows, in packets.
    pub(super) fn ceiling(&self, base: f64, alpha: f64) -> f64 {
        self.access_limit().map_or(f64::INFINITY, |rate| rate * base + 2.0 * alpha)
    }
}

/// `secs` seconds before `now`.
fn earlier(now: Time, secs: f64) -> Time {
    let back = now.since(Time::ZERO).saturating_sub(Span::from_secs_f64(secs));
    Time::ZERO.saturating_add(back)
}
