//! A delay that persists while the window falls: others hold the queue, or the path has become
//! longer.
//!
//! A queue of the sender's own leaves with its packets. Once reductions change little, more of them
//! only give the path away, whichever of the two it is: the window of *beside others* suits both.
//! The tests for being alone tell them apart. Others' queue differs from one to the next; the least
//! round-trip time of a path does not.

/// The share of the queue that a reduction should have taken, from which on it had an effect.
const EFFECT: f64 = 0.5;
/// Reductions in a row without one.
const REDUCTIONS: u32 = 2;

/// Reductions of a window that is alone, for a queue of half the path and more.
#[derive(Clone, Copy, Debug)]
pub(super) struct Persistent {
    /// The queue before the latest one, and how much of it that should have taken, in seconds.
    last: Option<(f64, f64)>,
    /// Those in a row that had no effect.
    vain: u32,
}

impl Persistent {
    pub(super) const fn new() -> Self {
        Persistent { last: None, vain: 0 }
    }

    /// The window has lost `packets` for a queue of `queue` seconds, at `rate` packets per second.
    pub(super) fn on_reduction(&mut self, queue: f64, packets: f64, rate: f64) {
        self.last = Some((queue, packets.max(0.0) / rate.max(1.0)));
    }

    /// The latest reduction shows in a queue of `queue` seconds; differences of `noise` say
    /// nothing. True if the queue has not followed two in a row.
    pub(super) fn on_effect(&mut self, queue: f64, noise: f64) -> bool {
        if let Some((before, taken)) = self.last.take()
            && taken > 2.0 * noise
        {
            let moved = before - queue >= EFFECT * taken;
            self.vain = if moved { 0 } else { self.vain + 1 };
        }
        self.is_shown()
    }

    pub(super) fn is_shown(&self) -> bool {
        self.vain >= REDUCTIONS
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Reductions by 40 packets at 1000 a second, and the queues in ms before and after each.
    fn persists(queues: &[(f64, f64)]) -> bool {
        let mut persistent = Persistent::new();
        let mut shown = false;
        for (before, after) in queues {
            persistent.on_reduction(1e-3 * before, 40.0, 1000.0);
            shown = persistent.on_effect(1e-3 * after, 0.001);
        }
        shown
    }

    #[test]
    fn a_queue_that_two_reductions_shorten_by_less_than_half_of_theirs_persists() {
        assert!(persists(&[(80.0, 60.1), (60.1, 40.2)]));
        assert!(!persists(&[(80.0, 60.1)]));
        assert!(!persists(&[(80.0, 60.1), (60.1, 40.0)]));
        assert!(!persists(&[(80.0, 80.0), (80.0, 59.9), (60.0, 60.0)]));
        assert!(persists(&[(80.0, 59.9), (60.0, 60.0), (60.0, 90.0)]));
    }

    #[test]
    fn what_noise_hides_says_nothing() {
        let mut persistent = Persistent::new();
        for (noise, shown) in [(0.021, false), (0.02, false), (0.019, false), (0.019, true)] {
            persistent.on_reduction(0.08, 40.0, 1000.0);
            assert_eq!(persistent.on_effect(0.08, noise), shown, "{noise}");
            // A round without a reduction of its own changes nothing.
            assert_eq!(persistent.on_effect(0.0, noise), shown);
        }
    }
}
