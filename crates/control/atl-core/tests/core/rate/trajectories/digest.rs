//! A digest of all that a flow's two ends see and say.

use atl_core::model::Aimd;
use atl_core::rate::{Feedback, RateController, Report};
use atl_core::time::{Span, Time};

/// Depends on each bit that it was given, and on their order.
#[derive(Clone, Copy, Debug)]
pub(super) struct Digest(u64);

impl Digest {
    pub(super) fn new() -> Self {
        Digest(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn value(self) -> u64 {
        self.0
    }

    pub(super) fn word(&mut self, word: u64) {
        let mixed = (self.0 ^ word).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        self.0 = mixed ^ (mixed >> 29);
    }

    fn number(&mut self, number: Option<f64>) {
        self.word(u64::from(number.is_some()));
        self.word(number.unwrap_or(0.0).to_bits());
    }

    fn span(&mut self, span: Option<Span>) {
        self.word(span.map_or(u64::MAX, Span::nanos));
    }

    fn time(&mut self, time: Option<Time>) {
        self.word(time.map_or(u64::MAX, Time::nanos));
    }

    fn aimd(&mut self, aimd: Option<Aimd>) {
        self.number(aimd.map(|aimd| aimd.alpha));
        self.number(aimd.map(|aimd| aimd.beta));
    }

    pub(super) fn report(&mut self, report: &Report) {
        let counts = [report.highest, report.received, report.marked, report.clear];
        counts.into_iter().for_each(|count| self.word(count));
        self.word(report.cumulative_lost as u64);
        self.word(report.fraction_lost.to_bits());
        self.span(Some(report.jitter));
        self.span(Some(report.held));
        self.time(Some(report.echo));
        self.number(report.receive_rate);
        self.number(report.loss_event_rate);
        self.number(report.pair_rate);
    }

    pub(super) fn feedback(&mut self, feedback: &Feedback<'_>) {
        self.word(feedback.now.nanos());
        self.word(u64::from(feedback.delivered) << 32 | u64::from(feedback.in_flight));
        for lost in feedback.losses {
            self.word(lost.seq << 2 | u64::from(lost.link_failure) << 1 | u64::from(lost.marked));
            self.time(Some(lost.sent_at));
        }
        self.word(feedback.newest.map_or(u64::MAX, |newest| newest.0));
        self.span(feedback.rtt);
        self.word(feedback.srtt.nanos() ^ feedback.rtt_min.nanos().rotate_left(32));
        self.word(u64::from(feedback.rate_limited));
    }

    /// Everything that a controller answers.
    pub(super) fn controller(&mut self, controller: &dyn RateController) {
        self.word(controller.rate().to_bits());
        self.span(Some(controller.gap()));
        self.word(controller.decreases() << 1 | u64::from(controller.sends_data()));
        self.time(controller.next_timeout());
        self.aimd(controller.aimd());
        if let Some(adaptation) = controller.adaptation() {
            self.aimd(Some(adaptation.aimd));
            self.word(adaptation.target.to_bits());
            let split = adaptation.split;
            let shares = [split.loss, split.congestion_loss, split.wireless.loss];
            shares.into_iter().for_each(|share| self.word(share.get().to_bits()));
            let times = [split.rtt, split.congestion_rtt, split.wireless.delay];
            times.into_iter().for_each(|time| self.span(Some(time)));
        }
    }
}
