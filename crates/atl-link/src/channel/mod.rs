//! Channels on which single bits go wrong.

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

/// Largest bit error ratio: that of a receiver that guesses. One that is wrong more often is right when asked for the
/// opposite.
const GUESSING: f64 = 0.5;

/// How bits go wrong.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Channel {
    /// Each bit with this probability (the bit error ratio), independently; one above 1/2 counts as 1/2.
    Independent(Probability),
    /// Rayleigh fading with white Gaussian noise: the signal-to-noise ratio changes with time, and with it the bit
    /// error ratio. The two directions of a link, and two links, fade independently of each other.
    Fading {
        /// Mean signal-to-noise ratio and Doppler shift.
        fading: Rayleigh,
        /// How bits are sent.
        modulation: Modulation,
    },
    /// Two states with a bit error ratio each, which last exponentially distributed times: the approximation of a
    /// fading channel.
    TwoState(TwoState),
}

/// A channel and its state.
#[derive(Clone, Debug)]
pub(crate) struct Bits {
    hazard: Hazard,
    source: Source,
    /// Of the last packet that had errors.
    damage: Damage,
}

/// Where the hazard comes from.
#[derive(Clone, Debug)]
enum Source {
    /// The same for each bit.
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

    /// True if bits go wrong of the next packet, which has so many and is sent evenly over a time.
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
            // It is never sent.
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

    /// What happened to the last packet that was struck.
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
        // One number for the distance to the next error, one for the seed.
        assert_eq!(bits.damage().hits, 1);
        before.next_u64();
        assert_eq!(bits.damage().seed, before.next_u64());
        assert_eq!(stream.next_u64(), before.next_u64());
    }
}
