//! What the receiver says of its own wireless link, and how far it is believed.
//!
//! p_w and d_w of a receiver travel in ACKs (ATL paper, sec. IV-A, cases 2 and 3). They are claims: who makes
//! them gains from a large p_w and d_w, since both raise T_hat. Each check has its reason:
//! - p_w is at most the loss that the sender sees and cannot put down to its own link: more was not lost.
//! - d_w is at most half the least round-trip time since the last handoff, less the own link's delay: no
//!   packet was faster than the links that it crossed. Without checks R/2 is the bound, queueing included.
//! - p_w is at most what the [evidence](super::evidence) supports.
//! - The claimed p_w raises alpha by `claim-gain` at most, and the claimed d_w by as much again: delays below the
//!   bound cannot be told from true ones, and a receiver that holds back ACKs at random blurs the evidence. A
//!   liar whose p_w the evidence refutes has the second factor only.
//! - A claim ages, and handoffs that come faster than the window fills do not empty it.

use super::super::{End, Handoff};
use super::evidence::Evidence;
use crate::measure::{RttConfig, RttEstimator};
use crate::path::{LinkReport, MAX_LOSS};
use crate::time::{Span, Time};
use crate::units::Probability;

/// A claim counts for at least so many SRTT, whatever its age.
const LEAST_AGE_SRTTS: u64 = 8;

/// What a claim is held against.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Seen {
    /// p, or the part of it that the sender's own link has not explained yet together with that part.
    pub loss: Probability,
    /// SRTT.
    pub rtt: Span,
    /// Least round-trip time since the last handoff.
    pub rtt_min: Span,
    /// The sender's own link.
    pub own: LinkReport,
}

/// The receiver's last report, and what the sender has to judge it by.
#[derive(Clone, Debug)]
pub(crate) struct Claims {
    check: bool,
    evidence: Option<Evidence>,
    age: Option<Span>,
    last: Option<(Time, LinkReport)>,
}

impl Claims {
    /// No claim yet. `check` bounds what is claimed by what is measured, `evidence` by the losses on short queues
    /// too; a claim counts for `age` seconds.
    pub(crate) fn new(check: bool, evidence: bool, age: Option<f64>) -> Self {
        Claims {
            check,
            evidence: (check && evidence).then(Evidence::new),
            age: age.map(Span::from_secs_f64),
            last: None,
        }
    }

    pub(crate) fn on_report(&mut self, now: Time, report: &LinkReport) {
        self.last = Some((now, *report));
    }

    /// A host uses another network: what is known of its link and of the RTT follows. The window of outcomes holds
    /// `seen` packets, and `enough` are to be seen of a new path. True where that window begins anew.
    ///
    /// Only what was measured is believed of the RTT over a path that the receiver tells of, so that it is unknown until
    /// a packet has crossed it. A receiver that tells of handoffs all the time must not keep the window from showing
    /// its losses.
    pub(crate) fn on_handoff(
        &mut self,
        handoff: &Handoff,
        own: &mut Option<LinkReport>,
        rtt: &mut RttEstimator,
        (seen, enough): (u64, u32),
    ) -> bool {
        let moved = |loss: Option<Probability>| LinkReport {
            loss: loss.unwrap_or(Probability::ZERO),
            delay: handoff.new_delay,
        };
        match handoff.end {
            End::Own => {
                *own = Some(moved(own.map(|link| link.loss)));
                rtt.shift(handoff.old_delay, handoff.new_delay);
                self.restart();
                true
            }
            End::Peer => {
                self.last = Some((handoff.now, moved(self.last.map(|(_, claim)| claim.loss))));
                let anew = !self.check || seen >= u64::from(enough);
                if anew {
                    *rtt = RttEstimator::new(RttConfig::default());
                }
                anew
            }
        }
    }

    /// Buckets that the evidence takes.
    pub(crate) fn buckets(&self) -> usize {
        self.evidence.as_ref().map_or(0, Evidence::buckets)
    }

    /// The span that the evidence looks back over at least.
    pub(crate) fn set_span(&mut self, span: Span) {
        if let Some(evidence) = self.evidence() {
            evidence.set_span(span);
        }
    }

    /// What was seen is of another path.
    pub(crate) fn restart(&mut self) {
        if let Some(evidence) = &mut self.evidence {
            evidence.restart();
        }
    }

    /// The evidence, while there are claims to hold against it.
    #[inline]
    pub(crate) fn evidence(&mut self) -> Option<&mut Evidence> {
        self.evidence.as_mut().filter(|_| self.last.is_some())
    }

    /// The receiver's link as far as it is believed.
    pub(crate) fn believed(&mut self, now: Time, seen: &Seen) -> LinkReport {
        let Some((at, claim)) = self.last else {
            return LinkReport::NONE;
        };
        let least = seen.rtt * LEAST_AGE_SRTTS;
        if self.age.is_some_and(|age| now.since(at) > age.max(least)) {
            return LinkReport::NONE;
        }
        let through = 1.0 - seen.own.loss.get().min(MAX_LOSS);
        let mut loss = Probability::clamped((seen.loss.get() - seen.own.loss.get()) / through);
        let mut rtt = seen.rtt;
        if self.check {
            rtt = rtt.min(seen.rtt_min);
            if let Some(evidence) = &mut self.evidence {
                let most = evidence.most(now);
                loss = if most < loss { most } else { loss };
            }
        }
        LinkReport {
            loss: if claim.loss > loss { loss } else { claim.loss },
            delay: claim.delay.min((rtt / 2).saturating_sub(seen.own.delay)),
        }
    }
}
