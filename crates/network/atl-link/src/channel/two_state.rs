//! The hazard of bits on a two-state channel.

use atl_core::model::fading::TwoState;
use atl_core::time::{Span, Time};

use super::hazard::per_bit;
use crate::random::Stream;

/// A two-state channel and its current state.
#[derive(Clone, Debug)]
pub(super) struct States {
    model: TwoState,
    /// The hazard of a bit by state (good, bad).
    hazard: [f64; 2],
    bad: bool,
    /// End of the current state.
    until: Time,
}

impl States {
    /// Starts in a state drawn from the stationary distribution.
    pub(super) fn new(model: TwoState, stream: &mut Stream) -> Self {
        let hazard = [model.good, model.bad].map(|state| per_bit(state.bit_errors.get().min(0.5)));
        let bad = stream.chance(model.bad_share().get());
        let mut states = States { model, hazard, bad, until: Time::ZERO };
        states.until = states.end(Time::ZERO, stream);
        states
    }

    /// End of the state at `now`; how long it has lasted does not matter (the distribution is
    /// memoryless).
    fn end(&self, now: Time, stream: &mut Stream) -> Time {
        let state = if self.bad { self.model.bad } else { self.model.good };
        let lasts = Span::from_secs_f64(stream.exponential(state.mean));
        now.saturating_add(lasts.max(Span::from_nanos(1)))
    }

    /// The hazard of `bits` bits sent evenly between two times.
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

    /// Moves to `now`, after the end of the current state. The changes in between are not
    /// simulated: for a Markov chain, the state at `now` follows from the earlier state and the
    /// elapsed time.
    #[cold]
    fn pass(&mut self, now: Time, stream: &mut Stream) {
        self.bad = !self.bad;
        let chain = self.model.chain(now.since(self.until).secs());
        let leave = if self.bad { chain.to_good } else { chain.to_bad };
        self.bad ^= stream.chance(leave.get());
        self.until = self.end(now, stream);
    }

    /// The mean hazard per bit between two times.
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
