//! Claims of a receiver to its sender, true or not, and the ACKs that go with them: the strategies
//! of a receiver that wants more than its share.

use atl_core::path::LinkReport;
use atl_core::time::{Span, Time};

/// Claims of a receiver that pays no heed to the state of its link.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Claims {
    /// The p_w and d_w that it claims.
    pub link: LinkReport,
    /// It claims them for this long, and then a link without loss and delay for as long, by turns;
    /// greater than zero. `None`: it always claims them.
    pub flap: Option<Span>,
    /// It claims a handoff at multiples of this time; greater than zero. `None`: never.
    pub handoffs: Option<Span>,
    /// When its ACKs leave.
    pub acks: AckTiming,
    /// Segments beyond those that have arrived which its ACKs cover (optimistic ACKs; Savage et
    /// al., 1999).
    pub ahead: u32,
}

/// When a receiver's ACKs leave.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum AckTiming {
    /// As soon as there is something to acknowledge.
    #[default]
    Prompt,
    /// Together, at multiples of this time: that blurs the sender's round-trip times.
    Together(Span),
    /// This long after the packet that they answer was sent, or at once if that has passed: the
    /// sender's round-trip times then hide queues that are shorter.
    Level(Span),
    /// This long after there is something to acknowledge: the path looks longer than it is.
    Late(Span),
    /// Only every n-th leaves, at once, where n is 2 or more: one ACK for many packets.
    Thin(u32),
}

impl From<LinkReport> for Claims {
    /// The same claim always, and honest acknowledgments.
    fn from(link: LinkReport) -> Self {
        Claims { link, flap: None, handoffs: None, acks: AckTiming::Prompt, ahead: 0 }
    }
}

impl Claims {
    /// True if the receiver does not acknowledge what arrives, and at once.
    pub fn changes_acks(&self) -> bool {
        self.acks != AckTiming::Prompt || self.ahead > 0
    }

    /// The link that it claims at `now`.
    pub(crate) fn link(&self, now: Time) -> LinkReport {
        let pauses = self.flap.is_some_and(|flap| turn(now, flap) % 2 == 1);
        if pauses { LinkReport::NONE } else { self.link }
    }

    /// Handoffs that it has claimed by `now`.
    pub(crate) fn handoffs(&self, now: Time) -> u32 {
        self.handoffs.map_or(0, |every| turn(now, every) as u32)
    }
}

impl AckTiming {
    /// When an ACK that is ready at `now` leaves, for a packet that was sent at `sent_at`
    /// ([`Time::MAX`]: for none).
    pub fn leaves(self, now: Time, sent_at: Time) -> Time {
        match self {
            AckTiming::Level(after) if sent_at != Time::MAX => {
                now.max(sent_at.saturating_add(after))
            }
            AckTiming::Together(every) if !every.is_zero() => {
                let nanos = now.nanos().div_ceil(every.nanos()).saturating_mul(every.nanos());
                Time::from_nanos(nanos)
            }
            AckTiming::Late(by) => now.saturating_add(by),
            AckTiming::Prompt
            | AckTiming::Level(_)
            | AckTiming::Together(_)
            | AckTiming::Thin(_) => now,
        }
    }
}

/// Number of whole periods of `every` before `now`.
fn turn(now: Time, every: Span) -> u64 {
    now.nanos() / every.nanos().max(1)
}

#[cfg(test)]
mod tests {
    use super::*;
    use atl_core::units::Probability;

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn claims_flap_and_handoffs_are_counted() {
        let link = LinkReport { loss: Probability::ONE, delay: Span::from_secs(1) };
        let steady = Claims::from(link);
        assert_eq!((steady.link(ms(5_000)), steady.handoffs(ms(5_000))), (link, 0));
        let second = Some(Span::from_secs(1));
        let flapping = Claims { flap: second, handoffs: second, ..steady };
        let seen = [0, 999, 1_000, 1_999, 2_000].map(|at| flapping.link(ms(at)) == link);
        assert_eq!(seen, [true, true, false, false, true]);
        assert_eq!([999, 1_000, 3_500].map(|at| flapping.handoffs(ms(at))), [0, 1, 3]);
    }

    #[test]
    fn acks_leave_at_once_together_or_after_the_same_time() {
        let leaves = |timing: AckTiming, now, sent| timing.leaves(ms(now), ms(sent));
        let span = Span::from_millis;
        assert_eq!(leaves(AckTiming::Prompt, 7, 1), ms(7));
        let together = AckTiming::Together(span(10));
        assert_eq!([7, 10, 11].map(|now| leaves(together, now, 1)), [ms(10), ms(10), ms(20)]);
        let level = AckTiming::Level(span(50));
        assert_eq!([7, 60].map(|now| leaves(level, now, 5)), [ms(55), ms(60)]);
        assert_eq!(level.leaves(ms(7), Time::MAX), ms(7));
        assert_eq!(leaves(AckTiming::Late(span(5)), 7, 1), ms(12));
        assert_eq!(leaves(AckTiming::Thin(3), 7, 1), ms(7));
    }
}
