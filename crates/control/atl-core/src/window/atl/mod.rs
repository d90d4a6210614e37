//! TCP-ATL: AIMD whose alpha and beta follow the wireless link.
//!
//! Source: Akan and Akyildiz, ATL (2004), sec. III-B and IV-A, Fig. 4; equations in
//! [`crate::model`], the split of the path in [`crate::path`].
//!
//! Left open by the source, and chosen (the numbers are those of the project's TCP-ATL rules):
//! - (2) p and p_w count transmissions, over the longer of 10 SRTT and the last 50 packets.
//! - (3) p_w is the share of packets that the sender's own MAC marked as failed, if it marks any.
//!   It is measured over the same packets as p, so that p_c is not negative. Otherwise p_w is the
//!   loss in the link's report. See [`WirelessLoss`](crate::path::WirelessLoss).
//! - (4) T_hat is at most the access link's rate, if that is known.
//! - (5) An acknowledged packet adds min(alpha/cwnd, 1); alpha has no other bound, above or below.
//! - (6) R is SRTT with its queueing, R_c = R - 2 d_w with a floor, T_0 = 4 R, T_0c = 4 R_c.
//! - (7) beta applies once per loss event, wireless losses included; ssthresh = beta cwnd and cwnd
//!   = 1 at an RTO.
//! - (8) The parameters are (1, 0.5) until the first loss. They are then computed anew in each RTT,
//!   at each loss event and at each handoff.
//! - Handoffs: see `path/view.rs`.
//! - No report, or p_w = d_w = 0: plain TCP, (1, 0.5). A link with d_w = 0 and p_w > 0 keeps beta =
//!   0.5.
//! - A receiver's report is a claim, which is checked and bounded: see `path/claims.rs`.
//!
//! [`robust`] is the recommended variant, a law of its own. [`Config::sparing`] is this one with
//! three rules changed:
//! - Losses that the sender's own MAC marked do not shrink the window, and do not count in the p of
//!   eq. 9: eq. 4 then holds for the losses that the window does react to. p_c, which a short
//!   window measures badly, all but cancels from alpha.
//! - If only congestion is left, beta is 0.6.
//! - The window also grows while the sender repairs losses that were spared: on a lossy link that
//!   is always.

mod config;
pub mod robust;

pub use config::Config;

use core::num::NonZeroU32;

use super::aimd::Window;
use super::{
    Ack, Aimd, BuildController, Counting, Detection, End, Handoff, Loss, Quench, Sent, Start,
    Timeout, WindowController,
};
use crate::measure::Counts;
use crate::model::{Adaptation, AtlInput, TcpModel};
use crate::path::{Estimate, LinkReport, PathView};
use crate::time::{Span, Time};
use crate::units::Probability;

/// A window under AIMD whose parameters follow the wireless link.
#[derive(Clone, Debug)]
pub struct TcpAtl {
    config: Config,
    input: AtlInput,
    window: Window,
    aimd: Aimd,
    adaptation: Option<Adaptation>,
    /// The path in use; packets are transmissions.
    path: PathView,
    next_update: Time,
    /// First transmission after the last reduction: losses before it belong to the same event. It
    /// decides where the sender's episodes do not show when the window was reduced, because a loss
    /// was spared.
    reduced_tx: u64,
    /// A timeout found a loss that the MAC had not marked.
    unmarked_timeout: bool,
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
            window: Window::new(start),
            aimd: Aimd::TCP,
            adaptation: None,
            path: PathView::new(config.view()),
            next_update: Time::ZERO,
            reduced_tx: 0,
            unmarked_timeout: false,
            config: config.clone(),
        }
    }

    /// SRTT of the path in use, once it is measured.
    pub fn srtt(&self) -> Option<Span> {
        self.path.srtt()
    }

    /// Buckets that the loss windows use, for the memory that the controller takes.
    pub fn buckets(&self) -> usize {
        self.path.buckets()
    }

    fn collapse(&mut self, beta: f64, timeout: &Timeout) {
        self.window.collapse(beta, self.config.halving, timeout);
        self.reduced_tx = self.path.next();
    }

    /// Configure_AIMD() of Fig. 4.
    fn update(&mut self, now: Time) {
        let Some(rtt) = self.path.srtt() else { return };
        self.next_update = now.saturating_add(rtt.max(Span::from_nanos(1)));
        let span = rtt.mul_f64(self.config.window_srtts);
        let estimate = self.path.estimate(now, rtt, span);
        self.adaptation = estimate.and_then(|estimate| self.adapt(&estimate));
        self.aimd = self.adaptation.map_or(Aimd::TCP, |a| a.aimd);
    }

    /// ATL paper, eq. 7 and 9, with the gain of claims bounded; `None` without a wireless link.
    fn adapt(&self, estimate: &Estimate) -> Option<Adaptation> {
        let split = estimate.split;
        if split.wireless.is_none() {
            return None;
        }
        let spared = self.config.spare_marked && split.wireless.loss == Probability::ZERO;
        let beta = self.input.beta.or(self.config.spared_beta.filter(|_| spared));
        let adaptation = AtlInput { beta, ..self.input }.tcp(split)?;
        let input = AtlInput { beta: Some(adaptation.aimd.beta), ..self.input };
        let alpha = |split| input.tcp(split).map(|a| a.aimd.alpha);
        let bound = self.path.alpha_bound(estimate, alpha);
        Some(bound.map_or(adaptation, |most| adaptation.with_alpha_at_most(most)))
    }

    /// True if a loss reduces the window.
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
        self.path.on_sent(sent.tx);
    }

    #[inline]
    fn on_ack(&mut self, ack: &Ack) {
        if self.path.is_fresh(ack.newest.map(|(tx, _)| tx)) {
            if ack.delivered > 0 {
                let delivered = u64::from(ack.delivered);
                self.path.record(ack.now, Counts { delivered, ..Counts::default() });
            }
            if let Some(rtt) = ack.rtt {
                self.path.on_rtt(rtt, 1);
            }
            if let Some(rtt) = ack.rtt {
                self.path.on_evidence(ack.now, rtt);
            }
        }
        if ack.now >= self.next_update {
            self.update(ack.now);
        }
        if self.config.spare_marked && ack.in_recovery {
            // The sender repairs losses. Those that reduced the window hold its growth, as in any
            // recovery. Those that were spared do not.
            if ack.newest.is_some_and(|(tx, _)| tx >= self.reduced_tx) {
                let spared = Ack { in_recovery: false, cumulative: ack.delivered, ..*ack };
                self.window.grow(&spared, self.config.counting, self.aimd.alpha);
            }
            return;
        }
        self.window.grow(ack, self.config.counting, self.aimd.alpha);
    }

    fn on_loss(&mut self, loss: &Loss) {
        self.path.on_loss();
        if self.path.is_current(loss.tx) {
            let counts = Counts {
                delivered: 0,
                lost: u64::from(loss.packets),
                link_failures: u64::from(loss.link_failures),
            };
            self.path.record(loss.now, counts);
            if loss.detection == Detection::Acks && loss.packets > loss.link_failures {
                self.path.on_evident_loss();
            }
        }
        if loss.detection == Detection::Timeout {
            self.unmarked_timeout |= loss.packets > loss.link_failures;
        }
        if self.reduces(loss) {
            self.update(loss.now);
            if loss.detection == Detection::Acks {
                self.window.reduce(self.aimd.beta, self.config.halving, loss);
                self.reduced_tx = self.path.next();
            }
        }
    }

    fn on_timeout(&mut self, timeout: &Timeout) {
        self.update(timeout.now);
        let unmarked = core::mem::take(&mut self.unmarked_timeout);
        let spared = self.config.spare_marked && self.path.is_marked() && !unmarked;
        self.collapse(if spared { 1.0 } else { self.aimd.beta }, timeout);
    }

    /// The sender's own link does not cause a quench, so that it is never spared.
    fn on_quench(&mut self, quench: &Quench) {
        self.update(quench.now);
        let Quench { now, in_flight } = *quench;
        self.collapse(self.aimd.beta, &Timeout { now, in_flight, consecutive: 1 });
    }

    fn on_link_report(&mut self, now: Time, report: &LinkReport) {
        if self.path.on_link_report(report) {
            self.update(now);
        }
    }

    fn on_peer_report(&mut self, now: Time, report: &LinkReport) {
        if self.path.on_peer_report(now, report) {
            self.update(now);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn on_handoff(&mut self, handoff: &Handoff) {
        let anew = self.path.on_handoff(handoff);
        if anew && handoff.end == End::Peer {
            self.next_update = handoff.now;
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

    fn ack_limit(&self) -> Option<NonZeroU32> {
        self.config.counting.limit()
    }

    fn aimd(&self) -> Option<Aimd> {
        Some(self.aimd)
    }

    fn adaptation(&self) -> Option<Adaptation> {
        self.adaptation
    }
}

impl BuildController for Config {
    fn check(&self) -> Result<(), &'static str> {
        Config::check(self)
    }

    fn build(&self, start: &Start) -> Box<dyn WindowController> {
        Box::new(TcpAtl::new(self, start))
    }
}
