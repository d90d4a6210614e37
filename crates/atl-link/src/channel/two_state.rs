//! The hazard of bits on a channel of two states.

use atl_core::model::fading::TwoState;
use atl_core::time::{Span, Time};

use super::hazard::per_bit;
use crate::random::Stream;

/// A channel of two states, and the one that it is in.
#[derive(Clone, Debug)]
pub(super) struct States {
    model: TwoState,
    /// The hazard of a bit, by state (good, bad).
    hazard: [f64; 2],
    bad: bool,
    /// When the state ends.
    until: Time,
}

impl States {
    /// In either state as often as it is in the long run.
    pub(super) fn new(model: TwoState, stream: &mut Stream) -> Self {
        let hazard = [model.good, model.bad].map(|state| per_bit(state.bit_errors.get().min(0.5)));
        let bad = stream.chance(model.bad_share().get());
        let mut states = States { model, hazard, bad, until: Time::ZERO };
        states.until = states.end(Time::ZERO, stream);
        states
    }

    /// When the state that holds at a time ends: how long it has lasted already does not matter.
    fn end(&self, now: Time, stream: &mut Stream) -> Time {
        let state = if self.bad { self.model.bad } else { self.model.good };
        let lasts = Span::from_secs_f64(stream.exponential(state.mean));
        now.saturating_add(lasts.max(Span::from_nanos(1)))
    }

    /// The hazard of so many bits that are sent evenly over a time.
    #[inline]
    pub(super) fn hazard(
        &mut self,
        from: Time,
        until: Time,
        bits: f64,
        stream: &mut Stream,
    ) -> f64 {
        if from >= self.until {
            self.pass(from, stream);
        }
        if until <= self.until {
            return bits * self.hazard[usize::from(self.bad)];
        }
        bits * self.mean(from, until, stream)
    }

    /// The state at a time after the present one's end. What happened between is not gone through: the state then
    /// follows from the one before and the time that has passed, as of any Markov chain.
    #[cold]
    fn pass(&mut self, now: Time, stream: &mut Stream) {
        self.bad = !self.bad;
        let chain = self.model.chain(now.since(self.until).secs());
        let leave = if self.bad { chain.to_good } else { chain.to_bad };
        self.bad ^= stream.chance(leave.get());
        self.until = self.end(now, stream);
    }

    /// The hazard of a bit that is sent at some time, any of them as likely.
    #[cold]
    fn mean(&mut self, from: Time, until: Time, stream: &mut Stream) -> f64 {
        let (mut at, mut sum) = (from, 0.0);
        while self.until < until {
            sum += self.hazard[usize::from(self.bad)] * self.until.since(at).nanos() as f64;
            at = self.until;
            self.bad = !self.bad;
            self.until = self.end(at, stream);
        }
        sum += self.hazard[usize::from(self.bad)] * until.since(at).nanos() as f64;
        sum / until.since(from).nanos() as f64
    }
}
