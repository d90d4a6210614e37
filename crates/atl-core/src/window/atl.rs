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
//! - A receiver's report is a claim: it cannot raise p_w above the loss that is seen, nor d_w above R/2.

use super::aimd::Window;
use super::{
    Ack, Aimd, Counting, Detection, Halving, Handoff, Loss, Sent, Start, Timeout, WindowController,
};
use crate::measure::{Counts, OutcomeWindow, RttConfig, RttEstimator};
use crate::model::{Adaptation, AtlInput, TcpModel, TimeoutTerm};
use crate::path::{LinkReport, MAX_LOSS, PathSplit, SplitRules};
use crate::time::{Span, Time};
use crate::units::Probability;

/// Where the p_w of the sender's own link comes from.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Default)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(rename_all = "kebab-case"))]
pub enum WirelessLoss {
    /// Marks once the MAC has marked a packet, the report until then.
    #[default]
    Auto,
    /// Packets that the MAC marked as failed ([`Loss::link_failures`]).
    Marks,
    /// The loss in the link's report, measured over the link's own window.
    Report,
}

/// Parameters of [`TcpAtl`].
#[derive(Clone, Debug, PartialEq)]
#[cfg_attr(feature = "serde", derive(serde::Serialize, serde::Deserialize))]
#[cfg_attr(feature = "serde", serde(deny_unknown_fields, default, rename_all = "kebab-case"))]
pub struct Config {
    /// beta between 0 and 1 while there is a wireless link; none: 0.75, 0.80 or 0.85 by d_w.
    pub beta: Option<f64>,
    /// tau: length of the loss window in SRTT, positive.
    pub window_srtts: f64,
    /// The loss window holds at least so many packets.
    pub window_packets: u32,
    /// Packets after a handoff until the new window's own p_c is used.
    pub restart_packets: u32,
    /// Where p_w comes from.
    pub wireless_loss: WirelessLoss,
    /// Form of the timeout term of eq. 7.
    pub timeouts: TimeoutTerm,
    /// T_hat is at most the access link's rate.
    pub cap_at_access_rate: bool,
    /// Floor of R_c in seconds.
    pub rtt_floor: f64,
    /// Age in seconds from which a receiver's report no longer counts; none: it counts until the next, since
    /// the paper's receiver repeats p_w and d_w only when they vary.
    pub claim_age: Option<f64>,
    /// What beta is a share of.
    pub halving: Halving,
    /// What makes the window grow; b of eq. 7 follows it.
    pub counting: Counting,
}

impl Config {
    /// Checks that the parameters are in their ranges.
    ///
    /// # Errors
    /// What is allowed for the first one that is not.
    pub fn check(&self) -> Result<(), &'static str> {
        if !(self.beta.is_none_or(|beta| beta > 0.0 && beta < 1.0)) {
            return Err("beta is between 0 and 1, both excluded");
        }
        if !(self.window_srtts > 0.0 && self.window_srtts.is_finite()) {
            return Err("window-srtts is positive");
        }
        if !(self.rtt_floor > 0.0 && self.rtt_floor.is_finite()) {
            return Err("rtt-floor is a time in seconds, positive");
        }
        if !(self.claim_age.is_none_or(|age| age > 0.0 && age.is_finite())) {
            return Err("claim-age is a time in seconds, positive");
        }
        Ok(())
    }
}

impl Default for Config {
    fn default() -> Self {
        Config {
            beta: None,
            window_srtts: 10.0,
            window_packets: 50,
            restart_packets: 20,
            wireless_loss: WirelessLoss::default(),
            timeouts: TimeoutTerm::default(),
            cap_at_access_rate: true,
            rtt_floor: crate::path::MIN_CONGESTION_RTT.secs(),
            claim_age: None,
            halving: Halving::default(),
            counting: Counting::default(),
        }
    }
}

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
    claim: Option<(Time, LinkReport)>,
    marked: bool,
    lost: bool,
    next_update: Time,
    next_tx: u64,
    /// First transmission on the path in use.
    first_tx: u64,
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
            claim: None,
            marked: false,
            lost: false,
            next_update: Time::ZERO,
            next_tx: 0,
            first_tx: 0,
            congestion_loss: None,
            report_due: false,
            config: config.clone(),
        }
    }

    /// SRTT of the path in use, once it is measured.
    pub fn srtt(&self) -> Option<Span> {
        self.rtt.srtt()
    }

    /// Configure_AIMD() of Fig. 4.
    fn update(&mut self, now: Time) {
        let Some(rtt) = self.rtt.srtt() else { return };
        self.next_update = now.saturating_add(rtt.max(Span::from_nanos(1)));
        self.outcomes.set_span(rtt.mul_f64(self.config.window_srtts));
        let counts = self.outcomes.counts(now);
        let split = if self.lost { self.split(now, rtt, &counts) } else { None };
        self.congestion_loss = split.map(|s| s.congestion_loss).or(self.congestion_loss);
        let wireless = split.filter(|s| !s.wireless.is_none());
        self.adaptation = wireless.and_then(|s| self.input.tcp(s));
        self.aimd = self.adaptation.map_or(Aimd::TCP, |a| a.aimd);
    }

    /// The path's two parts; `None` after a handoff that came before p_c was known.
    fn split(&self, now: Time, rtt: Span, counts: &Counts) -> Option<PathSplit> {
        let n = counts.packets();
        if self.first_tx == 0 || n >= u64::from(self.config.restart_packets) {
            let p = counts.loss();
            let link = self.own_link(counts);
            let wireless = link.and(self.peer(now, p, rtt, link));
            return Some(PathSplit::new(p, rtt, wireless, self.rules(Some(n))));
        }
        // The window is too short to judge the new link by: its report does.
        let p_c = self.congestion_loss?;
        let link = self.link.unwrap_or(LinkReport::NONE);
        let p = link.and(LinkReport { loss: p_c, delay: Span::ZERO }).loss;
        let wireless = link.and(self.peer(now, p, rtt, link));
        let measured = PathSplit::new(p, rtt, wireless, self.rules(None));
        Some(PathSplit::from_parts(p_c, measured.congestion_rtt, rtt, measured.wireless))
    }

    fn rules(&self, packets: Option<u64>) -> SplitRules {
        SplitRules { packets, rtt_floor: self.rtt_floor }
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

    /// The receiver's link as it claims it, within what the sender itself sees: p_w of both links is at most
    /// p, and d_w of both at most R/2.
    fn peer(&self, now: Time, seen: Probability, rtt: Span, own: LinkReport) -> LinkReport {
        let Some((at, claim)) = self.claim else {
            return LinkReport::NONE;
        };
        if self.config.claim_age.is_some_and(|age| now.since(at) > Span::from_secs_f64(age)) {
            return LinkReport::NONE;
        }
        let through = 1.0 - own.loss.get().min(MAX_LOSS);
        let most = Probability::clamped((seen.get() - own.loss.get()) / through);
        LinkReport {
            loss: if claim.loss > most { most } else { claim.loss },
            delay: claim.delay.min((rtt / 2).saturating_sub(own.delay)),
        }
    }

    /// True for a transmission that went over the path in use.
    fn is_current(&self, tx: u64) -> bool {
        tx >= self.first_tx
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
        }
        if ack.now >= self.next_update {
            self.update(ack.now);
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
        }
        if loss.new_episode {
            self.update(loss.now);
            if loss.detection == Detection::Acks {
                self.window.reduce(self.aimd.beta, self.config.halving, loss);
            }
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.update(timeout.now);
        self.window.collapse(self.aimd.beta, self.config.halving, timeout);
    }

    fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        self.link = Some(*report);
        if core::mem::take(&mut self.report_due) {
            self.update(now);
        }
    }

    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        self.claim = Some((now, *report));
        if core::mem::take(&mut self.report_due) {
            self.update(now);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        // The event does not say which end moved: it is the one that has a wireless link, and the sender's
        // own where both have.
        match (&mut self.link, &mut self.claim) {
            (None, Some((_, claim))) => claim.delay = handoff.new_delay,
            (link, _) => {
                let loss = link.map_or(Probability::ZERO, |l| l.loss);
                *link = Some(LinkReport { loss, delay: handoff.new_delay });
            }
        }
        self.rtt.shift(handoff.old_delay, handoff.new_delay);
        self.outcomes.restart();
        self.first_tx = self.next_tx;
        self.report_due = true;
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
