//! Labels: the cause of each loss.
//!
//! - A packet that the sender's own MAC marked as failed was lost on the wireless link, by its
//!   number.
//! - A wireless link that reports only its share of losses (the receiver's, or the sender's own if
//!   its MAC marks no packets) gives no numbers. Each packet sent earns that share of a loss, and a
//!   lost packet is attributed to the link while an earned loss is left. The rest is congestion: on
//!   average `pi - omega (...)` of the ARC paper's eq. 16, without the difference of two noisy
//!   averages that it needs.
//!
//! The receiver's share is a claim: it expires, and the gain from it is bounded (see the
//! controller).

use super::Config;
use crate::path::{LinkReport, WirelessLoss};
use crate::rate::Lost;
use crate::time::{Span, Time};

/// Losses that can be earned ahead: enough for scatter around the mean, and not enough for a long
/// burst.
const MOST_EARNED: f64 = 8.0;

/// A claim is valid for at least this many round-trip times, whatever its age.
const LEAST_AGE_RTTS: u64 = 8;

/// The cause of a loss.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Label {
    /// The sender's own wireless link.
    Wireless,
    /// The receiver's wireless link, as it claims.
    Claimed,
    /// Congestion on the wired path.
    Congestion,
}

/// Losses that a link's share of the packets sent accounts for.
#[derive(Clone, Copy, Debug, Default)]
struct Earned {
    share: f64,
    losses: f64,
}

impl Earned {
    fn earn(&mut self, packets: u64) {
        self.losses = (self.losses + self.share * packets as f64).min(MOST_EARNED);
    }

    fn spend(&mut self) -> bool {
        let enough = self.losses >= 1.0;
        if enough {
            self.losses -= 1.0;
        }
        enough
    }

    fn forget(&mut self) {
        *self = Earned::default();
    }
}

/// Knowledge of the path's wireless links.
#[derive(Clone, Copy, Debug)]
pub(super) struct Labels {
    source: WirelessLoss,
    claim_age: Option<Span>,
    /// The MAC has marked a packet, and so shows which packets it loses.
    marked: bool,
    own: Earned,
    peer: Earned,
    claimed_at: Time,
    /// Packets below this number have earned their share.
    earned_to: u64,
}

impl Labels {
    pub(super) fn new(config: &Config) -> Self {
        Labels {
            source: config.wireless_loss,
            claim_age: config.claim_age.map(Span::from_secs_f64),
            marked: false,
            own: Earned::default(),
            peer: Earned::default(),
            claimed_at: Time::ZERO,
            earned_to: 0,
        }
    }

    pub(super) fn on_link_report(&mut self, report: &LinkReport) {
        self.own.share = report.loss.get();
    }

    pub(super) fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        self.peer.share = report.loss.get();
        self.claimed_at = now;
    }

    /// The cause of a packet's loss. Packets come in the order of their numbers.
    pub(super) fn label(&mut self, now: Time, lost: &Lost, rtt: Span) -> Label {
        let age = self.claim_age.map(|age| age.max(rtt * LEAST_AGE_RTTS));
        if age.is_some_and(|age| now.since(self.claimed_at) > age) {
            self.peer.forget();
        }
        if lost.link_failure && self.source != WirelessLoss::Report {
            self.marked = true;
            self.own.forget();
        }
        let packets = lost.seq.saturating_add(1).saturating_sub(self.earned_to);
        self.earned_to = self.earned_to.max(lost.seq.saturating_add(1));
        if !self.source.by_marks(self.marked) {
            self.own.earn(packets);
        }
        self.peer.earn(packets);
        if lost.marked {
            return Label::Congestion;
        }
        // Where marks count, what the report earned is forgotten.
        if lost.link_failure && self.source != WirelessLoss::Report || self.own.spend() {
            Label::Wireless
        } else if self.peer.spend() {
            Label::Claimed
        } else {
            Label::Congestion
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::units::Probability;

    fn lost(seq: u64, link_failure: bool) -> Lost {
        Lost::new(seq, Time::ZERO).link_failure(link_failure)
    }

    fn report(loss: f64) -> LinkReport {
        LinkReport { loss: Probability::clamped(loss), delay: Span::ZERO }
    }

    fn label(labels: &mut Labels, lost: &Lost) -> Label {
        labels.label(Time::ZERO, lost, Span::from_millis(100))
    }

    #[test]
    fn a_mark_is_certain_and_ends_the_guessing() {
        let mut labels = Labels::new(&Config::default());
        labels.on_link_report(&report(0.5));
        assert_eq!(label(&mut labels, &lost(9, false)), Label::Wireless);
        assert_eq!(label(&mut labels, &lost(19, true)), Label::Wireless);
        labels.on_link_report(&report(0.5));
        assert_eq!(label(&mut labels, &lost(29, false)), Label::Congestion);
    }

    #[test]
    fn a_share_explains_as_many_losses_as_it_has_earned() {
        let mut labels = Labels::new(&Config::default());
        labels.on_peer_report(Time::ZERO, &report(0.01));
        // A loss in 100 packets is the link's, the second one within them is not.
        assert_eq!(label(&mut labels, &lost(49, false)), Label::Congestion);
        assert_eq!(label(&mut labels, &lost(99, false)), Label::Claimed);
        assert_eq!(label(&mut labels, &lost(100, false)), Label::Congestion);
        assert_eq!(label(&mut labels, &lost(199, false)), Label::Claimed);
        // At most eight losses are earned ahead.
        let burst = (0..20).map(|i| label(&mut labels, &lost(100_000 + i, false)));
        assert_eq!(burst.filter(|&label| label == Label::Claimed).count(), 8);
    }

    #[test]
    fn a_claim_ages() {
        let mut labels = Labels::new(&Config::default());
        labels.on_peer_report(Time::ZERO, &report(0.5));
        let late = Time::ZERO + Span::from_secs(11);
        let found = labels.label(late, &lost(1000, false), Span::from_millis(100));
        assert_eq!((found, labels.peer.share > 0.0), (Label::Congestion, false));
        // A long round trip keeps it alive: the next claim is on its way.
        labels.on_peer_report(Time::ZERO, &report(0.5));
        let found = labels.label(late, &lost(2000, false), Span::from_secs(2));
        assert_eq!(found, Label::Claimed);
    }

    #[test]
    fn only_marks_or_only_the_report_count_where_it_is_said_so() {
        let config = |wireless_loss| Config { wireless_loss, ..Config::default() };
        let mut labels = Labels::new(&config(WirelessLoss::Marks));
        labels.on_link_report(&report(0.5));
        assert_eq!(label(&mut labels, &lost(99, false)), Label::Congestion);
        let mut labels = Labels::new(&config(WirelessLoss::Report));
        assert_eq!(label(&mut labels, &lost(0, true)), Label::Congestion);
        labels.on_link_report(&report(0.5));
        assert_eq!(label(&mut labels, &lost(99, true)), Label::Wireless);
    }
}
