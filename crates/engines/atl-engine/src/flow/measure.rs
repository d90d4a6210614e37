//! Computing a flow's result from its totals.

use crate::result::FlowResult;
use atl_core::time::Time;
use atl_endpoint::media::MediaResult;
use atl_endpoint::meters::{Arrivals, Offered};

use crate::flow::counts::Totals;
use crate::flow::record::NetworkRtts;

/// All measurements of a flow.
#[derive(Debug)]
pub struct Measured<'a> {
    /// Time at which the flow started.
    pub start: Time,
    /// Time at which its measurement began.
    pub from: Time,
    /// Time at which the run ended.
    pub end: Time,
    /// Time at which the flow completed, if it did.
    pub finished: Option<Time>,
    /// Totals at the beginning of the measurement.
    pub before: Totals,
    /// Totals at the end of the run.
    pub after: Totals,
    /// Samples of the round-trip time.
    pub rtts: &'a NetworkRtts,
    /// Arrivals of data packets, for jitter.
    pub arrivals: Option<&'a Arrivals>,
    /// Bytes that the application wrote.
    pub offered: Option<&'a mut Offered>,
    /// Mean delay from application to application, in seconds.
    pub delay_s: Option<f64>,
    /// Video quality at the viewer.
    pub media: Option<MediaResult>,
    /// True for a flow of a mobile.
    pub moves: bool,
}

impl Measured<'_> {
    /// Computes the flow's result.
    pub fn result(self) -> FlowResult {
        let (before, after) = (self.before.progress, self.after.progress);
        let until = self.finished.unwrap_or(self.end).min(self.end);
        let active_s = until.since(self.from).secs();
        let rate = |bytes: u64| {
            if active_s > 0.0 { bytes as f64 * 8.0 / active_s } else { 0.0 }
        };
        let order = after.order.map(|(duplicates, reordered)| {
            let (duplicates_before, reordered_before) = before.order.unwrap_or_default();
            (duplicates - duplicates_before, reordered - reordered_before)
        });
        let [rtt_median_s, rtt_p95_s, rtt_min_s] = self.rtts.whole();
        let (fate_before, fate) = (self.before.fate, self.after.fate);
        FlowResult {
            active_s,
            throughput_bps: rate(self.after.wire_bytes - self.before.wire_bytes),
            goodput_bps: rate(after.delivered_bytes - before.delivered_bytes),
            sent: after.sent - before.sent,
            copies: Some(fate.copies - fate_before.copies),
            under_way_before: Some(self.before.under_way),
            under_way_after: Some(self.after.under_way),
            arrived: Some(after.arrived - before.arrived),
            delivered: Some(after.delivered - before.delivered),
            dropped: Some(fate.dropped - fate_before.dropped),
            lost: Some(fate.lost - fate_before.lost),
            elsewhere_bytes: after
                .elsewhere_bytes
                .map(|elsewhere| elsewhere - before.elsewhere_bytes.unwrap_or(0)),
            retransmissions: Some(after.retransmissions - before.retransmissions),
            timeouts: Some(after.timeouts - before.timeouts),
            quench_reactions: Some(after.quench_reactions - before.quench_reactions),
            recoveries: Some(after.recoveries - before.recoveries),
            probe_bytes: (after.probe_bytes > 0 || self.moves)
                .then(|| after.probe_bytes - before.probe_bytes),
            duplicates: order.map(|(duplicates, _)| duplicates),
            reordered: order.map(|(_, reordered)| reordered),
            spurious_losses: order.map(|_| after.spurious_losses - before.spurious_losses),
            marked: after.marked.map(|marked| marked - before.marked.unwrap_or(0)),
            handoffs: self.moves.then(|| after.handoffs - before.handoffs),
            rtt_median_s,
            rtt_p95_s,
            rtt_min_s,
            delays: self.rtts.delays(self.from, until),
            completion_s: self.finished.map(|at| at.since(self.start).secs()),
            in_run_s: Some(self.end.since(self.start).secs()),
            jitter_s: self.arrivals.and_then(Arrivals::transit_jitter),
            gap_jitter_s: self.arrivals.and_then(Arrivals::gap_jitter),
            offered_bps: self.offered.and_then(|o| o.rate_bps(until, active_s)),
            delay_s: self.delay_s,
            media: self.media,
            ..FlowResult::default()
        }
    }
}
