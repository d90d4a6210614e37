//! Random numbers for the tests, and single wrong bits.

/// SplitMix64 (Steele, Lea, Flood 2014).
#[derive(Debug, Clone)]
pub(crate) struct Random(pub(crate) u64);

impl Random {
    pub(crate) fn bits(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let mut z = self.0;
        z = (z ^ z >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }

    /// Uniform in [0, 1), with 53 random bits.
    pub(crate) fn uniform(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1_u64 << 53) as f64
    }

    pub(crate) fn below(&mut self, end: usize) -> usize {
        (self.bits() % end as u64) as usize
    }

    pub(crate) fn happens(&mut self, probability: f64) -> bool {
        self.uniform() < probability
    }

    pub(crate) fn fill(&mut self, octets: &mut [u8]) {
        for chunk in octets.chunks_mut(8) {
            let bits = self.bits().to_be_bytes();
            chunk.copy_from_slice(&bits[..chunk.len()]);
        }
    }
}

/// Inverts a bit, counted from 0 at the most significant one of the first octet.
pub(crate) fn flip(octets: &mut [u8], bit: usize) {
    octets[bit / 8] ^= 0x80 >> (bit % 8);
}
