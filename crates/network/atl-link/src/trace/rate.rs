//! Delivery opportunities over time, in mahimahi's format (Netravali et al., USENIX ATC 2015).

use atl_core::time::{Span, Time};
use atl_core::units::Rate;

use super::error::{TraceError, TraceErrorKind};

/// Bytes per delivery opportunity.
pub const OPPORTUNITY_BYTES: u32 = 1500;

const NANOS_PER_MILLI: u64 = 1_000_000;
const ALLOWED: &str = "a whole number of milliseconds from 0 to 4294967295";

/// Delivery opportunities over time (mahimahi format).
///
/// Each line is one opportunity: its time in whole milliseconds from the start. A repeated
/// timestamp adds another opportunity at the same time. The last timestamp is the period: the
/// opportunities of round `k` are at `k * period + timestamp`.
///
/// [`Service::Trace`](crate::Service::Trace) follows mahimahi's `link_queue`: an opportunity
/// carries up to [`OPPORTUNITY_BYTES`] bytes of what was queued *before* its time. Small packets
/// share an opportunity. A packet that exceeds the remainder of one continues in the next, and is
/// delivered by the opportunity that carries its last byte. Capacity that is left when the queue
/// empties is wasted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct RateTrace {
    /// In milliseconds, non-decreasing; not empty, and the last is not 0.
    at: Box<[u32]>,
}

impl RateTrace {
    /// Parses a trace. Blank lines are skipped.
    ///
    /// # Errors
    /// If a line is not a whole number of milliseconds that fits 32 bits (49 days), if a timestamp
    /// is smaller than the previous one, or if the trace is empty or its last timestamp is 0.
    pub fn parse(text: &str) -> Result<Self, TraceError> {
        // A line is about six bytes long.
        let mut at: Vec<u32> = Vec::with_capacity(text.len() / 6 + 1);
        for (index, line) in text.lines().enumerate() {
            let value = line.trim();
            if value.is_empty() {
                continue;
            }
            // `u32::from_str` would take a leading `+`.
            let parsed = value.as_bytes()[0].is_ascii_digit().then(|| value.parse().ok()).flatten();
            let Some(ms) = parsed else {
                let kind = TraceErrorKind::NotANumber { allowed: ALLOWED };
                let shown = if at.is_empty() { "" } else { value };
                return Err(TraceError::at(index + 1, shown, kind));
            };
            match at.last() {
                Some(&previous) if ms < previous => {
                    let kind = TraceErrorKind::Decreasing { previous };
                    return Err(TraceError::at(index + 1, value, kind));
                }
                _ => at.push(ms),
            }
        }
        match at.last() {
            None => Err(TraceError::whole(TraceErrorKind::Empty)),
            Some(0) => Err(TraceError::whole(TraceErrorKind::ZeroLength)),
            Some(_) => Ok(RateTrace { at: at.into_boxed_slice() }),
        }
    }

    /// The period, after which the trace repeats: its last timestamp, at least 1 ms.
    pub fn duration(&self) -> Span {
        Span::from_nanos(self.period())
    }

    /// Opportunities per period, at least 1.
    pub fn opportunities(&self) -> usize {
        self.at.len()
    }

    /// The timestamps of one period, in milliseconds, in order.
    pub fn timestamps(&self) -> &[u32] {
        &self.at
    }

    /// Mean rate if every opportunity is used in full.
    pub fn mean_rate(&self) -> Rate {
        rate_of(self.at.len() as u64, self.duration())
    }

    /// Mean rate after `from` up to and including `to` if every opportunity is used in full; zero
    /// for an empty span.
    pub fn mean_rate_between(&self, from: Time, to: Time) -> Rate {
        let count = self.opportunities_until(to).saturating_sub(self.opportunities_until(from));
        rate_of(count, to.since(from))
    }

    /// Mean rate of each window of `width` in the first period, as
    /// [`RateTrace::mean_rate_between`]; the last window may extend into the next period. A width
    /// below 1 ms counts as 1 ms.
    pub fn windows(&self, width: Span) -> impl Iterator<Item = Rate> + '_ {
        let width = width.nanos().max(NANOS_PER_MILLI);
        (0..self.period().div_ceil(width)).map(move |n| {
            let from = Time::from_nanos(n.saturating_mul(width));
            self.mean_rate_between(from, from.saturating_add(Span::from_nanos(width)))
        })
    }

    /// Opportunities at or before `t`, over all periods.
    pub fn opportunities_until(&self, t: Time) -> u64 {
        let (round, offset) = (t.nanos() / self.period(), t.nanos() % self.period());
        let ms = offset / NANOS_PER_MILLI;
        let within = self.at.partition_point(|&at| u64::from(at) <= ms) as u64;
        // The last opportunity of a period is also the time at which the next period begins.
        round.saturating_mul(self.at.len() as u64).saturating_add(within)
    }

    fn period(&self) -> u64 {
        self.at.last().map_or(1, |&ms| u64::from(ms)) * NANOS_PER_MILLI
    }
}

fn rate_of(opportunities: u64, span: Span) -> Rate {
    let bits = opportunities as f64 * f64::from(OPPORTUNITY_BYTES) * 8.0;
    if span.is_zero() { Rate::ZERO } else { Rate::from_bps(bits / span.secs()) }
}

/// A position in a trace: one opportunity, and how much of it is left.
#[derive(Clone, Debug)]
pub(crate) struct Cursor {
    index: usize,
    /// Start of its period, in nanoseconds.
    round: u64,
    left: u32,
}

impl Cursor {
    /// Not placed yet: at [`Time::MAX`].
    pub(crate) fn new() -> Self {
        Cursor { index: 0, round: u64::MAX, left: 0 }
    }

    /// True if the current opportunity is at `t`.
    #[inline]
    pub(crate) fn is_at(&self, trace: &RateTrace, t: Time) -> bool {
        self.time(trace) == t.nanos()
    }

    /// Bytes left in the current opportunity.
    pub(crate) fn left(&self) -> u32 {
        self.left
    }

    fn time(&self, trace: &RateTrace) -> u64 {
        self.round.saturating_add(u64::from(trace.at[self.index]) * NANOS_PER_MILLI)
    }

    /// Moves to the first opportunity after `t`, none of it used.
    pub(crate) fn seek_after(&mut self, trace: &RateTrace, t: Time) {
        let t = t.nanos();
        self.left = OPPORTUNITY_BYTES;
        // A sender that falls idle mostly returns within a few opportunities.
        if self.time(trace) <= t {
            for _ in 0..8 {
                self.step(trace, 1);
                if self.time(trace) > t {
                    return;
                }
            }
        }
        let period = trace.period();
        let (rounds, offset) = (t / period, t % period);
        let ms = offset / NANOS_PER_MILLI;
        // Always in range: the last timestamp is the period, and the offset is smaller.
        self.index = trace.at.partition_point(|&at| u64::from(at) <= ms);
        self.round = rounds * period;
    }

    fn step(&mut self, trace: &RateTrace, opportunities: usize) {
        self.index += opportunities;
        let len = trace.at.len();
        if self.index >= len {
            let rounds = (self.index / len) as u64;
            self.index %= len;
            self.round = self.round.saturating_add(rounds.saturating_mul(trace.period()));
        }
    }

    /// Uses up `bytes`. Returns the time of the opportunity that carries the last of them.
    #[inline]
    pub(crate) fn carry(&mut self, trace: &RateTrace, bytes: u32) -> Time {
        if bytes <= self.left {
            self.left -= bytes;
        } else {
            let rest = bytes - self.left;
            let more = rest.div_ceil(OPPORTUNITY_BYTES);
            self.step(trace, more as usize);
            // Below 1500; in 64 bits because `more * 1500` may exceed 32.
            self.left = (u64::from(more) * u64::from(OPPORTUNITY_BYTES) - u64::from(rest)) as u32;
        }
        Time::from_nanos(self.time(trace))
    }
}
