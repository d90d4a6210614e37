//! Randomness for a library that asks for it.

use s2n_quic_core::random::Generator;

/// SplitMix64 (Steele, Lea, Flood: "Fast splittable pseudorandom number generators", OOPSLA 2014):
/// one word of state, which comes in as a number, so that the same seed draws the same numbers.
#[derive(Clone, Debug)]
pub(super) struct Seeded(u64);

impl Seeded {
    pub(super) fn new(seed: u64) -> Self {
        Seeded(seed)
    }

    fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ (z >> 31)
    }
}

impl Generator for Seeded {
    fn public_random_fill(&mut self, dest: &mut [u8]) {
        for chunk in dest.chunks_mut(8) {
            chunk.copy_from_slice(&self.draw().to_le_bytes()[..chunk.len()]);
        }
    }

    /// No secret is drawn here: a controller only spreads its probes.
    fn private_random_fill(&mut self, dest: &mut [u8]) {
        self.public_random_fill(dest);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_draws_the_published_sequence() {
        // The first outputs of SplitMix64 from seed 1234567, as its reference code prints them.
        let mut random = Seeded::new(1_234_567);
        let drawn = [random.draw(), random.draw(), random.draw()];
        assert_eq!(
            drawn,
            [6_457_827_717_110_365_317, 3_203_168_211_198_807_973, 9_817_491_932_198_370_423]
        );
    }

    #[test]
    fn it_fills_slices_of_any_length() {
        let mut bytes = [0; 11];
        Seeded::new(7).public_random_fill(&mut bytes);
        assert_eq!(bytes[..8], Seeded::new(7).draw().to_le_bytes());
        assert!(bytes[8..].iter().any(|&b| b != 0));
    }
}
