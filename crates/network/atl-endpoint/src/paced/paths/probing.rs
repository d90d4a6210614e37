//! The probe of a new path by a paced sender.
//!
//! Source: Taleb et al., IEEE Transactions on Vehicular Technology 57(6), 2008, sec. III-D and
//! IV-B.2: dummies through the new access point "at the maximum streaming rate of the multimedia
//! data for a predefined period of time", and a report of what arrived.
//!
//! Left open by the source, and chosen:
//! - The path is validated first: a small dummy, which the receiver answers at once, may be sent as
//!   long as no more than three times the bytes that came from the path are spent (RFC 9000, sec.
//!   8.1 and 9.3). Its number is hard to guess. It is repeated after 3 smoothed RTT of the old path
//!   and at least 100 ms, then twice as late each time.
//! - At most [`MOST_DUMMIES`] dummies, whatever rate and time are asked for.
//! - The sender believes no more than what it sent: a report of more dummies, or of others, is
//!   ignored.

use atl_core::path::PathId;
use atl_core::roaming::FromReport;
use atl_core::time::{Span, Time};

use super::dummy::Dummy;
use crate::handoff::HandoffReport;

/// Most dummies of a probe.
pub const MOST_DUMMIES: u32 = 10_000;
/// Time that dummies are spread over unless a scenario says otherwise.
pub const PROBE_TIME: Span = Span::from_millis(500);
/// Payload bytes of the dummy that validates a path.
const CHALLENGE_PAYLOAD: u32 = 8;
/// Least wait for the answer to it.
const LEAST_WAIT: Span = Span::from_millis(100);
/// Bound of the doubling wait between the surveys of one path.
const LONGEST_WAIT: Span = Span::from_secs(64);

/// Path, times and size of a probe.
#[derive(Clone, Copy, Debug)]
pub(in crate::paced) struct Plan {
    /// The path to probe.
    pub path: PathId,
    /// Number of the probe.
    pub id: u8,
    /// The stream's largest rate, in packets per second.
    pub rate: f64,
    /// Time to send dummies for.
    pub over: Span,
    /// When dummies may be sent at the earliest.
    pub earliest: Time,
    /// Bytes of a dummy, and of the header within.
    pub bytes: (u32, u32),
    /// The number that a challenge asks to be sent back, if the path is to be validated.
    pub challenge: Option<u32>,
    /// The old path's smoothed RTT, if it is known.
    pub rtt: Option<Span>,
    /// The rate that is taken from a report.
    pub from_report: FromReport,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Phase {
    /// The path is being validated: when the next challenge is due, and how long to wait for its
    /// answer.
    Validating { due: Time, wait: Span },
    /// Dummies are sent.
    Sending { due: Time },
    /// All dummies are sent, or no more are wanted.
    Sent,
}

/// The probe of a path.
#[derive(Clone, Debug)]
pub(in crate::paced) struct Probing {
    plan: Plan,
    phase: Phase,
    gap: Span,
    dummies: u32,
    sent: u32,
    /// A challenge was sent.
    asked: bool,
    /// RTT of the path, from the answer to a challenge.
    rtt: Option<Span>,
    /// The host is to move as soon as the path is valid.
    pub moving: bool,
    /// The sender has moved without a report: until when a late one counts.
    pub late: Option<Time>,
}

impl Probing {
    /// A probe that begins at `begin`.
    pub(in crate::paced) fn new(begin: Time, plan: Plan) -> Self {
        let rate = if plan.rate > 0.0 { plan.rate } else { 1.0 };
        let dummies = (rate * plan.over.secs()).round().clamp(1.0, f64::from(MOST_DUMMIES));
        let wait = plan.rtt.map_or(LEAST_WAIT, |rtt| (rtt * 3).max(LEAST_WAIT)).min(LONGEST_WAIT);
        Probing {
            phase: match plan.challenge {
                Some(_) => Phase::Validating { due: begin, wait },
                None => Phase::Sending { due: plan.earliest.max(begin) },
            },
            gap: Span::from_secs_f64(plan.over.secs() / dummies).max(Span::from_nanos(1)),
            dummies: dummies as u32,
            sent: 0,
            asked: false,
            rtt: None,
            moving: false,
            late: None,
            plan,
        }
    }

    pub(in crate::paced) fn path(&self) -> PathId {
        self.plan.path
    }

    /// RTT of the path, once it has been validated.
    pub(in crate::paced) fn rtt(&self) -> Option<Span> {
        self.rtt
    }

    /// True until the path is known to lead to the peer.
    pub(in crate::paced) fn is_validating(&self) -> bool {
        matches!(self.phase, Phase::Validating { .. })
    }

    /// True if dummies were sent: a report may come.
    pub(in crate::paced) fn has_sent(&self) -> bool {
        self.sent > 0
    }

    fn challenge_bytes(&self) -> u32 {
        (self.plan.bytes.1 + CHALLENGE_PAYLOAD).min(self.plan.bytes.0)
    }

    /// The dummy to send now, and its bytes, if one is due. `may_send` says whether that many bytes
    /// may go to a path that has not answered.
    pub(in crate::paced) fn poll(
        &mut self,
        now: Time,
        may_send: impl Fn(u32) -> bool,
    ) -> Option<(Dummy, u32)> {
        let dummy = Dummy { probe: self.plan.id, challenge: false, index: self.sent };
        match self.phase {
            Phase::Validating { due, wait } if now >= due && may_send(self.challenge_bytes()) => {
                let bytes = self.challenge_bytes();
                self.asked = true;
                let (due, wait) = (now.saturating_add(wait), (wait * 2).min(LONGEST_WAIT));
                self.phase = Phase::Validating { due, wait };
                let index = self.plan.challenge.unwrap_or_default();
                Some((Dummy { challenge: true, index, ..dummy }, bytes))
            }
            Phase::Sending { due } if now >= due => {
                self.sent += 1;
                self.phase = if self.sent < self.dummies {
                    // A late host does not catch up in a burst.
                    Phase::Sending { due: now.saturating_add(self.gap) }
                } else {
                    Phase::Sent
                };
                Some((dummy, self.plan.bytes.0))
            }
            _ => None,
        }
    }

    /// When the next dummy is due; [`Time::MAX`] if none is.
    pub(in crate::paced) fn next(&self, may_send: impl Fn(u32) -> bool) -> Time {
        match self.phase {
            Phase::Validating { due, .. } if may_send(self.challenge_bytes()) => due,
            Phase::Sending { due } => due,
            _ => Time::MAX,
        }
    }

    /// A dummy was answered. Returns true if this validates the path.
    pub(in crate::paced) fn on_answer(&mut self, now: Time, dummy: Dummy, sent_at: Time) -> bool {
        let answers = dummy.challenge
            && dummy.probe == self.plan.id
            && self.plan.challenge == Some(dummy.index)
            && self.asked;
        if !answers || !self.is_validating() {
            return false;
        }
        let rtt = now.since(sent_at);
        self.rtt = (!rtt.is_zero()).then_some(rtt);
        self.phase = Phase::Sending { due: self.plan.earliest.max(now) };
        true
    }

    /// No more dummies: the path is in use.
    pub(in crate::paced) fn stop(&mut self) {
        self.phase = Phase::Sent;
    }

    /// The rate that a report shows the path to carry, in packets per second and at most the rate
    /// of the dummies; `None` for a report that does not fit what was sent.
    pub(in crate::paced) fn rate(&self, report: &HandoffReport) -> Option<f64> {
        let fits = report.path == self.plan.path
            && report.probe == self.plan.id
            && report.expected() <= u64::from(self.sent)
            && u64::from(report.received) <= report.expected()
            && report.bytes <= u64::from(report.received) * u64::from(self.plan.bytes.0);
        let bytes = report.rate().filter(|_| fits)?;
        let sent_at = 1.0 / self.gap.secs();
        Some(match self.plan.from_report {
            FromReport::Arrived => (bytes / f64::from(self.plan.bytes.0.max(1))).min(sent_at),
            FromReport::LdaPlus => {
                let arrived = f64::from(report.received) / report.expected() as f64;
                sent_at * (1.0 - (1.0 - arrived).sqrt())
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn plan(challenge: Option<u32>) -> Plan {
        Plan {
            path: PathId::new(1),
            id: 7,
            rate: 2500.0,
            over: Span::from_millis(500),
            earliest: Time::ZERO,
            bytes: (500, 40),
            challenge,
            rtt: Some(Span::from_millis(60)),
            from_report: FromReport::Arrived,
        }
    }

    fn ms(ms: u64) -> Time {
        Time::from_millis(ms)
    }

    #[test]
    fn dummies_leave_at_the_streams_largest_rate_for_the_time() {
        let mut probing = Probing::new(ms(10), plan(None));
        let mut times = Vec::new();
        while probing.next(|_| true) < Time::MAX {
            let now = probing.next(|_| true);
            let (dummy, bytes) = probing.poll(now, |_| true).expect("due");
            assert_eq!((dummy.index as usize, dummy.probe, bytes), (times.len(), 7, 500));
            assert_eq!(probing.poll(now, |_| true), None, "one at a time");
            times.push(now);
        }
        // 10 Mb/s of 500 B: .4 ms apart.
        assert_eq!(times.len(), 1250);
        assert_eq!((times[0], times[1]), (ms(10), Time::from_nanos(10_400_000)));
        assert_eq!(times[1249], Time::from_nanos(509_600_000));
    }

    #[test]
    fn a_challenge_goes_as_far_as_it_is_allowed_and_its_answer_validates_the_path() {
        let mut probing = Probing::new(ms(0), plan(Some(99)));
        assert_eq!((probing.poll(ms(0), |_| false), probing.next(|_| false)), (None, Time::MAX));
        // The header and 8 octets.
        let (challenge, bytes) = probing.poll(ms(1), |bytes| bytes <= 48).expect("allowed");
        assert_eq!((challenge.challenge, challenge.index, bytes), (true, 99, 48));
        // Again 3 RTT later, and 6 RTT after that.
        assert_eq!((probing.poll(ms(1), |_| true), probing.next(|_| true)), (None, ms(181)));
        assert!(probing.poll(ms(181), |_| true).is_some());
        assert_eq!(probing.next(|_| true), ms(541));
        let wrong = Dummy { index: 98, ..challenge };
        assert!(!probing.on_answer(ms(200), wrong, ms(181)) && probing.is_validating());
        assert!(probing.on_answer(ms(221), challenge, ms(181)));
        assert!(!probing.on_answer(ms(222), challenge, ms(181)), "once");
        assert_eq!((probing.rtt(), probing.next(|_| true)), (Some(Span::from_millis(40)), ms(221)));
    }

    #[test]
    fn no_more_is_believed_than_was_sent() {
        let mut probing = Probing::new(ms(0), plan(None));
        let report = HandoffReport {
            path: PathId::new(1),
            probe: 7,
            highest: 99,
            received: 25,
            bytes: 25 * 500,
            span: Span::from_millis(96),
            window: Span::from_millis(100),
            ..HandoffReport::default()
        };
        assert_eq!(probing.rate(&report), None, "nothing sent yet");
        for _ in 0..100 {
            probing.poll(probing.next(|_| true), |_| true).expect("due");
        }
        // 24 packets in 96 ms: 1 Mb/s.
        assert_eq!(probing.rate(&report), Some(250.0));
        // The paper's words with LDA+: a quarter arrived, and 2500 (1 - sqrt(3/4)) is 335.
        let literal = Plan { from_report: FromReport::LdaPlus, ..plan(None) };
        let literal = Probing { plan: literal, ..probing.clone() };
        assert!(literal.rate(&report).is_some_and(|rate| (rate - 334.936).abs() < 1e-3));
        // A path that is faster than the dummies is not known to be.
        let fast =
            HandoffReport { span: Span::from_millis(1), window: Span::from_millis(1), ..report };
        assert_eq!(probing.rate(&fast), Some(2500.0));
        for other in [
            HandoffReport { path: PathId::FIRST, ..report },
            HandoffReport { probe: 6, ..report },
            HandoffReport { highest: 100, ..report },
            HandoffReport { received: 101, bytes: 101, ..report },
            HandoffReport { bytes: 25 * 500 + 1, ..report },
            HandoffReport { received: 0, bytes: 0, ..report },
        ] {
            assert_eq!(probing.rate(&other), None, "{other:?}");
        }
    }

    #[test]
    fn dummies_are_capped_whatever_is_asked_for() {
        let probing = Probing::new(ms(0), Plan { rate: 1e9, ..plan(None) });
        assert_eq!((probing.dummies, probing.gap), (MOST_DUMMIES, Span::from_micros(50)));
        for rate in [0.0, -1.0, f64::NAN, 1e-9] {
            let slow = Probing::new(ms(0), Plan { rate, ..plan(None) });
            assert_eq!(slow.dummies, 1, "{rate}");
        }
    }
}
