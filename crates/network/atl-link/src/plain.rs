//! Plain links: which ones are, and their state.

use atl_core::time::{Span, Time};

use crate::config::{Config, Delay, QueueConfig, Service};

/// Delays up to this one, a year, leave the arithmetic of times exact for five hundred more.
const LONGEST: Span = Span::from_secs(365 * 24 * 3600);

/// The queue and the progress of a plain link.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Plain {
    pub(crate) delay: Span,
    /// Packets that may wait.
    pub(crate) room: usize,
    /// A lower bound of the packets on the wire whose transmission has begun: the first ones.
    pub(crate) begun: usize,
    /// Time of the last call.
    pub(crate) seen: Time,
}

impl Plain {
    /// That of a link of this configuration, if it is plain and nothing else stands in the way of
    /// its packets.
    pub(crate) fn of(config: &Config) -> Option<Plain> {
        let initial = &config.initial;
        let (QueueConfig::DropTail { packets }, None) = config.queue_of(0)? else { return None };
        let (Service::Constant(rate), Delay::Constant(delay)) = (&initial.service, &initial.delay)
        else {
            return None;
        };
        let steady = config.schedule.is_empty() && config.blackouts.is_empty();
        if !steady || config.shaper.is_some() || rate.bps() <= 0.0 || *delay > LONGEST {
            return None;
        }
        let room = *packets as usize;
        Some(Plain { delay: *delay, room, begun: 0, seen: Time::ZERO })
    }

    /// The first packet has left the wire.
    #[inline]
    pub(crate) fn on_front_taken(&mut self) {
        self.begun = self.begun.saturating_sub(1);
    }
}
