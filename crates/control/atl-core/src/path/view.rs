//! The knowledge of a path that adaptive controllers keep: TCP-ATL and RCP-ATL share it.
//!
//! The view takes in the outcomes of packets, round-trip times, link reports, the receiver's claims
//! and handoffs, and gives a [`PathSplit`] of the path in use. The controller decides what to do
//! with it.
//!
//! - Before the first loss there is no split: a controller runs with TCP's parameters until then.
//! - At a handoff outcomes and round-trip times of packets sent before it are ignored. The wired
//!   path is still the one that was measured: until the new window holds
//!   [`restart_packets`](ViewRules::restart_packets), p_c is held, p_w comes from the new link's
//!   report and p from the ATL paper's eq. 2. (A window of a few packets would put p_c at its floor
//!   1/(n+1), far too high, and alpha near zero.)
//! - A handoff of the sender's own moves SRTT by 2 (d_new - d_old). After one of the receiver SRTT
//!   is measured anew: for a link that only the receiver knows, the sender trusts nothing but
//!   measurements.

use super::claims::{Claims, Measured};
use super::{End, Handoff, LinkReport, PathSplit, SplitRules, WirelessLoss};
use crate::measure::{Counts, OutcomeWindow, RttConfig, RttEstimator};
use crate::time::{Span, Time};
use crate::units::Probability;

/// Parameters of a [`PathView`].
#[derive(Clone, Copy, Debug)]
pub(crate) struct ViewRules {
    /// The loss window holds at least this many packets.
    pub(crate) window_packets: u32,
    /// Packets after a handoff until the new window's own p_c is used.
    pub(crate) restart_packets: u32,
    /// p_c is at least 1/max(n, this) for n packets in the window; `None`: 1/(n+1).
    pub(crate) floor_packets: Option<u32>,
    /// Source of the p_w of the sender's own link.
    pub(crate) wireless_loss: WirelessLoss,
    /// Losses that the sender's own MAC marked do not count in p.
    pub(crate) spare_marked: bool,
    /// Floor of R_c in seconds.
    pub(crate) rtt_floor: f64,
    /// The receiver's claims are bounded by what the sender measures.
    pub(crate) check_claims: bool,
    /// The claimed p_w raises alpha by this factor at most, and the claimed d_w by the same factor
    /// again.
    pub(crate) claim_gain: f64,
    /// Claims are compared with the queue lengths at which losses come.
    pub(crate) claim_evidence: bool,
    /// Seconds for which a claim is valid; `None`: until the next one.
    pub(crate) claim_age: Option<f64>,
}

/// The path in use at a time.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Estimate {
    /// The split into a wireless and a congestion part.
    pub(crate) split: PathSplit,
    parts: Parts,
}

/// The inputs of a split: measured, reported and believed.
#[derive(Clone, Copy, Debug)]
struct Parts {
    /// p, the end-to-end loss.
    loss: Probability,
    /// R, the end-to-end round-trip time.
    rtt: Span,
    /// The link at the sender's end.
    own: LinkReport,
    /// The link at the receiver's end, as far as it is believed.
    peer: LinkReport,
    /// Limits on the trust in measured values.
    rules: SplitRules,
    /// p_c held over a handoff.
    held: Option<Probability>,
    /// Share of the losses that may be due to the receiver's link.
    share: f64,
}

impl Parts {
    fn split(&self) -> PathSplit {
        let split = PathSplit::new(self.loss, self.rtt, self.own.and(self.peer), self.rules);
        match self.held {
            None => split,
            Some(p_c) => {
                PathSplit::from_parts(p_c, split.congestion_rtt, split.rtt, split.wireless)
            }
        }
    }
}

/// Knowledge of the path in use. Packets are named by numbers that count up from 0 in the order of
/// sending.
#[derive(Clone, Debug)]
pub(crate) struct PathView {
    rules: ViewRules,
    /// SRTT of the path in use. The caller's own may lag behind a handoff.
    rtt: RttEstimator,
    outcomes: OutcomeWindow,
    link: Option<LinkReport>,
    claims: Claims,
    /// The sender's MAC has marked a packet.
    marked: bool,
    /// A packet was lost.
    lost: bool,
    next: u64,
    /// First packet on the path in use.
    first: u64,
    /// The last p_c from a window that was long enough to measure it.
    congestion_loss: Option<Probability>,
    /// The path has changed, and no report of its links has arrived since.
    report_due: bool,
}

impl PathView {
    /// A view without any knowledge.
    pub(crate) fn new(rules: ViewRules) -> Self {
        PathView {
            rtt: RttEstimator::new(RttConfig::default()),
            outcomes: OutcomeWindow::new(Span::ZERO, rules.window_packets),
            link: None,
            claims: Claims::new(rules.check_claims, rules.claim_evidence, rules.claim_age),
            marked: false,
            lost: false,
            next: 0,
            first: 0,
            congestion_loss: None,
            report_due: false,
            rules,
        }
    }

    /// SRTT of the path in use, once it is measured.
    #[inline]
    pub(crate) fn srtt(&self) -> Option<Span> {
        self.rtt.srtt()
    }

    /// Least round-trip time of the path in use, once one is measured.
    #[inline]
    pub(crate) fn rtt_min(&self) -> Option<Span> {
        self.rtt.min()
    }

    /// Number of the next packet.
    #[inline]
    pub(crate) fn next(&self) -> u64 {
        self.next
    }

    /// True once the sender's MAC has marked a packet as failed.
    pub(crate) fn is_marked(&self) -> bool {
        self.marked
    }

    /// Buckets in use, for the memory that the view takes.
    pub(crate) fn buckets(&self) -> usize {
        self.outcomes.buckets()
    }

    /// Notes that a packet was sent.
    #[inline]
    pub(crate) fn on_sent(&mut self, number: u64) {
        self.next = number.saturating_add(1);
    }

    /// True for a packet that was sent over the path in use.
    #[inline]
    pub(crate) fn is_current(&self, number: u64) -> bool {
        number >= self.first
    }

    /// True if feedback whose newest packet is `newest` belongs to the path in use.
    #[inline]
    pub(crate) fn is_fresh(&self, newest: Option<u64>) -> bool {
        newest.map_or(self.first == 0, |number| self.is_current(number))
    }

    /// Notes that a packet was lost, on this path or before.
    pub(crate) fn on_loss(&mut self) {
        self.lost = true;
    }

    /// Counts outcomes of packets on the path in use.
    #[inline]
    pub(crate) fn record(&mut self, now: Time, counts: Counts) {
        self.marked |= counts.link_failures > 0;
        self.outcomes.record(now, counts);
    }

    /// Takes in one of about `samples` round-trip times that the path in use gives per RTT.
    #[inline]
    pub(crate) fn on_rtt(&mut self, rtt: Span, samples: u32) {
        self.rtt.on_one_sample_of(rtt, samples);
    }

    /// Takes in evidence to hold claims against, while there are any: a packet came through in
    /// `rtt`.
    #[inline]
    pub(crate) fn on_evidence(&mut self, now: Time, rtt: Span) {
        let least = self.rtt.min().unwrap_or(rtt);
        if let Some(evidence) = self.claims.evidence() {
            evidence.on_rtt(now, rtt, least);
        }
    }

    /// Takes in evidence: losses in one ACK that the sender's own link did not mark.
    pub(crate) fn on_evident_loss(&mut self) {
        if let Some(evidence) = self.claims.evidence() {
            evidence.on_loss();
        }
    }

    /// Takes in the sender's own link report. True if the controller waits for this report to
    /// compute its parameters.
    pub(crate) fn on_link_report(&mut self, report: &LinkReport) -> bool {
        self.link = Some(*report);
        core::mem::take(&mut self.report_due)
    }

    /// Takes in the receiver's link report. True as for [`on_link_report`](Self::on_link_report).
    pub(crate) fn on_peer_report(&mut self, now: Time, report: &LinkReport) -> bool {
        self.claims.on_report(now, report);
        core::mem::take(&mut self.report_due)
    }

    /// Takes in a handoff of either end. True if the window of outcomes begins anew: a receiver
    /// that reports handoffs all the time must not keep that window from showing its losses.
    pub(crate) fn on_handoff(&mut self, handoff: &Handoff) -> bool {
        let anew = match handoff.end {
            End::Own => {
                let loss = self.link.map_or(Probability::ZERO, |link| link.loss);
                self.link = Some(LinkReport { loss, delay: handoff.new_delay });
                self.rtt.shift(handoff.old_delay, handoff.new_delay);
                self.claims.restart();
                true
            }
            End::Peer => {
                self.claims.on_handoff(handoff.now, handoff.new_delay);
                let seen = self.outcomes.counts(handoff.now).packets();
                let anew = !self.rules.check_claims || seen >= self.restart_packets();
                if anew {
                    self.rtt = RttEstimator::new(RttConfig::default());
                }
                anew
            }
        };
        if anew {
            self.outcomes.restart();
            self.first = self.next;
            self.report_due = true;
        }
        anew
    }

    fn restart_packets(&self) -> u64 {
        self.rules.restart_packets.into()
    }

    /// The path at `now`: R is `rtt`, and the loss window looks back over `span` if that is more
    /// than its least number of packets.
    ///
    /// `None` before the first loss, and after a handoff that came before p_c was known.
    pub(crate) fn estimate(&mut self, now: Time, rtt: Span, span: Span) -> Option<Estimate> {
        self.outcomes.set_span(span);
        let counts = self.outcomes.counts(now);
        if !self.lost {
            return None;
        }
        let parts = self.parts(now, rtt, self.counted(counts))?;
        let split = parts.split();
        self.congestion_loss = Some(split.congestion_loss);
        Some(Estimate { split, parts })
    }

    /// The counts, without losses that are spared ([`ViewRules::spare_marked`]).
    fn counted(&self, counts: Counts) -> Counts {
        if self.rules.spare_marked {
            Counts { lost: counts.lost - counts.link_failures, link_failures: 0, ..counts }
        } else {
            counts
        }
    }

    fn parts(&mut self, now: Time, rtt: Span, counts: Counts) -> Option<Parts> {
        let n = counts.packets();
        let full = self.first == 0 || n >= self.restart_packets();
        let (own, loss, held) = if full {
            (self.own_link(&counts), counts.loss(), None)
        } else {
            // The window is too short to judge the new link. Its report is used instead.
            let p_c = self.congestion_loss?;
            let mut own = self.link.unwrap_or(LinkReport::NONE);
            if self.rules.spare_marked {
                own.loss = Probability::ZERO;
            }
            let loss = own.and(LinkReport { loss: p_c, delay: Span::ZERO }).loss;
            (own, loss, Some(p_c))
        };
        let rtt_min = self.rtt.min().unwrap_or(rtt);
        let peer = self.claims.believed(now, &Measured { loss, rtt, rtt_min, own });
        // The split's floor of p_c is 1/(packets + 1).
        let packets = match self.rules.floor_packets {
            None => n,
            Some(least) => n.max(least.into()).saturating_sub(1),
        };
        let rules = SplitRules {
            packets: full.then_some(packets),
            rtt_floor: Span::from_secs_f64(self.rules.rtt_floor),
        };
        Some(Parts { loss, rtt, own, peer, rules, held, share: self.claims.share() })
    }

    /// The sender's own link, with p_w from the chosen source.
    fn own_link(&self, counts: &Counts) -> LinkReport {
        let Some(report) = self.link else {
            return LinkReport::NONE;
        };
        if self.rules.wireless_loss.by_marks(self.marked) {
            LinkReport { loss: counts.link_loss(), ..report }
        } else {
            report
        }
    }

    /// The largest alpha that the receiver's claims may give; `None` if they do not bound it.
    /// `alpha` gives the alpha of a split at the beta in force.
    ///
    /// The gain from d_w is raised to the power of the losses' share that may be the link's: all of
    /// it where losses come at any queue length, none of it where they come with full queues.
    ///
    /// The bound is on alpha and not on T_hat: the floor of p_c raises p too where a claim explains
    /// most losses, and alpha with it.
    pub(crate) fn alpha_bound(
        &self,
        estimate: &Estimate,
        alpha: impl Fn(PathSplit) -> Option<f64>,
    ) -> Option<f64> {
        let parts = estimate.parts;
        if !self.rules.check_claims || parts.peer.is_none() {
            return None;
        }
        let alpha = |peer| alpha(Parts { peer, ..parts }.split());
        let without = alpha(LinkReport::NONE)?;
        let by_loss = alpha(LinkReport { delay: Span::ZERO, ..parts.peer })?;
        let gain = self.rules.claim_gain.max(1.0);
        let delay_gain = libm::pow(gain, parts.share);
        Some(delay_gain * by_loss.min(gain * without))
    }
}

#[cfg(test)]
mod tests;
