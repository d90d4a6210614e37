//! Grants at fixed intervals, for which packets wait.

use atl_core::time::{Span, Time};

use crate::random::Stream;

/// A scheduler that lets a user send at fixed intervals only, as on the uplink of LTE and 5G, whose
/// terminals ask for the channel every 5 to 80 ms (scheduling requests, 3GPP TS 36.213, sec.
/// 10.1.5; TS 36.321, sec. 5.4.4), and of DOCSIS (request and grant, RFC 8034). Packets that the
/// link has transmitted since the last grant leave with the next one, together: the rate stays, and
/// packets come in bunches. It is not a scheduler of several users: the queue is this user's own,
/// and grants are as long as what waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Grants {
    /// Time from one grant to the next, above zero. Where they lie is drawn for each run.
    pub every: Span,
}

/// Grants at work.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Granted {
    every: u64,
    /// The first grant comes then.
    first: u64,
}

impl Granted {
    pub(crate) fn new(grants: Grants, stream: &Stream) -> Self {
        let every = grants.every.nanos().max(1);
        Granted { every, first: stream.part("grants").below(every) }
    }

    /// The grant that a packet waits for which has been transmitted by `end`.
    pub(crate) fn next(self, end: Time) -> Time {
        let since = end.nanos().saturating_sub(self.first);
        let number = since.div_ceil(self.every);
        Time::from_nanos(number.saturating_mul(self.every).saturating_add(self.first))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_packet_leaves_with_the_next_grant() {
        let granted = Granted { every: 10, first: 3 };
        let next = |end| granted.next(Time::from_nanos(end)).nanos();
        assert_eq!([0, 3, 4, 13, 14].map(next), [3, 3, 13, 13, 23]);
        assert_eq!(granted.next(Time::MAX), Time::MAX);
        let drawn = Granted::new(Grants { every: Span::from_millis(10) }, &Stream::new(1, "l"));
        assert!(drawn.first < 10_000_000);
    }
}
