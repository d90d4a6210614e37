//! RCP-ATL: AIMD of a rate whose alpha and beta follow the wireless link.
//!
//! Source: Akan and Akyildiz, ATL (2004), sec. III-C and IV-B, Fig. 4; equations in
//! [`crate::model`], the split of the path in [`crate::path`].
//!
//! Left open by the source, and chosen (docs/protocols/atl.md):
//! - "alpha = 1" at the start is one packet per RTT, that is 1/R packets per second. (1/R, 0.5)
//!   holds until the first loss, and where p_w = d_w = 0.
//! - p and p_w count packets ([`Counting`]), over the longer of 10 RTT and the last 50 packets. p_w
//!   is the share that the sender's own MAC marked, if it marks any, and the loss in the link's
//!   report otherwise ([`WirelessLoss`](crate::path::WirelessLoss)).
//! - p_c is at least 1/max(n, 20), n the packets in the window, and p is computed anew from p_w and
//!   p_c: with p = 0 alpha would be 0, and with n near 1 the rate would never rise from its
//!   minimum.
//! - T_hat is that of eq. 7. A bound at the target rate is an option: S never exceeds the target,
//!   so that its mean never reaches a T_hat at the target (Fig. 12 to 14 show both). alpha has no
//!   floor: a floor would make the flow unfair.
//! - A step is at most the rate itself, or a packet per RTT if that is more: no step is faster than
//!   slow start.
//! - One back-off per loss event, wireless losses included ([`Clusters`]).
//! - Parameters are computed anew at each step, each loss event and each handoff.
//! - Reports may be further apart than an RTT. The rate then takes one step per report, and R of
//!   eq. 13, the time between two steps, is the time between two reports, also in the 10 RTT. T_hat
//!   keeps its own R_c.
//! - Without feedback ([`aimd`](super::aimd)) the rate is halved, whatever beta is: a complete lack
//!   of feedback is not the ordinary loss of a link.
//! - Handoffs are as for TCP-ATL (`path/view.rs`).
//! - The receiver's p_w and d_w are claims, which are checked and bounded as for TCP-ATL
//!   (`path/claims.rs`).

mod config;

pub use config::Config;

use super::aimd::{Additive, FIRST_RATE};
use super::{
    Aimd, BuildRateController, Clusters, Counting, Feedback, Handoff, RateController, RateStart,
    Sent,
};
use crate::measure::Counts;
use crate::model::{Adaptation, AtlInput, RateForm, TcpModel};
use crate::path::{Estimate, LinkReport, PathSplit, PathView};
use crate::time::{Span, Time};

/// Share of the rate that is kept after a silence.
const SILENCE_BETA: f64 = 0.5;

/// A rate under AIMD whose parameters follow the wireless link.
#[derive(Clone, Debug)]
pub struct RcpAtl {
    config: Config,
    input: AtlInput,
    rate: Additive,
    /// The rate at the start was configured.
    started: bool,
    /// The parameters in force; `None` before the first RTT.
    aimd: Option<Aimd>,
    adaptation: Option<Adaptation>,
    /// The path in use; packets are data packets.
    path: PathView,
    /// Loss events, as the rate answers them.
    events: Clusters,
    /// The sender's SRTT: the length of a round while the path's is unknown.
    round: Span,
}

impl RcpAtl {
    /// A controller at the start of its flow.
    pub fn new(config: &Config, start: &RateStart) -> Self {
        let (_, target) = start.bounds();
        let initial = start.first(config.initial);
        RcpAtl {
            input: AtlInput {
                model: TcpModel { b: 1.0, timeouts: config.timeouts },
                beta: config.beta,
                cap: config.cap_at_target.then_some(target),
            },
            rate: Additive::new(initial.unwrap_or(FIRST_RATE), start),
            started: initial.is_some(),
            aimd: None,
            adaptation: None,
            path: PathView::new(config.view()),
            events: Clusters::new(),
            round: Span::ZERO,
            config: *config,
        }
    }

    /// SRTT of the path in use, once it is measured.
    pub fn srtt(&self) -> Option<Span> {
        self.path.srtt().filter(|rtt| !rtt.is_zero())
    }

    /// Time between two steps of the rate: R of the ATL paper's eq. 10.
    fn step_time(&self, rtt: Span) -> Span {
        rtt.max(self.rate.report_interval())
    }

    /// One packet per RTT in each RTT.
    fn tcp(&self, rtt: Span) -> Aimd {
        let steps = self.step_time(rtt).secs() / rtt.secs();
        Aimd { alpha: steps / rtt.secs(), ..Aimd::TCP }
    }

    /// Fig. 4: alpha and beta for the path as it is now.
    fn update(&mut self, now: Time) {
        let Some(rtt) = self.srtt() else { return };
        let span = self.step_time(rtt).mul_f64(self.config.window_rtts);
        let estimate = self.path.estimate(now, rtt, span);
        self.adaptation = estimate.and_then(|estimate| self.adapt(&estimate));
        self.aimd = Some(self.adaptation.map_or_else(|| self.tcp(rtt), |a| a.aimd));
    }

    /// The parameters, with the gain of claims bounded; `None` without a wireless link.
    fn adapt(&self, estimate: &Estimate) -> Option<Adaptation> {
        if estimate.split.wireless.is_none() {
            return None;
        }
        let adaptation = self.parameters(self.input, estimate.split)?;
        let input = AtlInput { beta: Some(adaptation.aimd.beta), ..self.input };
        let alpha = |split| self.parameters(input, split).map(|a| a.aimd.alpha);
        let bound = self.path.alpha_bound(estimate, alpha);
        Some(bound.map_or(adaptation, |most| adaptation.with_alpha_at_most(most)))
    }

    /// ATL paper, eq. 7 and 13. The published form of eq. 13 is used where another does not hold.
    fn parameters(&self, input: AtlInput, split: PathSplit) -> Option<Adaptation> {
        let stepped = PathSplit { rtt: self.step_time(split.rtt), ..split };
        let adaptation = input
            .rcp(stepped, self.config.form)
            .or_else(|| input.rcp(stepped, RateForm::Published))?;
        Some(Adaptation { split, ..adaptation })
    }

    /// Counts the outcomes of packets on the path in use.
    fn count(&mut self, feedback: &Feedback<'_>) {
        let now = feedback.now;
        if !feedback.losses.is_empty() {
            self.path.on_loss();
        }
        let by_events = self.config.count == Counting::Events;
        let (mut lost, mut link_failures) = (0, 0);
        let mut counts = Counts::default();
        for loss in feedback.losses {
            let begins = self.events.begins(now, loss);
            if !self.path.is_current(loss.seq) {
                continue;
            }
            lost += 1;
            link_failures += u64::from(loss.link_failure);
            if by_events && !begins {
                // A further packet of an event that was counted: it met the path and began no
                // event.
                counts.delivered += 1;
            } else {
                counts.lost += 1;
                counts.link_failures += u64::from(loss.link_failure);
            }
        }
        let fresh = self.path.is_fresh(feedback.newest.map(|(seq, _)| seq));
        let delivered = if fresh { feedback.delivered } else { 0 };
        counts.delivered += u64::from(delivered);
        if counts.packets() > 0 {
            self.path.record(now, counts);
        }
        let sample = feedback.rtt.filter(|_| fresh);
        if let Some(rtt) = sample {
            // A sample from each ACK; one from each report.
            let samples = if feedback.report.is_some() { 1 } else { feedback.in_flight / 2 };
            self.path.on_rtt(rtt, samples);
            self.path.on_evidence(now, rtt);
        }
        if lost > link_failures {
            self.path.on_evident_loss();
        }
    }
}

impl RateController for RcpAtl {
    fn on_sent(&mut self, sent: &Sent) {
        self.path.on_sent(sent.seq);
        self.rate.on_sent(sent);
    }

    fn on_feedback(&mut self, feedback: &Feedback<'_>) {
        self.count(feedback);
        self.round = feedback.srtt;
        let events = self.rate.on_feedback(feedback);
        if self.aimd.is_none()
            && let Some(rtt) = self.srtt()
        {
            if !self.started {
                self.rate.set(self.rate.rate().max(1.0 / rtt.secs()));
            }
            self.update(feedback.now);
        }
        for _ in 0..events {
            self.update(feedback.now);
            self.rate.cut(self.aimd.map_or(Aimd::TCP.beta, |aimd| aimd.beta));
        }
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

    fn on_handoff(&mut self, handoff: &Handoff) {
        self.path.on_handoff(handoff);
        self.update(handoff.now);
        if let Some(rtt) = self.srtt() {
            self.rate.restart_round(handoff.now, rtt);
        }
    }

    fn listens(&self) -> bool {
        true
    }

    fn next_timeout(&self) -> Option<Time> {
        self.rate.next_timeout()
    }

    fn on_tick(&mut self, now: Time) {
        if self.rate.fell_silent(now) {
            self.events.answer(now);
            self.rate.cut(SILENCE_BETA);
        }
        let rtt = self.srtt();
        if self.rate.round_passed(now, rtt.unwrap_or(self.round))
            && let Some(rtt) = rtt
        {
            self.update(now);
            let alpha = self.aimd.map_or(0.0, |aimd| aimd.alpha);
            let rate = self.rate.rate();
            self.rate.set(rate + alpha.min(rate.max(1.0 / rtt.secs())));
        }
    }

    fn rate(&self) -> f64 {
        self.rate.rate()
    }

    fn gap(&self) -> Span {
        self.rate.gap()
    }

    fn aimd(&self) -> Option<Aimd> {
        self.aimd
    }

    fn adaptation(&self) -> Option<Adaptation> {
        self.adaptation
    }

    fn decreases(&self) -> u64 {
        self.rate.decreases()
    }
}

impl BuildRateController for Config {
    fn check(&self) -> Result<(), &'static str> {
        Config::check(self)
    }

    fn build(&self, start: &RateStart) -> Box<dyn RateController> {
        Box::new(RcpAtl::new(self, start))
    }
}
