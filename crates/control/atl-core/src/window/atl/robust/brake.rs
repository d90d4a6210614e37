//! The standing queue: its largest length, and the effect of a smaller window on it.
//!
//! The queue stands if even the least round-trip time of a whole round trip is above that of the
//! path. A sender that is alone with its like then falls back to what the path holds without a
//! queue. If that does not empty the queue, others keep it full, and a sender that gave way to them
//! would starve: it takes back its window and ignores the delay for a while.

use crate::time::{Span, Time};

/// A queue of more than this many times the largest allowed one belongs to other senders.
const DEEP: f64 = 3.0;
/// Reductions in a row that left more than [`LEFT`] of such a queue until the delay is ignored.
const DEEP_TRIES: u32 = 2;
/// Share of a queue that remains although its senders gave way: they would leave almost none.
const LEFT: f64 = 0.6;
/// Time for which the delay is ignored, at first and at most.
const PATIENCE: (Span, Span) = (Span::from_secs(10), Span::from_secs(80));
/// Reductions in a row without effect after which a longer queue is tolerated, once they have cost
/// half of the window.
const TRIES: u32 = 3;
/// Limit on that tolerance, as a multiple of the largest allowed queue. Flows that began on a
/// standing queue know no RTT without one, and take part of it for the path's.
const TOLERANCE: f64 = 4.0;

/// The answer to a round trip's delay.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Verdict {
    /// No queue to speak of.
    Fine,
    /// Keep this share of the window.
    Keep(f64),
    /// The reductions had no effect: restore this window.
    Restore(f64),
}

/// Watches the standing queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Brake {
    tries: u32,
    /// The window before the first of these reductions, and the queue then in seconds.
    saved: f64,
    first: f64,
    ignored_until: Time,
    patience: Span,
    /// Tolerated queue as a multiple of the largest allowed one, from 1.
    tolerance: f64,
    /// Time at which the tolerance may fall again.
    tolerant_until: Time,
}

impl Brake {
    pub(super) const fn new() -> Self {
        Brake {
            tries: 0,
            saved: 0.0,
            first: 0.0,
            ignored_until: Time::ZERO,
            patience: PATIENCE.0,
            tolerance: 1.0,
            tolerant_until: Time::ZERO,
        }
    }

    /// True while the delay is ignored, because other senders keep the queue full.
    pub(super) fn is_ignored(&self, now: Time) -> bool {
        now < self.ignored_until
    }

    /// A loss left `beta` of the window, which reduces the window to restore.
    pub(super) fn on_loss(&mut self, beta: f64) {
        self.saved *= beta;
    }

    /// The window collapsed: there is none to restore.
    pub(super) fn forget(&mut self) {
        self.tries = 0;
    }

    /// Judges a round trip whose least round-trip time was `standing`, on a path of `base` without
    /// a queue, with a window of `cwnd`. A queue above `most` is too long.
    pub(super) fn judge(
        &mut self,
        now: Time,
        base: Span,
        standing: Span,
        most: Span,
        cwnd: f64,
    ) -> Verdict {
        let queue = standing.saturating_sub(base).secs();
        let most = most.secs();
        if queue <= most * self.tolerance {
            if queue <= 0.5 * most {
                self.tries = 0;
                self.patience = PATIENCE.0;
                if now >= self.tolerant_until {
                    self.tolerance = (0.5 * self.tolerance).max(1.0);
                    self.tolerant_until = now.saturating_add(PATIENCE.0);
                }
            }
            return Verdict::Fine;
        }
        if self.is_ignored(now) {
            return Verdict::Fine;
        }
        let costly = self.tries >= TRIES && cwnd <= 0.5 * self.saved;
        if queue <= DEEP * most {
            if costly && self.tolerance < TOLERANCE {
                self.tries = 0;
                self.tolerance *= 2.0;
                self.tolerant_until = now.saturating_add(PATIENCE.0);
                return Verdict::Fine;
            }
        } else if self.tries >= DEEP_TRIES && queue > LEFT * self.first || costly {
            self.tries = 0;
            self.ignored_until = now.saturating_add(self.patience);
            self.patience = (self.patience * 2).min(PATIENCE.1);
            return Verdict::Restore(self.saved);
        }
        if self.tries == 0 {
            self.saved = cwnd;
            self.first = queue;
        }
        self.tries += 1;
        Verdict::Keep(base.secs() / standing.secs())
    }
}

/// The largest standing queue that is tolerated: `share` x base / sqrt(cwnd), at least `least`.
///
/// The root evens flows out: flows that share a queue see the same delay, and the one with the
/// largest window gives way first. It also scales as the queue that n flows need does.
pub(super) fn longest_queue(base: Span, cwnd: f64, share: f64, least: Span) -> Span {
    base.mul_f64(share / libm::sqrt(cwnd.max(1.0))).max(least)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    /// Judges a round with this queue on a path of 100 ms, where 10 ms are tolerated.
    fn judge(brake: &mut Brake, at: u64, queue: u64, cwnd: f64) -> Verdict {
        brake.judge(Time::from_millis(at), ms(100), ms(100 + queue), ms(10), cwnd)
    }

    #[test]
    fn the_window_keeps_what_the_path_holds() {
        let mut brake = Brake::new();
        assert_eq!(judge(&mut brake, 0, 10, 50.0), Verdict::Fine);
        assert_eq!(judge(&mut brake, 0, 25, 50.0), Verdict::Keep(0.8));
        assert_eq!(judge(&mut brake, 0, 100, 50.0), Verdict::Keep(0.5));
    }

    #[test]
    fn a_deep_queue_that_stays_is_someone_elses() {
        let mut brake = Brake::new();
        assert!(matches!(judge(&mut brake, 0, 200, 60.0), Verdict::Keep(_)));
        assert!(matches!(judge(&mut brake, 300, 190, 20.0), Verdict::Keep(_)));
        assert_eq!(judge(&mut brake, 600, 180, 7.0), Verdict::Restore(60.0));
        assert_eq!(judge(&mut brake, 10_500, 200, 60.0), Verdict::Fine, "ignored for 10 s");
        assert!(matches!(judge(&mut brake, 10_700, 200, 60.0), Verdict::Keep(_)));
    }

    #[test]
    fn each_time_a_deep_queue_stays_it_is_ignored_for_twice_as_long_up_to_80_s() {
        let mut brake = Brake::new();
        let mut now = 0;
        for secs in [10, 20, 40, 80, 80] {
            assert!(matches!(judge(&mut brake, now, 200, 60.0), Verdict::Keep(_)), "{secs} s");
            assert!(matches!(judge(&mut brake, now, 190, 20.0), Verdict::Keep(_)), "{secs} s");
            assert_eq!(judge(&mut brake, now, 180, 7.0), Verdict::Restore(60.0), "{secs} s");
            let end = now + 1000 * secs;
            assert_eq!(judge(&mut brake, end - 1, 200, 60.0), Verdict::Fine, "{secs} s");
            now = end;
        }
    }

    #[test]
    fn what_losses_took_meanwhile_is_not_given_back() {
        let mut brake = Brake::new();
        judge(&mut brake, 0, 200, 60.0);
        brake.on_loss(0.7);
        judge(&mut brake, 300, 190, 20.0);
        assert_eq!(judge(&mut brake, 600, 180, 7.0), Verdict::Restore(42.0));
    }

    #[test]
    fn a_window_from_before_a_collapse_is_not_restored() {
        let mut brake = Brake::new();
        judge(&mut brake, 0, 200, 60.0);
        judge(&mut brake, 300, 190, 20.0);
        brake.forget();
        assert!(matches!(judge(&mut brake, 600, 180, 7.0), Verdict::Keep(_)));
        assert!(matches!(judge(&mut brake, 900, 180, 5.0), Verdict::Keep(_)));
        assert_eq!(judge(&mut brake, 1200, 180, 4.0), Verdict::Restore(7.0));
    }

    #[test]
    fn a_queue_that_giving_way_empties_is_ones_own() {
        let mut brake = Brake::new();
        for at in 0..50 {
            assert!(matches!(judge(&mut brake, 1000 * at, 60, 60.0), Verdict::Keep(_)));
            assert_eq!(judge(&mut brake, 1000 * at + 500, 0, 30.0), Verdict::Fine);
        }
    }

    #[test]
    fn a_short_queue_that_stays_is_left_alone_at_the_cost_of_half_a_window_at_most() {
        let mut brake = Brake::new();
        let mut cwnd = 40.0;
        let mut verdict = judge(&mut brake, 0, 18, cwnd);
        while let Verdict::Keep(keep) = verdict {
            cwnd *= keep;
            verdict = judge(&mut brake, 0, 18, cwnd);
        }
        assert_eq!(verdict, Verdict::Fine);
        assert!((15.0..=20.0).contains(&cwnd), "{cwnd}");
        // Twice as much is tolerated from now on, until there has been no queue for 10 s.
        assert_eq!(judge(&mut brake, 1_000, 20, cwnd), Verdict::Fine);
        assert_eq!(judge(&mut brake, 11_000, 0, cwnd), Verdict::Fine);
        assert!(matches!(judge(&mut brake, 12_000, 18, cwnd), Verdict::Keep(_)));
    }

    #[test]
    fn the_longest_queue_falls_with_the_root_of_the_window() {
        assert_eq!(longest_queue(ms(100), 25.0, 1.0, ms(4)), ms(20));
        assert_eq!(longest_queue(ms(100), 400.0, 1.0, ms(4)), ms(5));
        assert_eq!(longest_queue(ms(100), 1e6, 1.0, ms(4)), ms(4));
        assert_eq!(longest_queue(ms(100), 25.0, 0.5, ms(4)), ms(10));
    }
}
