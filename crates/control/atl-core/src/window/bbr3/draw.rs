//! The draws that spread the probes of flows that share a queue.

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014).
/// The seed is the connection's ([`Start::seed`](crate::window::Start)).
#[derive(Clone, Debug)]
pub(super) struct Draw(u64);

impl Draw {
    pub(super) fn new(seed: u64) -> Self {
        Draw(seed)
    }

    fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    /// 0 or 1.
    pub(super) fn bit(&mut self) -> u64 {
        self.next() >> 63
    }

    /// From 0 to less than 1.
    pub(super) fn share(&mut self) -> f64 {
        (self.next() >> 11) as f64 / (1u64 << 53) as f64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The first outputs of SplitMix64 from seed 1234567, as its reference code prints them.
    #[test]
    fn it_draws_the_published_sequence() {
        let mut draw = Draw::new(1_234_567);
        assert_eq!(draw.next(), 6_457_827_717_110_365_317);
        assert_eq!(draw.next(), 3_203_168_211_198_807_973);
        // 9817491932198370423 / 2^64.
        assert!((draw.share() - 0.532_205).abs() < 1e-5);
    }
}
