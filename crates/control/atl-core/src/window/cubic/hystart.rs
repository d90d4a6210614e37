//! HyStart++ (RFC 9406): the first slow start ends when round-trip times rise.
//!
//! A rise leads to *conservative slow start* (CSS), in which the window grows by a quarter as much.
//! If it was spurious, round-trip times fall below those at its beginning, and slow start goes on;
//! after [`CSS_ROUNDS`] rounds congestion avoidance begins.

use crate::time::Span;

/// `MIN_RTT_THRESH` and `MAX_RTT_THRESH`.
const THRESHOLD: core::ops::RangeInclusive<Span> = Span::from_millis(4)..=Span::from_millis(16);
/// `MIN_RTT_DIVISOR`.
const DIVISOR: u64 = 8;
/// `N_RTT_SAMPLE`: round-trip times of a round before it is judged.
const SAMPLES: u32 = 8;
/// `CSS_GROWTH_DIVISOR`.
const CSS_GROWTH: f64 = 0.25;
/// `CSS_ROUNDS`: rounds of conservative slow start before it becomes congestion avoidance.
const CSS_ROUNDS: u32 = 5;

/// The state of a slow start.
#[derive(Clone, Copy, Debug)]
pub(super) struct HyStart {
    /// `lastRoundMinRTT` and `currentRoundMinRTT`; `Span::MAX`: none.
    last: Span,
    current: Span,
    samples: u32,
    /// `windowEnd`: the first transmission of the next round.
    end: u64,
    /// `cssBaselineMinRtt` and rounds of CSS, while that lasts.
    conservative: Option<(Span, u32)>,
}

impl HyStart {
    pub(super) const fn new() -> Self {
        HyStart { last: Span::MAX, current: Span::MAX, samples: 0, end: 0, conservative: None }
    }

    /// The share of the acknowledged packets that the window grows by.
    pub(super) fn growth(&self) -> f64 {
        if self.conservative.is_some() { CSS_GROWTH } else { 1.0 }
    }

    /// An ACK: transmission `newest` has arrived, `next` has not been sent yet. True if slow start
    /// is over.
    pub(super) fn on_ack(&mut self, newest: u64, next: u64, rtt: Option<Span>) -> bool {
        if newest >= self.end {
            if let Some((_, rounds)) = &mut self.conservative {
                *rounds += 1;
                if *rounds >= CSS_ROUNDS {
                    return true;
                }
            }
            self.end = next;
            self.last = self.current;
            self.current = Span::MAX;
            self.samples = 0;
        }
        let Some(rtt) = rtt else { return false };
        self.current = self.current.min(rtt);
        self.samples = self.samples.saturating_add(1);
        if self.samples < SAMPLES {
            return false;
        }
        match self.conservative {
            Some((baseline, _)) if self.current < baseline => self.conservative = None,
            Some(_) => {}
            None if self.last != Span::MAX => {
                let rise = (self.last / DIVISOR).clamp(*THRESHOLD.start(), *THRESHOLD.end());
                if self.current.saturating_sub(self.last) >= rise {
                    self.conservative = Some((self.current, 0));
                }
            }
            None => {}
        }
        false
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Rounds of ten packets, all with the round-trip time given for the round, in microseconds.
    fn rounds(start: &mut HyStart, times: &[u64]) -> Vec<(f64, bool)> {
        let mut states = Vec::new();
        for (round, us) in (start.end / 10..).zip(times) {
            let over = (0..10).any(|i| {
                let tx = round * 10 + i;
                start.on_ack(tx, tx + 10, Some(Span::from_micros(*us)))
            });
            states.push((start.growth(), over));
        }
        states
    }

    fn is(found: &[(f64, bool)], expected: &[(f64, bool)]) {
        let same = |((a, x), (b, y)): (&(f64, bool), &(f64, bool))| (a - b).abs() < 1e-12 && x == y;
        assert!(found.len() == expected.len() && found.iter().zip(expected).all(same), "{found:?}");
    }

    /// An eighth of 50 ms is 6.25 ms.
    #[test]
    fn a_rise_by_an_eighth_begins_conservative_slow_start_and_five_rounds_end_it() {
        let mut start = HyStart::new();
        is(&rounds(&mut start, &[50_000, 56_249]), &[(1.0, false); 2]);
        // The last round is the measure: 56.249 ms + 7.031 ms.
        is(&rounds(&mut start, &[63_279]), &[(1.0, false)]);
        is(&rounds(&mut start, &[63_279 + 7910]), &[(0.25, false)]);
        is(&rounds(&mut start, &[80_000; 4]), &[(0.25, false); 4]);
        is(&rounds(&mut start, &[80_000]), &[(0.25, true)]);
    }

    #[test]
    fn the_rise_is_from_4_to_16_ms() {
        for (base, rise) in [(8_000, 4_000), (300_000, 16_000)] {
            let mut start = HyStart::new();
            is(&rounds(&mut start, &[base, base + rise - 1]), &[(1.0, false); 2]);
            let mut start = HyStart::new();
            is(&rounds(&mut start, &[base, base + rise]), &[(1.0, false), (0.25, false)]);
        }
    }

    #[test]
    fn a_fall_below_the_baseline_resumes_slow_start() {
        let mut start = HyStart::new();
        is(&rounds(&mut start, &[50_000, 60_000]), &[(1.0, false), (0.25, false)]);
        is(&rounds(&mut start, &[60_000, 59_999]), &[(0.25, false), (1.0, false)]);
    }

    #[test]
    fn fewer_than_eight_samples_say_nothing() {
        let mut start = HyStart::new();
        rounds(&mut start, &[50_000]);
        for tx in 10..17 {
            assert!(!start.on_ack(tx, tx + 10, Some(Span::from_millis(90))));
            assert!(start.growth() > 0.9);
        }
        start.on_ack(17, 27, None);
        assert!(start.growth() > 0.9);
        start.on_ack(18, 28, Some(Span::from_millis(90)));
        assert!(start.growth() < 0.3);
    }
}
