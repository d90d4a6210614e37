//! Probabilities, fast to draw against.

use atl_core::units::Probability;

use crate::random::Stream;

/// A probability as a threshold for the upper 53 bits of a random word: the same result as
/// comparing a uniform number, without the conversion to floating point. A draw takes about a
/// nanosecond. Drawing the distance to the next loss instead would save less than that, and cost a
/// logarithm per loss.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Threshold(u64);

impl Threshold {
    pub(crate) fn new(p: Probability) -> Self {
        Threshold(libm::ceil(p.get() * (1u64 << 53) as f64) as u64)
    }

    #[inline]
    pub(crate) fn hit(self, stream: &mut Stream) -> bool {
        stream.next_u64() >> 11 < self.0
    }
}
