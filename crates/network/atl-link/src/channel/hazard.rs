//! The time of the next bit error.
//!
//! A bit that is wrong with probability p has the *hazard* h = -ln(1 - p). The hazards of all bits,
//! in transmission order, are laid end to end on a line; the distances between errors along it are
//! exponential with mean 1. Errors are therefore a Poisson process on the line: a packet of n such
//! bits meets N errors, Poisson with mean n h, independently of every other packet. Each error
//! falls on a bit drawn uniformly and independently. Distributing a Poisson number over n places
//! splits it into n independent Poisson numbers of mean h each, so a bit is hit at least once with
//! probability 1 - exp(-h) = p, independently of all others. These are exactly independent bit
//! errors; nothing is approximated. A bit counts as wrong however often it is hit: toggling it at
//! each hit would leave only (1 - exp(-2 h)) / 2 of the bits wrong.
//!
//! The benefit: a packet without errors, the usual case, costs one subtraction and no random
//! number, and hazards that differ from packet to packet (fading) need nothing more.

use crate::random::Stream;

/// The hazard of a bit that is wrong with probability `p`, which must be below 1.
pub(super) fn per_bit(p: f64) -> f64 {
    -libm::log1p(-p)
}

/// The hazard remaining until the next error.
#[derive(Clone, Debug)]
pub(super) struct Hazard {
    left: f64,
}

impl Hazard {
    pub(super) fn new(stream: &mut Stream) -> Self {
        Hazard { left: stream.exponential(1.0) }
    }

    /// True if this hazard passes without an error; it is then subtracted.
    #[inline]
    pub(super) fn spares(&mut self, hazard: f64) -> bool {
        let spared = hazard < self.left;
        if spared {
            self.left -= hazard;
        }
        spared
    }

    /// The number of errors within a hazard that [does not pass](Self::spares).
    #[cold]
    pub(super) fn hits(&mut self, hazard: f64, stream: &mut Stream) -> u32 {
        let mut rest = hazard;
        let mut hits = 0_u32;
        while rest >= self.left {
            rest -= self.left;
            self.left = stream.exponential(1.0);
            hits += 1;
        }
        self.left -= rest;
        hits
    }
}
