//! Channels with bit errors.

mod envelope;
mod fading;
mod hazard;
#[cfg(test)]
mod statistics;
mod two_state;
mod walk;

use atl_core::model::fading::{Modulation, Rayleigh, TwoState};
use atl_core::time::Time;
use atl_core::units::Probability;

use crate::damage::Damage;
use crate::random::Stream;
use fading::Fading;
use hazard::{Hazard, per_bit};
use two_state::States;

/// The largest bit error ratio: that of a receiver that guesses. A receiver that is wrong more
/// often would do better by inverting its decisions.
const GUESSING: f64 = 0.5;

/// The bit errors of a channel.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// Each bit is wrong with this probability (the bit error ratio), independently; values above
    /// 1/2 count as 1/2.
    Independent(Probability),
    /// Rayleigh fading with white Gaussian noise: the signal-to-noise ratio varies with time, and
    /// with it the bit error ratio. Links fade independently of each other, and so do the two
    /// directions of one link.
    Fading {
        /// Mean signal-to-noise ratio and Doppler shift.
        fading: Rayleigh,
        /// Decides the bit error ratio at a given signal-to-noise ratio.
        modulation: Modulation,
    },
    /// Two states, each with a bit error ratio and an exponentially distributed duration: an
    /// approximation of a fading channel.
    TwoState(TwoState),
}

/// A channel and its state.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    hazard: Hazard,
    source: Source,
    /// The errors of the last damaged packet.
    damage: Damage,
}

/// The source of the hazard.
#[derive(Clone, Debug)]
enum Source {
    /// The same for every bit.
    Constant(f64),
    Fading(Box<Fading>),
    TwoState(States),
}

impl Bits {
    pub(crate) fn new(channel: &Channel, stream: &mut Stream) -> Self {
        let source = match *channel {
            Channel::Independent(p) => Source::Constant(per_bit(p.get().min(GUESSING))),
            Channel::Fading { fading, modulation } => {
                Source::Fading(Box::new(Fading::new(&fading, modulation, stream)))
            }
            Channel::TwoState(model) => Source::TwoState(States::new(model, stream)),
        };
        Bits { hazard: Hazard::new(stream), source, damage: Damage { hits: 0, seed: 0 } }
    }

    /// True if the next packet, of `bits` bits sent evenly between two times, has bit errors.
    #[inline]
    pub(crate) fn strikes(
        &mut self,
        from: Time,
        until: Time,
        bits: f64,
        stream: &mut Stream,
    ) -> bool {
        let hazard = match &mut self.source {
            Source::Constant(per_bit) => bits * *per_bit,
            // Its transmission never ends.
            _ if until == Time::MAX => 0.0,
            Source::Fading(fading) => fading.hazard(from, until, bits),
            Source::TwoState(states) => states.hazard(from, until, bits, stream),
        };
        if self.hazard.spares(hazard) {
            return false;
        }
        self.damage = Damage { hits: self.hazard.hits(hazard, stream), seed: stream.next_u64() };
        true
    }

    /// The bit errors of the last damaged packet.
    pub(crate) fn damage(&self) -> Damage {
        self.damage
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn packets_without_errors_draw_nothing() {
        let mut stream = Stream::new(1, "channel");
        let mut bits = Bits::new(&Channel::Independent(Probability::clamped(1e-6)), &mut stream);
        let mut before = stream.clone();
        let packets = (0..1_000_000)
            .take_while(|_| !bits.strikes(Time::ZERO, Time::ZERO, 424.0, &mut stream))
            .count();
        assert!((10..1_000_000).contains(&packets));
        // One draw for the distance to the next error, one for the seed.
        assert_eq!(bits.damage().hits, 1);
        before.next_u64();
        assert_eq!(bits.damage().seed, before.next_u64());
        assert_eq!(stream.next_u64(), before.next_u64());
    }
}
