//! A Starlink dish.

use std::collections::VecDeque;

use atl_core::time::Span;
use atl_core::units::Probability;
use serde_json::Value;

use crate::info::{DelayEstimate, LinkInfo, LossEstimate};

/// Reports over which drops are averaged: 15 s at one a second, the time between two steps of the
/// constellation.
const RECENT: usize = 15;
/// Reports among which the least latency is sought: five minutes at one a second.
const LEAST_OF: usize = 300;
/// Latencies in milliseconds that make sense; 60 s is the limit of the text form.
const LATENCIES: std::ops::Range<f64> = 0.001..60_000.0;

/// `get_status` of a dish. Its pings go to the point of presence and back, over the satellite, the
/// ground station and the wires behind, through whatever queues stand there.
///
/// p_w is at most the share of pings that were lost, since queues drop pings too. d_w is at most
/// the least round trip of late, all of it in one direction.
#[derive(Clone, Debug, Default)]
pub struct Starlink {
    drops: VecDeque<f64>,
    latencies: VecDeque<f64>,
}

impl Starlink {
    /// Takes a report; `None` if it is another answer of the dish.
    pub fn take(&mut self, report: &Value) -> Option<LinkInfo> {
        let status = report.get("dishGetStatus")?.as_object()?;
        // JSON of protocol buffers leaves zeros out.
        let number = |key: &str| status.get(key).map_or(Some(0.0), Value::as_f64);
        let drops = number("popPingDropRate").filter(|share| (0.0..=1.0).contains(share))?;
        push(&mut self.drops, drops, RECENT);
        let latency = number("popPingLatencyMs").filter(|ms| LATENCIES.contains(ms));
        // Without an answer there is no latency.
        if let Some(latency) = latency.filter(|_| drops < 1.0) {
            push(&mut self.latencies, latency, LEAST_OF);
        }
        Some(LinkInfo { loss: self.loss(), delay: self.delay(), ..LinkInfo::UNKNOWN })
    }

    fn loss(&self) -> Option<LossEstimate> {
        let mean = self.drops.iter().sum::<f64>() / self.drops.len() as f64;
        let most = self.drops.iter().copied().fold(mean, f64::max);
        let share = Probability::clamped;
        let (value, high) = (share(mean), share(most));
        Some(LossEstimate { value, low: Probability::ZERO, high, packets: None })
    }

    fn delay(&self) -> Option<DelayEstimate> {
        let least = self.latencies.iter().copied().reduce(f64::min)? / 1e3;
        let seconds = Span::from_secs_f64;
        let (value, high) = (seconds(least / 2.0), seconds(least));
        Some(DelayEstimate { value, low: Span::ZERO, high })
    }
}

fn push(values: &mut VecDeque<f64>, value: f64, most: usize) {
    if values.len() == most {
        values.pop_front();
    }
    values.push_back(value);
}
