//! Low round-trip times of a part of a round.

/// Round-trip times that are kept of it.
const KEPT: usize = 32;

/// Round-trip times, evenly spread over those that come.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sample {
    secs: [f64; KEPT],
    kept: usize,
    seen: usize,
    stride: usize,
}

impl Sample {
    /// For about `expected` of them.
    pub(super) const fn new(expected: usize) -> Self {
        let stride = if expected < KEPT { 1 } else { expected / KEPT };
        Sample { secs: [0.0; KEPT], kept: 0, seen: 0, stride }
    }

    pub(super) fn push(&mut self, rtt: f64) {
        if self.seen.is_multiple_of(self.stride) && self.kept < KEPT {
            self.secs[self.kept] = rtt;
            self.kept += 1;
        }
        self.seen += 1;
    }

    pub(super) const fn is_empty(&self) -> bool {
        self.kept == 0
    }

    /// The least of up to eleven; of more, one below which a fifth of them lie at most: where the
    /// delay varies by itself, a single early packet says nothing. Infinite without any.
    pub(super) fn low(&self) -> f64 {
        let mut secs = self.secs;
        let rank = (self.kept / 4).saturating_sub(2);
        match &mut secs[..self.kept] {
            [] => f64::INFINITY,
            secs => *secs.select_nth_unstable_by(rank, f64::total_cmp).1,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// In whole seconds; none without a sample.
    fn low(expected: usize, rtts: impl IntoIterator<Item = u32>) -> Option<u32> {
        let mut sample = Sample::new(expected);
        rtts.into_iter().for_each(|rtt| sample.push(f64::from(rtt)));
        let low = sample.low();
        low.is_finite().then_some(low as u32)
    }

    #[test]
    fn of_few_the_least_counts_and_of_many_a_low_one() {
        assert_eq!(low(8, []), None);
        assert_eq!(low(8, [5, 3, 4]), Some(3));
        assert_eq!(low(11, (0..11).rev()), Some(0));
        // 3 of 12 are a quarter; two are left out of it.
        assert_eq!(low(12, (0..12).rev()), Some(1));
        assert_eq!(low(32, (0..32).rev()), Some(6));
    }

    #[test]
    fn many_are_thinned_out_evenly() {
        assert_eq!(low(320, 0..320), Some(60));
        // Those beyond the number expected are left out.
        assert_eq!(low(32, (100..132).chain(0..50)), Some(106));
    }
}
