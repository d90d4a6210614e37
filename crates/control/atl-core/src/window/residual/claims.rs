//! The handoffs that a receiver claims, and the steps of the round-trip time that bear them out.

use crate::time::{Span, Time};

/// Seconds and round trips from a claim to the next that counts, doubled for each one in a row
/// that nothing has borne out.
const APART: f64 = 5.0;
const APART_ROUNDS: f64 = 16.0;
const MOST_DOUBLINGS: u32 = 5;
/// Seconds by which the queue on a path may become longer or shorter in a second.
const DRIFT: f64 = 0.5;
/// Share of the largest step of a round that is remembered for another round.
const KEPT: f64 = 0.98;

/// The claims of a receiver, and steps of the round-trip time.
#[derive(Clone, Copy, Debug)]
pub(super) struct Claims {
    /// When the last one counted.
    pub(super) at: Option<Time>,
    /// Those in a row that were not borne out.
    pub(super) empty: u32,
    /// The last round-trip time in seconds, and when its packet was sent.
    last: Option<(f64, Time)>,
    /// The largest step lately, or since the claim under judgement, in seconds; when it came.
    pub(super) step: (f64, Time),
    /// The largest steps of the round under way and of the two before it.
    steps: [f64; 3],
    /// The largest of the rounds before those.
    pub(super) usual: f64,
}

impl Claims {
    pub(super) const fn new() -> Self {
        Claims {
            at: None,
            empty: 0,
            last: None,
            step: (0.0, Time::ZERO),
            steps: [0.0; 3],
            usual: 0.0,
        }
    }

    /// Those after a handoff that needs no evidence.
    pub(super) const fn since(now: Time) -> Self {
        Claims { at: Some(now), ..Claims::new() }
    }

    /// A packet that arrives at `now` has a round-trip time of `rtt` seconds. The largest step of
    /// the last `memory` seconds is kept.
    pub(super) fn on_rtt(&mut self, now: Time, rtt: f64, memory: f64) {
        let since = now.since(Time::ZERO).saturating_sub(Span::from_secs_f64(rtt));
        let sent = Time::ZERO.saturating_add(since);
        let last = self.last.replace((rtt, sent));
        let step =
            last.map_or(0.0, |(last, at)| (rtt - last).abs() - DRIFT * sent.since(at).secs());
        self.steps[0] = self.steps[0].max(step);
        let old = now.since(self.step.1).secs() > memory;
        if old || step > self.step.0 {
            self.step = (step, now);
        }
    }

    pub(super) fn on_round(&mut self) {
        self.usual = self.steps[2].max(KEPT * self.usual);
        self.steps.rotate_right(1);
        self.steps[0] = 0.0;
    }

    /// True if a claim counts at `now`.
    pub(super) fn is_due(&self, now: Time, srtt: f64) -> bool {
        let apart = APART.max(APART_ROUNDS * srtt);
        let apart = apart * f64::from(1u32 << self.empty.min(MOST_DOUBLINGS));
        self.at.is_none_or(|at| now.since(at).secs() >= apart)
    }
}
