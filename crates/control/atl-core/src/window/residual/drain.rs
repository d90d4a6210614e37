//! Sending half of what the path holds for a round trip, which answers two questions: the path's
//! least round-trip time, and if somebody else holds the queue.

use super::climb::Climb;
use super::longer::LONGER;
use super::sample::Sample;
use super::state::{Alone, Drain};
use super::{LEAST_SECS, LEAST_SHARE, Residual};
use crate::time::Time;

/// Round trips after which a drain is given up.
const LONGEST: f64 = 8.0;

/// Seconds after which a drain measures the least round-trip time anew.
const LEAST_AGE: f64 = 10.0;

/// A queue of others, as a share of the path, from which on the window climbs to its share.
const DEEP: f64 = 0.5;

/// Differences of up to this share of a rise let a longer path be told from a full queue.
const TOLD: f64 = 0.25;

impl Residual {
    pub(super) fn begin_drain(&mut self, now: Time, queue: f64) {
        let base = self.base.secs().unwrap_or(0.1);
        // If the queue is one's own, all of it is in the window; beside others that is the test.
        // Alone it is known to be the sender's, and what is looked for is the path's least delay.
        let window = match self.beside {
            Some(_) => 0.95 * self.cwnd * base / (base + queue),
            None => 0.5 * self.best_rate() * base,
        };
        let window = window.clamp(2.0, self.cwnd.max(2.0));
        let sample = Sample::new((0.5 * window) as usize);
        self.drain = Some(Drain { window, since: now, before: queue, mark: None, sample });
    }

    /// An ACK during a drain: of `newest`, whose round-trip time is `rtt`, with `in_flight` packets
    /// left.
    pub(super) fn on_ack_draining(&mut self, now: Time, newest: u64, rtt: f64, in_flight: u32) {
        let next = self.rounds.next();
        let base = self.base.secs().unwrap_or(0.1);
        let Some(drain) = self.drain.as_mut() else { return };
        match drain.mark {
            None if f64::from(in_flight) <= drain.window => drain.mark = Some((next, now)),
            Some((tx, _)) if newest >= tx => drain.sample.push(rtt),
            _ => {}
        }
        let measured = !drain.sample.is_empty()
            && drain.mark.is_some_and(|(_, at)| now.since(at).secs() >= 1.5 * base);
        let late = now.since(drain.since).secs() > LONGEST * (base + drain.before) + 1.0;
        if measured || late {
            let drain = *drain;
            self.drain = None;
            self.end_drain(now, &drain);
        }
    }

    /// Least round-trip times of one path differ by up to this, in seconds, if no jitter shows.
    pub(super) fn same(&self, base: f64) -> f64 {
        let packet = 1.0 / self.best_rate().max(1.0);
        packet.max(LEAST_SECS).max(LEAST_SHARE * base)
    }

    /// A test for being alone has found `least` as the least round-trip time, and the one before
    /// `floor`, in seconds. True if the path has become longer. To a sender of few packets a queue
    /// that others keep full looks the same, and it cannot know.
    fn has_become_longer(&self, base: f64, floor: Option<f64>, least: f64) -> bool {
        let same = self.same(base);
        least >= (1.0 + LONGER) * base
            && same <= TOLD * (least - base)
            && floor.is_some_and(|floor| (floor - least).abs() <= same)
    }

    /// The queue that a test has left is the path's own delay, as `least` seconds tell: it is alone
    /// on a longer one.
    fn go_on_longer_path(&mut self, now: Time, least: f64, rate: f64) {
        self.rebase(now, least);
        self.end_beside(now, least, rate);
        // It had not left in error: the window beside others is not to come back.
        self.left_beside = Some((now, self.cwnd));
    }

    /// No others are there: the path has `rate` packets per second and a least round-trip time of
    /// `base` seconds.
    fn end_beside(&mut self, now: Time, base: f64, rate: f64) {
        self.leave_beside(now);
        self.alone = Alone::new(0);
        self.emptied_at = now;
        self.searched = false;
        self.calm_rate = rate;
        self.cwnd = (rate * base + self.backlog(rate)).max(2.0);
        self.calm_window = self.cwnd;
    }

    fn end_drain(&mut self, now: Time, drain: &Drain) {
        let base = self.base.secs().unwrap_or(0.1);
        let rate = self.best_rate().max(1.0);
        let least = drain.sample.low();
        let left = (least - base).max(0.0);
        let left = left - self.links.excess(left);
        let gone = least.is_finite() && left <= self.trace(base);
        if least.is_finite() && now.since(self.base.at).secs() >= LEAST_AGE && self.beside.is_none()
        {
            self.rebase(now, least);
        }
        let floor = self.beside.as_mut().and_then(|beside| beside.floor.replace(least));
        match self.beside {
            Some(_) if gone => self.end_beside(now, base, rate),
            Some(_) if self.has_become_longer(base, floor, least) => {
                self.go_on_longer_path(now, least, rate);
            }
            Some(_) => {
                // In a shorter one the window of CUBIC finds its share soon, and its own kind, who
                // may be there, would pay for more.
                let deep = least.is_finite() && left > DEEP * base;
                let climb = Climb::new(drain.window, least);
                self.put_off_test(now, deep.then_some(climb));
            }
            // The drain has measured the base; from here on dips judge.
            None => self.alone.wait = 2,
        }
    }
}
