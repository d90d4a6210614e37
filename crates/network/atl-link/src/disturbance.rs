//! Jitter and reordering at work: when each packet arrives.

use atl_core::time::{Span, Time};
use atl_core::units::Probability;

use crate::config::Conditions;
use crate::grants::Granted;
use crate::jitter::{Jitter, Reorder};
use crate::random::Stream;
use crate::reconfiguration::Reconfigured;

/// A jitter and a reordering at work.
#[derive(Clone, Debug)]
pub(crate) struct Disturbance {
    jitter: Option<Jitter>,
    reorder: Option<Reorder>,
    reconfigured: Option<Reconfigured>,
    granted: Option<Granted>,
    /// Share of packets that arrive twice, and the stream that draws them.
    duplicate: Probability,
    copies: Stream,
    /// A stream of its own: a link's losses are the same with and without jitter.
    stream: Stream,
    /// Arrival of the last packet that keeps its order, and what it was before the last packet.
    latest: Time,
    before: Time,
    /// Arrival of the last packet.
    pub(crate) last: Time,
    /// It changes when packets arrive, and perhaps their order.
    pub(crate) moves: bool,
    /// End of the last transmission, until it is over: what begins then may arrive first.
    pub(crate) wake: Time,
}

impl Disturbance {
    /// Those of these conditions on a link with this stream, of which they draw from parts; `None`
    /// without any. The last packet on the wire arrives at `latest`.
    pub(crate) fn new(
        conditions: &Conditions,
        stream: &Stream,
        latest: Time,
    ) -> Option<Box<Disturbance>> {
        let Conditions { jitter, reorder, reconfiguration, grants, duplicate, .. } = *conditions;
        let delays = reconfiguration.is_some() || grants.is_some();
        let moves = jitter.is_some() || reorder.is_some() || delays;
        if !moves && duplicate == Probability::ZERO {
            return None;
        }
        let reconfigured = reconfiguration.map(|config| Reconfigured::new(config, stream));
        let granted = grants.map(|grants| Granted::new(grants, stream));
        let (before, last) = (Time::ZERO, Time::ZERO);
        let (stream, copies) = (stream.part("jitter"), stream.part("duplicate"));
        let wake = Time::MAX;
        Some(Box::new(Disturbance {
            jitter,
            reorder,
            reconfigured,
            granted,
            duplicate,
            copies,
            stream,
            latest,
            before,
            last,
            moves,
            wake,
        }))
    }

    /// True if it goes on over a change from one to the other.
    pub(crate) fn is_same(from: &Conditions, to: &Conditions) -> bool {
        let of = |conditions: &Conditions| {
            let Conditions { jitter, reorder, reconfiguration, grants, duplicate, .. } =
                *conditions;
            (jitter, reorder, reconfiguration, grants, duplicate)
        };
        of(from) == of(to)
    }

    /// Arrival of a packet transmitted until `end`, over a link with this delay.
    pub(crate) fn arrival(&mut self, end: Time, delay: Span) -> Time {
        let delay = match &mut self.reconfigured {
            Some(reconfigured) => reconfigured.delay(end, delay),
            None => delay,
        };
        let delay = self.jitter.map_or(delay, |jitter| jitter.draw(delay, &mut self.stream));
        let late = match self.reorder {
            Some(Reorder { share, by }) if self.stream.chance(share.get()) => Some(by),
            _ => None,
        };
        self.before = self.latest;
        let leaves = self.granted.map_or(end, |granted| granted.next(end));
        let arrive = leaves.saturating_add(delay);
        self.last = match (late, self.jitter) {
            (Some(by), _) => arrive.saturating_add(by),
            (None, Some(Jitter { in_order: false, .. })) => arrive,
            (None, _) => {
                self.latest = self.latest.max(arrive);
                self.latest
            }
        };
        self.last
    }

    /// True if a reconfiguration loses a packet transmitted until `end`.
    pub(crate) fn loses(&mut self, end: Time) -> bool {
        self.reconfigured.as_mut().is_some_and(|reconfigured| reconfigured.loses(end))
    }

    /// True if a packet that arrives does so twice. Draws only where some do.
    pub(crate) fn duplicates(&mut self) -> bool {
        self.duplicate > Probability::ZERO && self.copies.chance(self.duplicate.get())
    }

    /// The last packet is sent anew: none that follows waits for its first arrival.
    pub(crate) fn take_back(&mut self) {
        self.latest = self.before;
    }
}
