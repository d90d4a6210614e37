//! Bit errors in a packet.

use crate::random::Stream;

/// The bit errors of a packet: their number, and a seed that determines their positions.
///
/// Errors fall on the packet's bits independently and uniformly, and may fall on the same bit more
/// than once. A bit that is hit is wrong, however often: it is inverted once, not toggled at each
/// hit.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Bit errors, at least 1.
    pub hits: u32,
    /// Determines which bits they hit.
    pub seed: u64,
}

impl Damage {
    /// Positions of the wrong bits in a packet of `bits` bits, in ascending order without
    /// repetition: between 1 and `hits` of them; none if `bits` is 0.
    pub fn wrong_bits(self, bits: u32) -> impl Iterator<Item = u32> {
        let hits = if bits > 0 { self.hits } else { 0 };
        let mut stream = Stream::new(self.seed, "wrong bits");
        let mut wrong: Vec<u32> = (0..hits).map(|_| stream.below(u64::from(bits)) as u32).collect();
        wrong.sort_unstable();
        wrong.dedup();
        wrong.into_iter()
    }
}
