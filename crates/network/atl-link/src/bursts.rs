//! Losses in bursts that last for a time, not for a number of packets.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::random::Stream;
use crate::threshold::Threshold;

/// A chain of two states in continuous time, from time zero on.
#[derive(Clone, Debug)]
pub(crate) struct Bursts {
    /// Mean time in each state in seconds (good, bad).
    lasts: [f64; 2],
    /// Loss probability by state.
    lose: [Threshold; 2],
    /// The state before the first of `flips`.
    bad: bool,
    /// Ends of states, in order, as far as they were needed and may be again.
    flips: VecDeque<Time>,
    /// A stream of its own: the bursts come at the same times whatever is sent.
    stream: Stream,
}

impl Bursts {
    pub(crate) fn new(lasts: [Span; 2], lose: [Probability; 2], stream: &Stream) -> Self {
        let (lasts, lose) = (lasts.map(Span::secs), lose.map(Threshold::new));
        let (flips, stream) = (VecDeque::new(), stream.part("bursts"));
        let mut bursts = Bursts { lasts, lose, bad: false, flips, stream };
        bursts.extend();
        bursts
    }

    /// Draws the end of the state after the last that is known.
    fn extend(&mut self) {
        let begins = self.flips.back().copied().unwrap_or(Time::ZERO);
        let bad = self.bad ^ (self.flips.len() % 2 == 1);
        let lasts = Span::from_secs_f64(self.stream.exponential(self.lasts[usize::from(bad)]));
        // At least 1 ns, so that time passes.
        self.flips.push_back(begins.saturating_add(lasts.max(Span::from_nanos(1))));
    }

    /// True if a packet is lost that is transmitted between two times. `from` never decreases;
    /// `until` may, as a change of network ends a transmission earlier. One draw per packet.
    pub(crate) fn loses(&mut self, from: Time, until: Time, stream: &mut Stream) -> bool {
        // A transmission that never ends meets no state.
        let until = if until == Time::MAX { from } else { until };
        while self.flips.back().is_none_or(|flip| *flip <= until) {
            self.extend();
        }
        while self.flips.pop_front_if(|flip| *flip <= from).is_some() {
            self.bad = !self.bad;
        }
        let later = self.flips.iter().take_while(|flip| **flip <= until).count();
        let bad = self.bad ^ (later % 2 == 1);
        self.lose[usize::from(bad)].hit(stream)
    }
}
