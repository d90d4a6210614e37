//! Random numbers for controllers that need them.

use atl_link::random::Stream;
use s2n_quic_core::random::Generator;

/// Draws from a named stream of the run's seed.
#[derive(Clone, Debug)]
pub(super) struct Seeded(Stream);

impl Seeded {
    pub(super) fn new(seed: u64) -> Seeded {
        Seeded(Stream::new(seed, "lab/s2n"))
    }
}

impl Generator for Seeded {
    fn public_random_fill(&mut self, dest: &mut [u8]) {
        for chunk in dest.chunks_mut(8) {
            chunk.copy_from_slice(&self.0.next_u64().to_le_bytes()[..chunk.len()]);
        }
    }

    /// Not secret: controllers only use it to spread their probes.
    fn private_random_fill(&mut self, dest: &mut [u8]) {
        self.public_random_fill(dest);
    }
}
