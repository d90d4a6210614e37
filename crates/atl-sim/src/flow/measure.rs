//! What is measured of a flow.

use atl_core::time::{Span, Time};
use atl_scenario::result::{FlowResult, Sample};

use super::Flow;
use super::counts::Baseline;
use super::ends::Ends;

impl Flow {
    /// Starts measurement: what was counted before is left out. `wire_bytes` are the bytes of its data packets that have
    /// left its source's interface since the start, and `under_way` the packets on their way now.
    pub(crate) fn begin_measurement(&mut self, now: Time, wire_bytes: u64, under_way: u64) {
        *self.baseline = Baseline {
            at: now.max(self.start),
            fate: self.fate,
            wire_bytes,
            under_way,
            progress: self.ends.progress(),
        };
        self.rtts.reset();
        if let Some(arrivals) = &mut self.arrivals {
            arrivals.reset();
        }
        if let Some(offered) = &mut self.offered {
            offered.begin_measurement(now);
        }
        match &mut self.ends {
            Ends::Tcp(tcp) => tcp.begin_measurement(),
            Ends::Paced(paced) => paced.begin_measurement(now),
        }
    }

    /// Its row of samples as flow `index`, `every` after the one before. `network` is the network of its first wireless
    /// link.
    pub(crate) fn sample(
        &mut self,
        (now, every): (Time, Span),
        index: u32,
        network: u32,
        wire_bytes: u64,
    ) -> Sample {
        let (state, delivered_bytes) = match &mut self.ends {
            Ends::Tcp(tcp) => (tcp.state(), tcp.delivered_bytes()),
            Ends::Paced(paced) => (paced.state(self.data_bytes), paced.receiver.payload_bytes()),
        };
        let rate = |bytes: u64| bytes as f64 * 8.0 / every.secs();
        let gone = self.fate.dropped + self.fate.lost;
        let (wire_before, delivered_before, gone_before) = self.sampled;
        self.sampled = (wire_bytes, delivered_bytes, gone);
        Sample {
            time_s: now.secs(),
            flow: index,
            network,
            cwnd: state.cwnd,
            ssthresh: state.ssthresh,
            rate_bps: state.rate_bps,
            encoder_bps: state.encoder_bps,
            jitter_s: self.arrivals.as_mut().and_then(|a| a.take_interval()),
            in_flight: state.in_flight,
            srtt_s: state.srtt.map(Span::secs),
            throughput_bps: rate(wire_bytes - wire_before),
            goodput_bps: rate(delivered_bytes - delivered_before),
            wire_bytes,
            delivered_bytes,
            losses_per_s: Some((gone - gone_before) as f64 / every.secs()),
            alpha: state.aimd.map(|a| a.alpha),
            beta: state.aimd.map(|a| a.beta),
        }
    }

    /// What was measured, at the end of the run, with `under_way` packets still on their way.
    pub(crate) fn result(&mut self, end: Time, wire_bytes: u64, under_way: u64) -> FlowResult {
        let Baseline { at, fate, wire_bytes: wire_before, progress: before, .. } = *self.baseline;
        let progress = self.ends.progress();
        let (finished, delay_s, media) = match &mut self.ends {
            Ends::Tcp(tcp) => {
                (tcp.sender.finished(), tcp.delays.as_ref().and_then(|d| d.mean_s()), None)
            }
            Ends::Paced(paced) => (None, None, paced.media(end)),
        };
        let until = finished.unwrap_or(end).min(end);
        let active_s = until.since(at).secs();
        let rate = |bytes: u64| {
            if active_s > 0.0 { bytes as f64 * 8.0 / active_s } else { 0.0 }
        };
        let order = progress.order.map(|(duplicates, reordered)| {
            let (duplicates_before, reordered_before) = before.order.unwrap_or_default();
            (duplicates - duplicates_before, reordered - reordered_before)
        });
        FlowResult {
            active_s,
            throughput_bps: rate(wire_bytes - wire_before),
            goodput_bps: rate(progress.delivered_bytes - before.delivered_bytes),
            sent: progress.sent - before.sent,
            copies: Some(self.fate.copies - fate.copies),
            under_way_before: Some(self.baseline.under_way),
            under_way_after: Some(under_way),
            arrived: Some(progress.arrived - before.arrived),
            delivered: Some(progress.delivered - before.delivered),
            dropped: Some(self.fate.dropped - fate.dropped),
            lost: Some(self.fate.lost - fate.lost),
            retransmissions: Some(progress.retransmissions - before.retransmissions),
            timeouts: Some(progress.timeouts - before.timeouts),
            quench_reactions: Some(progress.quench_reactions - before.quench_reactions),
            recoveries: Some(progress.recoveries - before.recoveries),
            probe_bytes: (progress.probe_bytes > 0 || self.roaming.is_some())
                .then(|| progress.probe_bytes - before.probe_bytes),
            duplicates: order.map(|(duplicates, _)| duplicates),
            reordered: order.map(|(_, reordered)| reordered),
            spurious_losses: order.map(|_| progress.spurious_losses - before.spurious_losses),
            handoffs: self.roaming.as_ref().map(|_| progress.handoffs - before.handoffs),
            rtt_median_s: self.rtts.quantile(0.5),
            rtt_p95_s: self.rtts.quantile(0.95),
            rtt_min_s: self.rtts.min(),
            completion_s: finished.map(|at| at.since(self.start).secs()),
            jitter_s: self.arrivals.as_ref().and_then(|a| a.transit_jitter()),
            gap_jitter_s: self.arrivals.as_ref().and_then(|a| a.gap_jitter()),
            offered_bps: self.offered.as_mut().and_then(|o| o.rate_bps(until, active_s)),
            delay_s,
            media,
            ..FlowResult::default()
        }
    }
}
