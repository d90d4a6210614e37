//! TCP-ATL: AIMD whose alpha and beta follow the wireless link.
//!
//! Source: Akan and Akyildiz, ATL (2004), sec. III-B and IV-A, Fig. 4; equations in [`crate::model`], the
//! split of the path in [`crate::path`].
//!
//! Left open by the source, and chosen (the numbers are those of the project's TCP-ATL rules):
//! - (2) p and p_w count transmissions, over the longer of 10 SRTT and the last 50 packets.
//! - (3) p_w is the share of packets that the sender's own MAC marked as failed, where it marks any: measured
//!   over the same packets as p, so that p_c is not negative. Otherwise it is the link report's loss. See
//!   [`WirelessLoss`].
//! - (4) T_hat is at most the access link's rate, where it is known.
//! - (5) A packet acknowledged adds min(alpha/cwnd, 1); alpha has no other bound, above or below.
//! - (6) R is SRTT with its queueing, R_c = R - 2 d_w with a floor, T_0 = 4 R, T_0c = 4 R_c.
//! - (7) beta once a loss event, wireless ones included; ssthresh = beta cwnd and cwnd = 1 at an RTO.
//! - (8) (1, 0.5) until the first loss; then anew in each RTT, at each loss event and each handoff.
//! - At a handoff SRTT moves by 2 (d_new - d_old), and outcomes and round-trip times of packets sent before
//!   it are ignored. The wired path is still the one that was measured: until the new window holds
//!   `restart-packets` packets, p_c is held, p_w comes from the new link's report and p from eq. 2. (A window
//!   of a few packets would put p_c at its floor 1/(n+1), far too high, and alpha near zero.)
//! - No report, or p_w = d_w = 0: plain TCP, (1, 0.5). A link with d_w = 0 and p_w > 0 keeps beta = 0.5.
//! - At a handoff of the receiver, of which its ACKs tell, SRTT is not moved but measured anew.
//! - A receiver's report is a claim, which is checked and bounded: see the file `claims`.
//!
//! [`Config::robust`] is the variant that we would ship. It differs in these rules:
//! - Losses that the sender's own MAC marked do not shrink the window, and do not count in the p that eq. 9 is
//!   asked for: eq. 4 then holds for the losses that the window does react to. p_c, which is measured badly over
//!   a short window, all but cancels from alpha.
//! - Where nothing but congestion is left to react to, beta is 0.6.
//! - The window grows while the host repairs losses that it was spared: on a lossy link that is always.

pub(crate) mod claims;
mod config;
mod evidence;
pub(crate) mod parts;

pub use config::{Config, WirelessLoss};

use super::aimd::Window;
use super::{
    Ack, Aimd, Counting, Detection, End, Handoff, Loss, Quench, Sent, Start, Timeout,
    WindowController,
};
use crate::measure::{Counts, OutcomeWindow, RttConfig, RttEstimator};
use crate::model::{Adaptation, AtlInput, TcpModel};
use crate::path::{LinkReport, SplitRules};
use crate::time::{Span, Time};
use crate::units::Probability;

use claims::{Claims, Seen};
use parts::Parts;

/// A window under AIMD whose parameters follow the wireless link.
#[derive(Clone, Debug)]
pub struct TcpAtl {
    config: Config,
    input: AtlInput,
    rtt_floor: Span,
    window: Window,
    aimd: Aimd,
    adaptation: Option<Adaptation>,
    /// SRTT of the path in use; the host's own may lag behind a handoff.
    rtt: RttEstimator,
    outcomes: OutcomeWindow,
    link: Option<LinkReport>,
    claims: Claims,
    marked: bool,
    lost: bool,
    next_update: Time,
    next_tx: u64,
    /// First transmission on the path in use.
    first_tx: u64,
    /// First transmission after the last reduction: losses before it are the same event. Used where a host's
    /// episodes do not say when the window was reduced, because it spared one.
    reduced_tx: u64,
    /// A timeout found a loss that the MAC had not marked.
    unmarked_timeout: bool,
    /// The last p_c that a window was long enough to show.
    congestion_loss: Option<Probability>,
    report_due: bool,
}

impl TcpAtl {
    /// A window at the start of a connection.
    pub fn new(config: &Config, start: &Start) -> Self {
        let cap = start.access_rate.filter(|_| config.cap_at_access_rate);
        let b = match config.counting {
            Counting::Packets => 1.0,
            Counting::Acks => start.acked_per_ack,
        };
        TcpAtl {
            input: AtlInput {
                model: TcpModel { b, timeouts: config.timeouts },
                beta: config.beta,
                cap: cap.map(|rate| rate.packets_per_sec(start.packet_bytes.max(1))),
            },
            rtt_floor: Span::from_secs_f64(config.rtt_floor),
            window: Window::new(start),
            aimd: Aimd::TCP,
            adaptation: None,
            rtt: RttEstimator::new(RttConfig::default()),
            outcomes: OutcomeWindow::new(Span::ZERO, config.window_packets),
            link: None,
            claims: Claims::new(config.check_claims, config.claim_evidence, config.claim_age),
            marked: false,
            lost: false,
            next_update: Time::ZERO,
            next_tx: 0,
            first_tx: 0,
            reduced_tx: 0,
            unmarked_timeout: false,
            congestion_loss: None,
            report_due: false,
            config: config.clone(),
        }
    }

    /// SRTT of the path in use, once it is measured.
    pub fn srtt(&self) -> Option<Span> {
        self.rtt.srtt()
    }

    /// Buckets that the loss window takes, for the memory in use.
    pub fn buckets(&self) -> usize {
        self.outcomes.buckets() + self.claims.buckets()
    }

    fn collapse(&mut self, beta: f64, timeout: &Timeout) {
        self.window.collapse(beta, self.config.halving, timeout);
        self.reduced_tx = self.next_tx;
    }

    /// Configure_AIMD() of Fig. 4.
    fn update(&mut self, now: Time) {
        let Some(rtt) = self.rtt.srtt() else { return };
        self.next_update = now.saturating_add(rtt.max(Span::from_nanos(1)));
        let span = rtt.mul_f64(self.config.window_srtts);
        self.outcomes.set_span(span);
        self.claims.set_span(span);
        let counts = self.outcomes.counts(now);
        let counts = self.reacted_to(counts);
        let parts = if self.lost { self.parts(now, rtt, &counts) } else { None };
        let Some(parts) = parts else {
            self.adopt(None);
            return;
        };
        let split = parts.split();
        self.congestion_loss = Some(split.congestion_loss);
        let wireless = Some(split).filter(|s| !s.wireless.is_none());
        let spared = self.config.spare_marked && split.wireless.loss == Probability::ZERO;
        let beta = self.input.beta.or(self.config.spared_beta.filter(|_| spared));
        let input = AtlInput { beta, ..self.input };
        let adaptation = wireless.and_then(|s| input.tcp(s));
        self.adopt(adaptation.map(|a| self.bounded(&parts, a)));
    }

    fn adopt(&mut self, adaptation: Option<Adaptation>) {
        self.adaptation = adaptation;
        self.aimd = adaptation.map_or(Aimd::TCP, |a| a.aimd);
    }

    /// The counts, without the losses that the window is spared.
    fn reacted_to(&self, counts: Counts) -> Counts {
        if self.config.spare_marked {
            Counts { lost: counts.lost - counts.link_failures, link_failures: 0, ..counts }
        } else {
            counts
        }
    }

    /// What the path's split is made of; `None` after a handoff that came before p_c was known.
    fn parts(&mut self, now: Time, rtt: Span, counts: &Counts) -> Option<Parts> {
        let n = counts.packets();
        let full = self.first_tx == 0 || n >= u64::from(self.config.restart_packets);
        let (own, loss, held) = if full {
            (self.own_link(counts), counts.loss(), None)
        } else {
            // The window is too short to judge the new link by: its report does.
            let p_c = self.congestion_loss?;
            let mut own = self.link.unwrap_or(LinkReport::NONE);
            if self.config.spare_marked {
                own.loss = Probability::ZERO;
            }
            let loss = own.and(LinkReport { loss: p_c, delay: Span::ZERO }).loss;
            (own, loss, Some(p_c))
        };
        let rtt_min = self.rtt.min().unwrap_or(rtt);
        let peer = self.claims.believed(now, &Seen { loss, rtt, rtt_min, own });
        let packets = full.then_some(n);
        let rules = SplitRules { packets, rtt_floor: self.rtt_floor };
        Some(Parts { loss, rtt, own, peer, rules, held })
    }

    /// Holds what a claim gains to its bound.
    fn bounded(&self, parts: &Parts, claimed: Adaptation) -> Adaptation {
        if !self.config.check_claims {
            return claimed;
        }
        let input = AtlInput { beta: Some(claimed.aimd.beta), ..self.input };
        let alpha = |split| input.tcp(split).map(|a| a.aimd.alpha);
        parts.bounded(claimed, self.config.claim_gain, alpha)
    }

    /// The sender's own link, with p_w from the chosen source.
    fn own_link(&self, counts: &Counts) -> LinkReport {
        let Some(report) = self.link else {
            return LinkReport::NONE;
        };
        let marks = match self.config.wireless_loss {
            WirelessLoss::Auto => self.marked,
            WirelessLoss::Marks => true,
            WirelessLoss::Report => false,
        };
        if marks { LinkReport { loss: counts.link_loss(), ..report } } else { report }
    }

    /// True for a transmission that went over the path in use.
    fn is_current(&self, tx: u64) -> bool {
        tx >= self.first_tx
    }

    /// The path is another one from now on.
    fn restart(&mut self) {
        self.outcomes.restart();
        self.first_tx = self.next_tx;
        self.report_due = true;
    }

    /// True where a loss calls for a reduction of the window.
    fn reduces(&self, loss: &Loss) -> bool {
        if !self.config.spare_marked {
            return loss.new_episode;
        }
        loss.packets > loss.link_failures && loss.tx >= self.reduced_tx
    }
}

impl WindowController for TcpAtl {
    #[inline]
    fn on_sent(&mut self, sent: &Sent) {
        self.next_tx = sent.tx.saturating_add(1);
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        if ack.newest.map_or(self.first_tx == 0, |(tx, _)| self.is_current(tx)) {
            if ack.delivered > 0 {
                let delivered = u64::from(ack.delivered);
                self.outcomes.record(ack.now, Counts { delivered, ..Counts::default() });
            }
            if let Some(rtt) = ack.rtt {
                self.rtt.on_sample(rtt);
            }
            if let Some(evidence) = self.claims.evidence() {
                evidence.on_ack(ack.now, ack.delivered, ack.rtt);
            }
        }
        if ack.now >= self.next_update {
            self.update(ack.now);
        }
        if self.config.spare_marked && ack.in_recovery {
            // The host repairs losses. Those that the window was reduced for hold its growth, as in any
            // recovery; those that it was spared do not.
            if ack.newest.is_some_and(|(tx, _)| tx >= self.reduced_tx) {
                let spared = Ack { in_recovery: false, cumulative: ack.delivered, ..*ack };
                self.window.grow(&spared, self.config.counting, self.aimd.alpha);
            }
            return;
        }
        self.window.grow(ack, self.config.counting, self.aimd.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.lost = true;
        if self.is_current(loss.tx) {
            self.marked |= loss.link_failures > 0;
            let counts = Counts {
                delivered: 0,
                lost: u64::from(loss.packets),
                link_failures: u64::from(loss.link_failures),
            };
            self.outcomes.record(loss.now, counts);
            if loss.detection == Detection::Acks
                && let Some(evidence) = self.claims.evidence()
            {
                evidence.on_loss(loss.now, loss.packets.saturating_sub(loss.link_failures));
            }
        }
        if loss.detection == Detection::Timeout {
            self.unmarked_timeout |= loss.packets > loss.link_failures;
        }
        if self.reduces(loss) {
            self.update(loss.now);
            if loss.detection == Detection::Acks {
                self.window.reduce(self.aimd.beta, self.config.halving, loss);
                self.reduced_tx = self.next_tx;
            }
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.update(timeout.now);
        let unmarked = core::mem::take(&mut self.unmarked_timeout);
        let spared = self.config.spare_marked && self.marked && !unmarked;
        self.collapse(if spared { 1.0 } else { self.aimd.beta }, timeout);
    }

    /// No loss of the own link causes a quench: it is never spared.
    fn on_quench(&mut self, quench: &Quench) {
        self.update(quench.now);
        let Quench { now, in_flight } = *quench;
        self.collapse(self.aimd.beta, &Timeout { now, in_flight, consecutive: 1 });
    }

    fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.link = Some(*report);
        if core::mem::take(&mut self.report_due) {
            self.update(now);
        }
    }

    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        self.claims.on_report(now, report);
        if core::mem::take(&mut self.report_due) {
            self.update(now);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        let seen = self.outcomes.counts(handoff.now).packets();
        let enough = self.config.restart_packets;
        let (own, rtt) = (&mut self.link, &mut self.rtt);
        if self.claims.on_handoff(handoff, own, rtt, (seen, enough)) {
            self.restart();
            if handoff.end == End::Peer {
                self.next_update = handoff.now;
            }
        }
        self.update(handoff.now);
    }

    #[inline]
    fn window(&self) -> f64 {
        self.window.cwnd
    }

    #[inline]
    fn ssthresh(&self) -> f64 {
        self.window.ssthresh
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(self.aimd)
    }

    fn adaptation(&self) -> Option<Adaptation> {
        self.adaptation
    }
}
