//! The receiver's claims about its own wireless link, and the sender's checks of them.
//!
//! p_w and d_w of a receiver travel in ACKs (ATL paper, sec. IV-A, cases 2 and 3). They are claims,
//! and a receiver gains from large ones, since both raise T_hat. Each check has its reason:
//! - p_w is at most the loss that the sender sees and its own link does not explain: no more was
//!   lost.
//! - d_w is at most half the least round-trip time since the last handoff, less the own link's
//!   delay: no packet was faster than the links that it crossed. Without checks the bound is R/2,
//!   queueing included.
//! - p_w is at most the share of that loss that the [evidence](super::evidence) leaves to the link.
//! - The claimed p_w raises alpha by `claim-gain` at most, and the claimed d_w by the same factor
//!   again, raised to the power of that share. A delay below the bound looks like a true one, and a
//!   short wireless link before a long wire can claim nearly all of the path: so a claimed delay is
//!   believed as far as the path does not lose packets in queues. A receiver that holds back ACKs
//!   at random blurs the evidence, and is left with the two factors.
//! - A claim expires. Handoffs that come faster than the window fills do not empty the window.

use super::evidence::Evidence;
use super::{LinkReport, MAX_LOSS};
use crate::time::{Span, Time};
use crate::units::Probability;

/// A claim is valid for at least this many SRTT, whatever its age.
const LEAST_AGE_SRTTS: u64 = 8;

/// Checks the two parameters that all controllers with claims share.
///
/// # Errors
/// The allowed range of the first parameter that is out of range.
pub(crate) fn check_claims(gain: f64, age: Option<f64>) -> Result<(), &'static str> {
    if !(gain >= 1.0 && gain.is_finite()) {
        return Err("claim-gain must be at least 1");
    }
    if !age.is_none_or(|age| age > 0.0 && age.is_finite()) {
        return Err("claim-age must be a time in seconds greater than zero");
    }
    Ok(())
}

/// The sender's own knowledge, to check a claim against.
#[derive(Clone, Copy, Debug)]
pub(super) struct Measured {
    /// p, or the part of it that the sender's own link has not explained yet together with that
    /// part.
    pub(super) loss: Probability,
    /// SRTT of the path in use.
    pub(super) rtt: Span,
    /// Least round-trip time since the last handoff.
    pub(super) rtt_min: Span,
    /// The sender's own link.
    pub(super) own: LinkReport,
}

/// The receiver's last report, with the sender's evidence about it.
#[derive(Clone, Debug)]
pub(super) struct Claims {
    check: bool,
    evidence: Option<Evidence>,
    age: Option<Span>,
    last: Option<(Time, LinkReport)>,
}

impl Claims {
    /// No claim yet. `check` bounds claims by measurements, `evidence` also by the losses on short
    /// queues; a claim is valid for `age` seconds.
    pub(super) fn new(check: bool, evidence: bool, age: Option<f64>) -> Self {
        Claims {
            check,
            evidence: (check && evidence).then(Evidence::new),
            age: age.map(Span::from_secs_f64),
            last: None,
        }
    }

    pub(super) fn on_report(&mut self, now: Time, report: &LinkReport) {
        self.last = Some((now, *report));
    }

    /// The receiver moved to a network whose link has this delay. The loss last claimed stays in
    /// force.
    pub(super) fn on_handoff(&mut self, now: Time, delay: Span) {
        let loss = self.last.map_or(Probability::ZERO, |(_, claim)| claim.loss);
        self.last = Some((now, LinkReport { loss, delay }));
    }

    /// The path changed: earlier evidence does not apply to it.
    pub(super) fn restart(&mut self) {
        if let Some(evidence) = &mut self.evidence {
            evidence.restart();
        }
    }

    /// The evidence, while there are claims to check against it.
    #[inline]
    pub(super) fn evidence(&mut self) -> Option<&mut Evidence> {
        self.evidence.as_mut().filter(|_| self.last.is_some())
    }

    /// Share of the losses that the evidence leaves to the receiver's link; 1 without evidence.
    pub(super) fn share(&self) -> f64 {
        self.evidence.as_ref().map_or(1.0, Evidence::share)
    }

    /// The receiver's link, with the claims reduced to what the checks allow.
    pub(super) fn believed(&self, now: Time, measured: &Measured) -> LinkReport {
        let Some((at, claim)) = self.last else {
            return LinkReport::NONE;
        };
        let least = measured.rtt * LEAST_AGE_SRTTS;
        if self.age.is_some_and(|age| now.since(at) > age.max(least)) {
            return LinkReport::NONE;
        }
        let Measured { own, .. } = measured;
        let through = 1.0 - own.loss.get().min(MAX_LOSS);
        let mut loss = Probability::clamped((measured.loss.get() - own.loss.get()) / through);
        let mut rtt = measured.rtt;
        if self.check {
            rtt = rtt.min(measured.rtt_min);
            loss = Probability::clamped(self.share() * loss.get());
        }
        LinkReport {
            loss: if claim.loss > loss { loss } else { claim.loss },
            delay: claim.delay.min((rtt / 2).saturating_sub(own.delay)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ms(ms: u64) -> Span {
        Span::from_millis(ms)
    }

    fn link(loss: f64, delay: Span) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay }
    }

    /// A receiver that claims every loss and ten seconds of delay.
    fn claiming(check: bool, evidence: bool) -> Claims {
        let mut claims = Claims::new(check, evidence, None);
        claims.on_report(Time::ZERO, &link(1.0, Span::from_secs(10)));
        claims
    }

    /// p_w and d_w as believed on a path that loses 5 % in round trips of 160 to 200 ms, with this
    /// link of the sender's own.
    fn believed(claims: &Claims, own: LinkReport) -> (f64, Span) {
        let loss = Probability::clamped(0.05);
        let measured = Measured { loss, rtt: ms(200), rtt_min: ms(160), own };
        let LinkReport { loss, delay } = claims.believed(Time::ZERO, &measured);
        (loss.get(), delay)
    }

    fn near(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found}, not {expected}");
    }

    /// This many losses on full queues, of which each round of packets has found one.
    fn fill_queues(claims: &mut Claims, losses: u32) {
        let evidence = claims.evidence().expect("a claim to check");
        let mut now = Time::ZERO;
        for _ in 0..losses {
            for rtt in (100..200).step_by(2) {
                now += ms(1);
                evidence.on_rtt(now, ms(rtt), ms(100));
            }
            evidence.on_loss();
        }
    }

    #[test]
    fn what_the_own_link_loses_is_not_the_receivers() {
        for check in [true, false] {
            let claims = claiming(check, true);
            near(believed(&claims, LinkReport::NONE).0, 0.05);
            // ATL paper, eq. 14: 1 - (1 - 0.02)(1 - p_w) = 0.05.
            near(believed(&claims, link(0.02, Span::ZERO)).0, 0.03 / 0.98);
            near(believed(&claims, link(0.05, Span::ZERO)).0, 0.0);
            near(believed(&claims, link(0.06, Span::ZERO)).0, 0.0);
        }
    }

    #[test]
    fn what_the_own_link_delays_is_not_the_receivers() {
        // Half the least round-trip time, or half of SRTT without checks, less the own delay.
        for (check, half) in [(true, 80), (false, 100)] {
            let claims = claiming(check, true);
            assert_eq!(believed(&claims, LinkReport::NONE).1, ms(half));
            assert_eq!(believed(&claims, link(0.0, ms(30))).1, ms(half - 30));
            assert_eq!(believed(&claims, link(0.0, ms(half))).1, Span::ZERO);
            assert_eq!(believed(&claims, link(0.0, ms(half + 10))).1, Span::ZERO);
        }
    }

    #[test]
    fn a_claim_below_its_bounds_is_taken_as_it_is() {
        let mut claims = Claims::new(true, true, None);
        claims.on_report(Time::ZERO, &link(0.01, ms(20)));
        let (loss, delay) = believed(&claims, link(0.02, ms(30)));
        near(loss, 0.01);
        assert_eq!(delay, ms(20));
    }

    #[test]
    fn a_claimed_loss_is_held_against_the_evidence() {
        let mut claims = claiming(true, true);
        fill_queues(&mut claims, 16);
        let share = claims.share();
        assert!((0.3..0.7).contains(&share), "{share}");
        near(believed(&claims, LinkReport::NONE).0, share * 0.05);
        // Losses of the sender's own link explain part of the evidence, and leave less for the
        // claim.
        near(believed(&claims, link(0.02, Span::ZERO)).0, share * 0.03 / 0.98);
        // The power of the share bounds the gain from the delay, not the delay itself.
        assert_eq!(believed(&claims, LinkReport::NONE).1, ms(80));
    }

    #[test]
    fn evidence_of_one_path_is_not_held_against_claims_on_the_next() {
        let mut claims = claiming(true, true);
        fill_queues(&mut claims, 100);
        assert!(believed(&claims, LinkReport::NONE).0 < 0.004);
        claims.restart();
        near(claims.share(), 1.0);
        near(believed(&claims, LinkReport::NONE).0, 0.05);
    }

    #[test]
    fn evidence_is_taken_only_of_claims_that_it_checks() {
        assert!(Claims::new(true, true, None).evidence().is_none(), "nothing is claimed");
        for mut claims in [claiming(true, false), claiming(false, true), claiming(false, false)] {
            assert!(claims.evidence().is_none());
            near(believed(&claims, LinkReport::NONE).0, 0.05);
        }
    }

    #[test]
    fn a_handoff_that_the_receiver_claims_changes_the_delay_and_keeps_loss_and_evidence() {
        let mut claims = claiming(true, true);
        fill_queues(&mut claims, 16);
        let before = believed(&claims, LinkReport::NONE).0;
        assert!(before < 0.04);
        claims.on_handoff(Time::ZERO, ms(5));
        let (loss, delay) = believed(&claims, LinkReport::NONE);
        near(loss, before);
        assert_eq!(delay, ms(5));
    }
}
