//! Differences of counters that only grow, over a sliding window.

use std::collections::VecDeque;

use atl_core::time::{Span, Time};

use crate::info::LossEstimate;
use crate::interval::{Batch, loss_estimate};

/// No 802.11 link carries more packets per second: a 32-bit counter that went down by more than
/// this allows was reset.
const MOST_PACKETS_PER_SEC: f64 = 5e6;
/// Nor does one carry more bytes per second: 802.11be ends at 46 Gb/s.
const MOST_BYTES_PER_SEC: f64 = 6e9;

/// The width of a counter: the value at which it starts again from zero.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Width {
    /// After 2^32 - 1, as nl80211's packet counters do.
    Bits32,
    /// Never, in any time that matters.
    Bits64,
}

/// Which packets a driver's packet counter includes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum PacketCount {
    /// All that were handed to the device, failed ones included: mac80211 and the drivers on it.
    #[default]
    All,
    /// Those that were delivered: some drivers with a MAC of their own.
    Delivered,
}

/// Values of a link's counters at one time. A counter that the device does not have is `None`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sample {
    /// The time at which they were read.
    pub at: Time,
    /// Packets sent, in the meaning that [`PacketCount`] gives.
    pub packets: Option<u64>,
    /// Packets given up after the last retry.
    pub failed: Option<u64>,
    /// Retransmissions by the MAC.
    pub retries: Option<u64>,
    /// Bytes sent, counted once however often the MAC transmits them.
    pub bytes: Option<u64>,
    /// Time that all transmissions took on the air, in microseconds, as a counter of 64 bits.
    pub air_us: Option<u64>,
    /// Width of `packets`, `failed` and `retries`.
    pub width: Width,
    /// Width of `bytes`, which may differ: nl80211 has a byte counter of 64 bits.
    pub bytes_width: Width,
}

/// The differences between two samples.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Step {
    /// Time of the later sample.
    end: Time,
    packets: Option<u64>,
    failed: Option<u64>,
    retries: Option<u64>,
    bytes: Option<u64>,
    air_us: Option<u64>,
}

/// Means over the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Activity {
    /// Transmissions after the first, per packet; 0 or more.
    pub retries_per_packet: f64,
    /// Mean size of a packet in bytes.
    pub packet_bytes: f64,
    /// Time on the air per packet, retries included, in seconds; `None` if the device does not
    /// count it. Of frames put together, each has its share.
    pub air_s: Option<f64>,
}

/// A sliding window over counter differences.
///
/// Counters may wrap (a 32-bit one that goes down by no more than the link can have sent meanwhile
/// has wrapped), start again (any other that goes down: the window is emptied and begins anew), or
/// stand still (no packets: no estimate). The window holds at least the last difference, however
/// long ago the sample before was taken.
#[derive(Clone, Debug)]
pub struct CounterWindow {
    span: Span,
    count: PacketCount,
    last: Option<Sample>,
    steps: VecDeque<Step>,
    resets: u64,
}

/// Samples come at most this often per window; earlier ones are ignored. It bounds memory.
const MOST_STEPS: u64 = 256;

impl CounterWindow {
    /// An empty window of this length.
    pub fn new(span: Span, count: PacketCount) -> Self {
        CounterWindow { span, count, last: None, steps: VecDeque::new(), resets: 0 }
    }

    /// Takes the counters' values. A sample that is no later than its predecessor, or comes sooner
    /// than a 256th of the window after it, is ignored.
    pub fn add(&mut self, sample: Sample) {
        let Some(last) = self.last else {
            self.last = Some(sample);
            return;
        };
        let passed = sample.at.since(last.at);
        if passed <= Span::from_nanos(self.span.nanos() / MOST_STEPS) {
            return;
        }
        self.last = Some(sample);
        match step(&last, &sample, passed) {
            Some(step) => self.steps.push_back(step),
            None => {
                self.steps.clear();
                self.resets += 1;
            }
        }
        while self.steps.len() > 1 && self.begins_outside(sample.at) {
            self.steps.pop_front();
        }
    }

    /// True if the oldest step ended before the window's beginning.
    fn begins_outside(&self, now: Time) -> bool {
        self.steps.front().is_some_and(|step| now.since(step.end) >= self.span)
    }

    /// Empties the window: the next sample is the first one.
    pub fn clear(&mut self) {
        self.last = None;
        self.steps.clear();
    }

    /// The number of times that counters have started again.
    pub fn resets(&self) -> u64 {
        self.resets
    }

    /// p_w over the window; `None` if no packets were sent in it, or the device does not count
    /// packets or failures.
    ///
    /// With n the packet counter's difference and f that of failures, it is f / n if the counter
    /// includes all packets, and f / (n + f) if it includes those delivered.
    pub fn loss(&self) -> Option<LossEstimate> {
        let batches: Option<Vec<Batch>> = self.steps.iter().map(|step| self.batch(step)).collect();
        loss_estimate(&batches?)
    }

    fn batch(&self, step: &Step) -> Option<Batch> {
        let (counted, failed) = (step.packets?, step.failed?);
        let packets = match self.count {
            PacketCount::All => counted,
            PacketCount::Delivered => counted.saturating_add(failed),
        };
        // A failure may be counted one step after its packet.
        Some(Batch { packets, lost: failed.min(packets) })
    }

    /// Retries and sizes over the window; `None` if no packets were sent in it, or the device does
    /// not count them.
    pub fn activity(&self) -> Option<Activity> {
        let sum = |of: fn(&Step) -> Option<u64>| -> Option<u64> {
            self.steps.iter().try_fold(0_u64, |sum, step| sum.checked_add(of(step)?))
        };
        let counted = sum(|step| step.packets)?;
        let packets = match self.count {
            PacketCount::All => counted,
            PacketCount::Delivered => counted.checked_add(sum(|step| step.failed)?)?,
        };
        if packets == 0 {
            return None;
        }
        Some(Activity {
            retries_per_packet: sum(|step| step.retries)? as f64 / packets as f64,
            packet_bytes: sum(|step| step.bytes)? as f64 / counted.max(1) as f64,
            air_s: sum(|step| step.air_us).map(|air| air as f64 * 1e-6 / packets as f64),
        })
    }
}

/// The difference of two samples that lie `passed` apart; `None` if a counter has started again.
fn step(old: &Sample, new: &Sample, passed: Span) -> Option<Step> {
    let packets = passed.secs() * MOST_PACKETS_PER_SEC;
    let bytes = passed.secs() * MOST_BYTES_PER_SEC;
    Some(Step {
        end: new.at,
        packets: difference(old.packets, new.packets, new.width, packets)?,
        failed: difference(old.failed, new.failed, new.width, packets)?,
        retries: difference(old.retries, new.retries, new.width, packets)?,
        bytes: difference(old.bytes, new.bytes, new.bytes_width, bytes)?,
        air_us: difference(old.air_us, new.air_us, Width::Bits64, 0.0)?,
    })
}

/// The growth of a counter, at most `most` if it went down and so has wrapped. `Some(None)` if the
/// device does not have the counter, `None` if it has started again.
fn difference(old: Option<u64>, new: Option<u64>, width: Width, most: f64) -> Option<Option<u64>> {
    let (Some(old), Some(new)) = (old, new) else {
        return Some(None);
    };
    if let Some(grown) = new.checked_sub(old) {
        return Some(Some(grown));
    }
    let over = match width {
        Width::Bits32 => new.checked_add(1 << 32)?.checked_sub(old)?,
        Width::Bits64 => return None,
    };
    (over as f64 <= most).then_some(Some(over))
}

#[cfg(test)]
mod tests;
