//! Networks that assign paths anew at fixed intervals.

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::random::Stream;

/// A network that gives its users another path at each multiple of a time, as Starlink assigns
/// satellites every 15 s (Tanveer and others, CoNEXT 2023; Mohan and others, WWW 2024): the delay
/// steps, and for a moment packets are lost. Both directions of a link do so at the same times,
/// each with steps of its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reconfiguration {
    /// Time from one to the next, above zero.
    pub every: Span,
    /// The delay of an interval is drawn evenly from this much below that of the link to this much
    /// above it, and never gets below zero.
    pub step: Span,
    /// Packets whose transmission ends within this time after a reconfiguration may be lost.
    pub outage: Span,
    /// Probability that they are.
    pub loss: Probability,
}

/// A reconfiguration at work.
#[derive(Clone, Debug)]
pub(crate) struct Reconfigured {
    config: Reconfiguration,
    /// Never drawn from: the step of an interval depends on its number alone.
    steps: Stream,
    losses: Stream,
    /// Number of the last interval, and its step in seconds.
    interval: u64,
    step: f64,
}

impl Reconfigured {
    pub(crate) fn new(config: Reconfiguration, stream: &Stream) -> Reconfigured {
        let (steps, losses) = (stream.part("reconfigured"), stream.part("reconfiguring"));
        let mut new = Reconfigured { config, steps, losses, interval: 0, step: 0.0 };
        new.step = new.draw(0);
        new
    }

    fn draw(&self, interval: u64) -> f64 {
        let uniform = self.steps.part(&interval.to_string()).uniform();
        self.config.step.secs() * (2.0 * uniform - 1.0)
    }

    /// The delay of a packet transmitted until `end` over a link with this one.
    pub(crate) fn delay(&mut self, end: Time, delay: Span) -> Span {
        let interval = end.nanos() / self.config.every.nanos().max(1);
        if interval != self.interval {
            (self.interval, self.step) = (interval, self.draw(interval));
        }
        Span::from_secs_f64((delay.secs() + self.step).max(0.0))
    }

    /// True if a packet transmitted until `end` is lost. Draws only in an outage.
    pub(crate) fn loses(&mut self, end: Time) -> bool {
        let Reconfiguration { every, outage, loss, .. } = self.config;
        let (nanos, every) = (end.nanos(), every.nanos().max(1));
        // Nothing changes at time zero.
        nanos >= every && nanos % every < outage.nanos() && self.losses.chance(loss.get())
    }
}
