//! Wrong bits in a packet.

use crate::random::Stream;

/// Bit errors that a packet met: how many, and a seed that says where.
///
/// The errors fall on the packet's bits independently and evenly, also twice on the same one. A bit that is hit is
/// wrong, however often: it is set to its other value, not toggled once more.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Damage {
    /// Bit errors, at least 1.
    pub hits: u32,
    /// Decides which bits they hit.
    pub seed: u64,
}

impl Damage {
    /// Which of a packet's `bits` are wrong, each once, in rising order: at least one, at most `hits`. None of a packet
    /// without bits.
    pub fn wrong_bits(self, bits: u32) -> impl Iterator<Item = u32> {
        let hits = if bits > 0 { self.hits } else { 0 };
        let mut stream = Stream::new(self.seed, "wrong bits");
        let mut wrong: Vec<u32> = (0..hits).map(|_| stream.below(u64::from(bits)) as u32).collect();
        wrong.sort_unstable();
        wrong.dedup();
        wrong.into_iter()
    }
}
