//! The one-way delay of the network that a link is in.

use std::sync::Arc;

use atl_core::time::{Span, Time};

use crate::config::Delay;
use crate::trace::DelayTrace;

/// The current delay. The last value read from a trace is kept while it lasts.
#[derive(Clone, Debug)]
pub(crate) enum Propagation {
    Constant(Span),
    Trace(Box<Changing>),
}

/// A recorded delay and the step that was looked up last. Boxed: most links have a constant delay,
/// and smaller links are faster where there are many.
#[derive(Clone, Debug)]
pub(crate) struct Changing {
    trace: Arc<DelayTrace>,
    from: u64,
    until: u64,
    delay: Span,
    /// The trace's own time when the link's is zero.
    offset: Span,
}

impl Propagation {
    pub(crate) fn new(delay: &Delay, offset: Span) -> Self {
        match delay {
            Delay::Constant(span) => Propagation::Constant(*span),
            Delay::Trace(trace) => Propagation::Trace(Box::new(Changing {
                trace: Arc::clone(trace),
                // Nothing was looked up yet.
                from: 0,
                until: 0,
                delay: Span::ZERO,
                offset,
            })),
        }
    }

    /// The delay of a packet whose transmission ends at `t`.
    #[inline]
    pub(crate) fn at(&mut self, t: Time) -> Span {
        match self {
            Propagation::Constant(span) => *span,
            Propagation::Trace(changing) => {
                let Changing { trace, from, until, delay, offset } = &mut **changing;
                let t = t.saturating_add(*offset).nanos();
                if !(*from..*until).contains(&t) {
                    let step = trace.step().nanos();
                    *from = t - t % step;
                    *until = from.saturating_add(step);
                    *delay = trace.at(Time::from_nanos(t));
                }
                *delay
            }
        }
    }
}
