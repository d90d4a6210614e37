//! Numbers that look random and are the same in each run.

/// Steele, Lea, Flood: SplitMix64 (2014).
#[derive(Clone, Debug)]
pub(super) struct Draws(pub(super) u64);

impl Draws {
    pub(super) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub(super) fn below(&mut self, n: u64) -> u64 {
        self.next() % n
    }

    /// From 0 to 1.
    pub(super) fn share(&mut self) -> f64 {
        self.below(1 << 20) as f64 / f64::from(1u32 << 20)
    }

    pub(super) fn chance(&mut self) -> bool {
        self.next() & 1 == 0
    }

    /// Any number that there is, those among them that are none.
    pub(super) fn any_f64(&mut self) -> f64 {
        match self.below(8) {
            0 => f64::NAN,
            1 => f64::INFINITY,
            2 => f64::NEG_INFINITY,
            3 => 0.0,
            _ => f64::from_bits(self.next()),
        }
    }

    /// Any number of nanoseconds, small ones as likely as large ones.
    pub(super) fn any_nanos(&mut self) -> u64 {
        match self.below(4) {
            0 => 0,
            1 => self.below(10_000_000_000),
            _ => self.next() >> self.below(64),
        }
    }
}
