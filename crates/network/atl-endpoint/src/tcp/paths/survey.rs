//! A survey under way on a path that the sender may move to. What its packets measure is
//! `atl_core::probe::Survey`'s business.

use atl_core::path::PathId;
use atl_core::probe::{Plan, Survey};
use atl_core::time::{Span, Time};

/// Probes of a survey are numbered from here, apart from those of controllers.
pub(in crate::tcp) const FIRST_NUMBER: u32 = 1 << 31;

/// See [the module](self).
#[derive(Debug)]
pub(in crate::tcp) struct Underway {
    pub(in crate::tcp) path: PathId,
    pub(in crate::tcp) survey: Survey,
    /// Number of its first packet.
    first: u32,
    /// Number of its first dummy.
    first_dummy: Option<u32>,
    /// Dummy ACKs release data packets.
    releases: bool,
    /// Data packets that dummy ACKs have released and that are not sent yet.
    pub(in crate::tcp) credits: u32,
    /// The first dummy's ACK is due by now, if it comes.
    pub(in crate::tcp) answerable: Time,
}

impl Underway {
    /// A survey whose packets are numbered from `first` on.
    pub(in crate::tcp) fn new(
        now: Time,
        path: PathId,
        plan: Plan,
        first: u32,
        releases: bool,
    ) -> Self {
        Underway {
            path,
            survey: Survey::new(now, plan),
            first,
            first_dummy: None,
            releases,
            credits: 0,
            answerable: Time::MAX,
        }
    }

    /// A dummy with this number is sent. While the path's RTT is not known, `rtt` is that of the
    /// current one.
    pub(in crate::tcp) fn on_dummy(&mut self, now: Time, number: u32, rtt: Option<Span>) {
        if self.first_dummy.is_none() {
            self.first_dummy = Some(number);
            let rtt = self.survey.found(now).rtt.or(rtt).unwrap_or_default();
            self.answerable = now.saturating_add(rtt);
        }
    }

    /// The packet with this number was answered after having been sent at `sent_at`; `next` is the
    /// next packet's number. False if it was not one of the survey's.
    pub(in crate::tcp) fn on_answer(
        &mut self,
        now: Time,
        (number, sent_at): (u32, Time),
        next: u32,
    ) -> bool {
        let first = self.first;
        let age = |number: u32| number.wrapping_sub(first) & (FIRST_NUMBER - 1);
        if age(number) >= age(next) || sent_at > now {
            return false;
        }
        let rtt = now.since(sent_at);
        if self.first_dummy.is_some_and(|first| age(number) >= age(first)) {
            let counts = self.survey.on_dummy_ack(now, rtt);
            self.credits += u32::from(counts && self.releases);
        } else {
            self.survey.on_challenge_ack(now, rtt);
        }
        true
    }
}
