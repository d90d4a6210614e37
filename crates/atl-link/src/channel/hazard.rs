//! When the next bit error comes.
//!
//! A bit that goes wrong with probability p has the *hazard* h = -ln(1 - p). The hazards of all bits, in the order in
//! which they are sent, are laid end to end; the distances from one error to the next along this line are drawn from an
//! exponential distribution of mean 1. So the errors are a Poisson process on the line: a packet of n such bits meets
//! N errors, Poisson of mean n h, independently of every other packet. Each of the N falls on a bit of the packet that
//! is drawn evenly and independently. Sorting Poisson many into n places splits them into n independent Poisson numbers
//! of mean h each, so a bit is hit at least once with probability 1 - exp(-h) = p, independently of all others. That is
//! just what independent bit errors are; nothing is approximated. A bit must be wrong however often it is hit: toggling
//! it at each hit would leave (1 - exp(-2 h)) / 2 of them wrong.
//!
//! What it is good for: a packet without errors, as most are, costs one subtraction and draws nothing, and hazards that
//! differ from packet to packet (fading) need nothing else.

use crate::random::Stream;

/// The hazard of a bit that is wrong with probability `p`, below 1.
pub(super) fn per_bit(p: f64) -> f64 {
    -libm::log1p(-p)
}

/// The hazard that is left until the next error.
#[derive(Clone, Debug)]
pub(super) struct Hazard {
    left: f64,
}

impl Hazard {
    pub(super) fn new(stream: &mut Stream) -> Self {
        Hazard { left: stream.exponential(1.0) }
    }

    /// True if this hazard passes without an error; it is then used up.
    #[inline]
    pub(super) fn spares(&mut self, hazard: f64) -> bool {
        let spared = hazard < self.left;
        if spared {
            self.left -= hazard;
        }
        spared
    }

    /// How many errors there are in a hazard that does not [spare](Self::spares).
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
